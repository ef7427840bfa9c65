//! `--render`: draws the motion as an animated SVG or GIF, or the last state as a PNG.
use std::path::PathBuf;

use carom_scene::Scene;
use carom_scene::draw::Animation;
use gif::{Encoder, Frame, Repeat};
use resvg::tiny_skia::{Pixmap, PixmapPaint, Transform};

use super::run::Ran;
use crate::error::CliError;
use crate::render;

/// File of the picture. The suffix chooses the format.
#[derive(Clone)]
pub(super) struct Render {
    path: PathBuf,
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Gif,
    Png,
}

impl Render {
    /// Parses the argument for clap. Refuses other suffixes before the work begins.
    pub(super) fn parse(path: &str) -> Result<Self, String> {
        let path = PathBuf::from(path);
        let suffix = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let format = match suffix.as_ref().and_then(|suffix| suffix.to_str()) {
            Some("svg") => Format::Svg,
            Some("gif") => Format::Gif,
            Some("png") => Format::Png,
            _ => {
                return Err(
                    "motions are written as .svg or .gif, their end as .png: choose one of these suffixes".to_owned()
                );
            }
        };
        Ok(Self { path, format })
    }

    /// Returns whether the format shows more than the last state.
    pub(super) fn moves(&self) -> bool {
        self.format != Format::Png
    }

    pub(super) fn save(&self, scene: &Scene, ran: &Ran) -> Result<(), CliError> {
        let film = Animation::new(scene, &ran.frames);
        let seconds = ran.stride as f64 * ran.dt;
        let bytes = match self.format {
            Format::Svg => Ok(film.animated(seconds).into_bytes()),
            Format::Gif => gif(&film, &ran.frames, seconds),
            Format::Png => Pictures::new(&film).and_then(|pictures| {
                let last = ran.frames.last().map_or(&[][..], Vec::as_slice);
                pictures
                    .frame(&film, last)
                    .encode_png()
                    .map_err(|error| format!("the picture cannot be encoded: {error}"))
            }),
        };
        render::write(&self.path, &bytes.map_err(|reason| CliError::at(self.path.display(), reason))?)
    }
}

/// The background and the moving bodies, each drawn once.
struct Pictures {
    still: Pixmap,
    /// Each moving body alone, with the position of its picture.
    movers: Vec<(Pixmap, [f32; 2])>,
}

impl Pictures {
    fn new(film: &Animation<'_>) -> Result<Self, String> {
        let tree = render::tree(&film.static_page())?;
        let size = tree.size().to_int_size();
        let too_large = || "the picture is too large: write an .svg instead".to_owned();
        let mut still = Pixmap::new(size.width(), size.height()).ok_or_else(too_large)?;
        resvg::render(&tree, Transform::identity(), &mut still.as_mut());
        let movers = film.mover_pictures().map(|svg| {
            let tree = render::tree(&svg)?;
            let area = tree.root().abs_stroke_bounding_box();
            let corner = [area.x().floor() - 1.0, area.y().floor() - 1.0];
            let (width, height) = (area.width().ceil() as u32 + 3, area.height().ceil() as u32 + 3);
            let mut pixels = Pixmap::new(width, height).ok_or_else(too_large)?;
            resvg::render(&tree, Transform::from_translate(-corner[0], -corner[1]), &mut pixels.as_mut());
            Ok((pixels, corner))
        });
        let movers = movers.collect::<Result<_, String>>()?;
        Ok(Self { still, movers })
    }

    fn frame(&self, film: &Animation<'_>, places: &[carom::DVec2]) -> Pixmap {
        let mut pixels = self.still.clone();
        for (k, (mover, corner)) in self.movers.iter().enumerate() {
            let way = film.way(k, places);
            let (x, y) = ((corner[0] + way.x as f32).round() as i32, (corner[1] + way.y as f32).round() as i32);
            pixels.draw_pixmap(x, y, mover.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
        }
        pixels
    }
}

/// Quantizes colours to their upper bits: three of red and green, two of blue.
fn palette() -> Vec<u8> {
    (0..=255u8).flat_map(|i| [(i >> 5) * 36 + 3, (i >> 2 & 7) * 36 + 3, (i & 3) * 84 + 3]).collect()
}

fn nearest([r, g, b]: [u8; 3]) -> u8 {
    let of = |x: u8, step: u16, most: u16| ((u16::from(x) + step / 2) / step).min(most) as u8;
    of(r, 36, 7) << 5 | of(g, 36, 7) << 2 | of(b, 84, 3)
}

fn gif(film: &Animation<'_>, frames: &[Vec<carom::DVec2>], seconds: f64) -> Result<Vec<u8>, String> {
    let pictures = Pictures::new(film)?;
    let too_large = |_| "the picture is too large for a GIF: write an .svg instead".to_owned();
    let width = u16::try_from(pictures.still.width()).map_err(too_large)?;
    let height = u16::try_from(pictures.still.height()).map_err(too_large)?;
    let failed = |error: gif::EncodingError| format!("the film cannot be encoded: {error}");
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette()).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    // In hundredths of a second. Players show shorter delays than two more slowly.
    let delay = (seconds * 100.0).round().clamp(2.0, 6000.0) as u16;
    for places in frames {
        let pixels = pictures.frame(film, places);
        let indices: Vec<u8> = pixels.pixels().iter().map(|p| nearest([p.red(), p.green(), p.blue()])).collect();
        let frame = Frame { width, height, delay, buffer: indices.into(), ..Frame::default() };
        encoder.write_frame(&frame).map_err(failed)?;
    }
    drop(encoder);
    Ok(bytes)
}
