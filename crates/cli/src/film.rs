//! Converts animations to pictures: GIF films, numbered PNG files, the last frame as a PNG.
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use carom::DVec2;
use carom_scene::draw::Animation;
use gif::{Encoder, Frame, Repeat};
use resvg::tiny_skia::{Pixmap, PixmapPaint, Transform};

use crate::error::CliError;
use crate::{large_files, render};

/// Animation with its frames and their colours.
pub(crate) struct Film<'a> {
    pub(crate) animation: Animation<'a>,
    /// Position of each moving collider, for each frame.
    pub(crate) frames: &'a [Vec<DVec2>],
    /// Index of the colour of each moving collider, for each frame. Empty: one colour.
    pub(crate) tints: &'a [Vec<u8>],
}

impl Film<'_> {
    /// Returns a GIF. Each frame is shown for the given number of seconds.
    pub(crate) fn gif(&self, seconds: f64) -> Result<Vec<u8>, String> {
        let pictures = Pictures::new(self)?;
        let too_large = |_| "the picture is too large for a GIF: write an .svg instead".to_owned();
        let width = u16::try_from(pictures.still.width()).map_err(too_large)?;
        let height = u16::try_from(pictures.still.height()).map_err(too_large)?;
        let failed = |error: gif::EncodingError| format!("the film cannot be encoded: {error}");
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height, &palette()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        // In hundredths of a second. Players show shorter delays than two more slowly.
        let delay = (seconds * 100.0).round().clamp(2.0, 6000.0) as u16;
        for (number, positions) in self.frames.iter().enumerate() {
            let pixels = pictures.frame(number, positions)?;
            let indices: Vec<u8> = pixels.pixels().iter().map(|p| nearest([p.red(), p.green(), p.blue()])).collect();
            let frame = Frame { width, height, delay, buffer: indices.into(), ..Frame::default() };
            encoder.write_frame(&frame).map_err(failed)?;
        }
        drop(encoder);
        Ok(bytes)
    }

    /// Returns the last frame as a PNG.
    pub(crate) fn last(&self) -> Result<Vec<u8>, String> {
        let last = self.frames.len().saturating_sub(1);
        let positions = self.frames.last().map_or(&[][..], Vec::as_slice);
        encoded(&Pictures::new(self)?.frame(last, positions)?)
    }

    /// Writes one PNG per frame. The size of all is estimated from the first.
    pub(crate) fn save_frames(&self, path: &Path) -> Result<(), CliError> {
        let fail = |reason: String| CliError::at(path.display(), reason);
        let pictures = Pictures::new(self).map_err(fail)?;
        for (number, positions) in self.frames.iter().enumerate() {
            let bytes = pictures.frame(number, positions).and_then(|pixels| encoded(&pixels)).map_err(fail)?;
            if number == 0 {
                large_files::announce(path, bytes.len() as u64 * self.frames.len() as u64);
            }
            render::write(&numbered(path, number), &bytes)?;
        }
        Ok(())
    }
}

/// Replaces the first row of `#` by a number with as many digits.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let name = path.to_string_lossy();
    let start = name.find('#').unwrap_or(name.len());
    let digits = name[start..].chars().take_while(|c| *c == '#').count();
    PathBuf::from(format!("{}{number:0digits$}{}", &name[..start], &name[start + digits..]))
}

fn encoded(pixels: &Pixmap) -> Result<Vec<u8>, String> {
    pixels.encode_png().map_err(|error| format!("the picture cannot be encoded: {error}"))
}

/// Body in one colour, with the position of its picture.
type Sprite = (Pixmap, [f32; 2]);

/// The background and the moving bodies, each drawn once per colour.
struct Pictures<'f> {
    film: &'f Film<'f>,
    still: Pixmap,
    sprites: RefCell<HashMap<(usize, u8), Sprite>>,
}

const TOO_LARGE: &str = "the picture is too large: write an .svg instead";

impl<'f> Pictures<'f> {
    fn new(film: &'f Film<'f>) -> Result<Self, String> {
        let tree = render::tree(&film.animation.static_page())?;
        let size = tree.size().to_int_size();
        let mut still = Pixmap::new(size.width(), size.height()).ok_or(TOO_LARGE)?;
        resvg::render(&tree, Transform::identity(), &mut still.as_mut());
        Ok(Self { film, still, sprites: RefCell::default() })
    }

    fn sprite(&self, mover: usize, tint: u8) -> Result<Sprite, String> {
        let svg = self.film.animation.mover_picture(mover, tint).unwrap_or_default();
        let tree = render::tree(&svg)?;
        let area = tree.root().abs_stroke_bounding_box();
        let corner = [area.x().floor() - 1.0, area.y().floor() - 1.0];
        let (width, height) = (area.width().ceil() as u32 + 3, area.height().ceil() as u32 + 3);
        let mut pixels = Pixmap::new(width, height).ok_or(TOO_LARGE)?;
        resvg::render(&tree, Transform::from_translate(-corner[0], -corner[1]), &mut pixels.as_mut());
        Ok((pixels, corner))
    }

    fn frame(&self, frame: usize, positions: &[DVec2]) -> Result<Pixmap, String> {
        let mut pixels = self.still.clone();
        let mut sprites = self.sprites.borrow_mut();
        for mover in 0..self.film.animation.mover_count() {
            let tint = self.film.tints.get(frame).and_then(|tints| tints.get(mover)).copied().unwrap_or(0);
            let (sprite, corner) = match sprites.entry((mover, tint)) {
                std::collections::hash_map::Entry::Occupied(drawn) => drawn.into_mut(),
                std::collections::hash_map::Entry::Vacant(free) => free.insert(self.sprite(mover, tint)?),
            };
            let offset = self.film.animation.offset(mover, positions);
            let (x, y) = ((corner[0] + offset.x as f32).round() as i32, (corner[1] + offset.y as f32).round() as i32);
            pixels.draw_pixmap(x, y, sprite.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
        }
        Ok(pixels)
    }
}

/// Quantizes colours to their upper bits: three of red and green, two of blue.
fn palette() -> Vec<u8> {
    (0..=255u8).flat_map(|i| [(i >> 5) * 36 + 3, (i >> 2 & 7) * 36 + 3, (i & 3) * 84 + 3]).collect()
}

#[inline] // The loop that calls it can be in another codegen unit.
fn nearest([r, g, b]: [u8; 3]) -> u8 {
    let of = |x: u8, step: u16, most: u16| ((u16::from(x) + step / 2) / step).min(most) as u8;
    of(r, 36, 7) << 5 | of(g, 36, 7) << 2 | of(b, 84, 3)
}

#[cfg(test)]
mod tests {
    use super::numbered;
    use std::path::Path;

    #[test]
    fn the_number_replaces_the_signs() {
        let name = |path: &str, number| numbered(Path::new(path), number).display().to_string();
        assert_eq!(name("out/f-###.png", 7), "out/f-007.png");
        assert_eq!(name("#.png", 12), "12.png");
        assert_eq!(name("a##-b#.png", 3), "a03-b#.png");
    }
}
