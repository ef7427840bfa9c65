//! Exports the reader of files. The module with this feature has no other use.

use carom::decompose::FillRule;
use carom_scene::{Format, Options, read, to_json};

use crate::export;
use crate::failure::Failure;

/// Splits the bytes into texts and files by their lengths.
struct Blobs<'a> {
    rest: &'a [u8],
    lengths: std::slice::Iter<'a, f64>,
}

impl<'a> Blobs<'a> {
    fn next(&mut self) -> Result<&'a [u8], Failure> {
        let length = *self.lengths.next().unwrap_or(&0.0) as usize;
        let (blob, rest) = self.rest.split_at_checked(length).ok_or_else(|| Failure::new("the input is too short"))?;
        self.rest = rest;
        Ok(blob)
    }

    fn text(&mut self) -> Result<&'a str, Failure> {
        std::str::from_utf8(self.next()?).map_err(Failure::new)
    }
}

export! {
    /// Reads a file. `format` is a number, 7 to detect it. `repair` is 1 for the non-zero rule, 2 for
    /// the even-odd rule, else 0. The bytes are in this order: the name of the file, the GeoJSON
    /// property of ids (empty for none), and `solid_count` layer names. Then `file_count` pairs of a
    /// path and a file follow, and the file itself. The input has their lengths. The bytes become the
    /// scene as JSON, the warnings, the refused objects and the repaired ones. The output has the
    /// length of the scene, the numbers of warnings and of refused objects, and the length of each
    /// text that follows.
    fn files_read(
        buffers, format: u32, skip_invalid: u32, repair: u32, solid_all: u32, solid_count: usize, file_count: usize
    ) {
        let mut blobs = Blobs { rest: &buffers.bytes, lengths: buffers.input.iter() };
        let (name, id_property) = (blobs.text()?, blobs.text()?);
        let solid = (0..solid_count).map(|_| Ok(blobs.text()?.to_owned())).collect::<Result<_, Failure>>()?;
        let files =
            (0..file_count).map(|_| Ok((blobs.text()?, blobs.next()?))).collect::<Result<Vec<_>, Failure>>()?;
        let options = Options {
            skip_invalid: skip_invalid != 0,
            repair: [None, Some(FillRule::NonZero), Some(FillRule::EvenOdd)].get(repair as usize).copied().flatten(),
            solid,
            solid_all: solid_all != 0,
            id_property: (!id_property.is_empty()).then(|| id_property.to_owned()),
            format: [Format::Scene, Format::Tmx, Format::Tmj, Format::GeoJson, Format::Csv, Format::Svg, Format::Png]
                .get(format as usize)
                .copied(),
            ..Options::default()
        };
        let mut load = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, file)| file.to_vec()).ok_or_else(|| {
                std::io::Error::new(std::io::ErrorKind::NotFound, "it is not among the given files: add it to `files`")
            })
        };
        let scene = read(name, blobs.next()?, &options, &mut load).map_err(Failure::new)?;
        let json = to_json(&scene);
        let skipped = scene.skipped.iter().map(|skipped| format!("{}: {}", skipped.object, skipped.reason));
        let repaired = scene.repaired.iter().map(ToString::to_string);
        let texts: Vec<String> = scene.warnings.iter().cloned().chain(skipped).chain(repaired).collect();
        buffers.write(&[json.len() as f64, scene.warnings.len() as f64, scene.skipped.len() as f64]);
        buffers.output.extend(texts.iter().map(|text| text.len() as f64));
        buffers.bytes = json.into_bytes();
        texts.iter().for_each(|text| buffers.bytes.extend_from_slice(text.as_bytes()));
        Ok(true)
    }
}
