//! `--render`: writes a drawing as SVG or PNG.
use std::fs;
use std::path::{Path, PathBuf};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::error::CliError;
use crate::lettering::outline_text;

/// File of the picture. The suffix chooses the format.
#[derive(Clone)]
pub(crate) struct Picture {
    path: PathBuf,
    format: PictureFormat,
}

#[derive(Clone, Copy)]
enum PictureFormat {
    Svg,
    Png,
}

impl Picture {
    /// Parses the argument for clap. Refuses other suffixes before the work begins.
    pub(crate) fn parse(path: &str) -> Result<Self, String> {
        let path = PathBuf::from(path);
        let suffix = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let format = match suffix.as_ref().and_then(|suffix| suffix.to_str()) {
            Some("svg") => PictureFormat::Svg,
            Some("png") => PictureFormat::Png,
            _ => {
                return Err("pictures are written as .svg or .png: choose one of these suffixes".to_owned());
            }
        };
        Ok(Self { path, format })
    }

    pub(crate) fn save(&self, svg: &str) -> Result<(), CliError> {
        match self.format {
            PictureFormat::Svg => write(&self.path, svg.as_bytes()),
            PictureFormat::Png => {
                let bytes = png(svg).map_err(|reason| CliError::at(self.path.display(), reason))?;
                write(&self.path, &bytes)
            }
        }
    }
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    fs::write(path, bytes)
        .map_err(|error| CliError::at(path.display(), format!("the picture cannot be written: {error}")))
}

/// Pixels per SVG unit.
const SCALE: f32 = 2.0;

/// Largest number of elements that the renderer reads.
const MAX_ELEMENTS: usize = 1_000_000;

/// Parses a drawing and converts its text to paths. A drawing with too many elements is refused before it is parsed.
pub(crate) fn tree(svg: &str) -> Result<Tree, String> {
    let elements = elements(svg);
    if elements > MAX_ELEMENTS {
        return Err(format!(
            "the drawing has {elements} elements, and a PNG or GIF at most {MAX_ELEMENTS}: write an .svg instead, or \
             draw fewer shapes or pairs"
        ));
    }
    Tree::from_str(&outline_text(svg)?, &Options::default())
        .map_err(|error| format!("the drawing is not valid SVG: {error}"))
}

/// Counts the elements of a drawing that the renderer reads. It skips titles and descriptions.
fn elements(svg: &str) -> usize {
    let tags = |start: &str| svg.matches(start).count();
    tags("<") - tags("</") - tags("<title>") - tags("<desc>")
}

pub(crate) fn png(svg: &str) -> Result<Vec<u8>, String> {
    let tree = tree(svg)?;
    let size = tree.size().scale_by(SCALE).map(|size| size.to_int_size());
    let pixels = size.and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut pixels = pixels.ok_or_else(|| {
        let (width, height) = (tree.size().width(), tree.size().height());
        format!("the drawing, {width} by {height}, is too large for a PNG: write an .svg instead")
    })?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| format!("the picture cannot be encoded: {error}"))
}

#[cfg(test)]
mod tests {
    use super::{MAX_ELEMENTS, elements, png};

    #[test]
    fn too_many_elements_are_refused_with_a_remedy() {
        let drawing = |circles: usize| format!("<svg><title>t</title>\n{}</svg>", "<circle/>".repeat(circles));
        assert_eq!(elements(&drawing(2)), 3);
        let message = png(&drawing(MAX_ELEMENTS)).expect_err("one element more than the limit");
        assert!(message.starts_with("the drawing has 1000001 elements"), "{message}");
        assert!(message.contains("write an .svg"), "{message}");
    }
}
