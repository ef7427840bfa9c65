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
        let bytes = match self.format {
            PictureFormat::Svg => svg.as_bytes().to_vec(),
            PictureFormat::Png => png(svg).map_err(|reason| CliError::at(self.path.display(), reason))?,
        };
        write(&self.path, &bytes)
    }
}

pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    fs::write(path, bytes)
        .map_err(|error| CliError::at(path.display(), format!("the picture cannot be written: {error}")))
}

/// Pixels per SVG unit.
const SCALE: f32 = 2.0;

/// Parses a drawing and converts its text to paths.
pub(crate) fn tree(svg: &str) -> Result<Tree, String> {
    Tree::from_str(&outline_text(svg)?, &Options::default())
        .map_err(|error| format!("the drawing is not valid SVG: {error}"))
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
