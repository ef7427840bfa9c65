//! Reads PNG images: as a scene with one mask, or as the alpha values for a mask or for contours.
//!
//! Input: the bytes of a file. Output: the alpha of each pixel. The header is checked before the
//! pixels are allocated, because a small file can declare a huge image.
//!
//! Also lists the chunks of a PNG file, for the report of parts that are not read.

use std::io::{Cursor, ErrorKind};

use carom::{Mask, Pose, Shape};
use png::{ColorType, Decoder, DecodingError, Limits, Transformations};

use crate::unread::{Entry, Found, Named, Unread};
use crate::{Error, Scene, SceneCollider, YAxis};

/// Largest width and height of an image, and largest number of pixels.
const MOST_SIDE: u32 = Mask::MAX_SIDE;
const MOST_PIXELS: u64 = Mask::MAX_PIXELS;

/// Smallest alpha of a solid pixel, if a scene names no other.
pub(crate) const HALF_OPACITY: u8 = 128;

/// First bytes of every PNG.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Returns whether the bytes start as a PNG image. The image may be incomplete.
pub(crate) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// Alpha of each pixel, row by row from the top. 255 is opaque.
#[derive(Debug, PartialEq)]
pub(crate) struct Alpha {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) values: Vec<u8>,
    /// True if the image has no transparency: all pixels are opaque.
    pub(crate) solid: bool,
}

/// Returns the mask of pixels with at least this alpha, and whether the image has no transparency.
/// Then all pixels are solid.
pub(crate) fn mask(bytes: &[u8], threshold: u8) -> Result<(Shape, bool), String> {
    let Alpha { width, height, values, solid } = decode(bytes)?;
    let shape = Mask::from_alpha(width, height, &values, threshold).and_then(Shape::mask).map_err(|e| e.to_string())?;
    Ok((shape, solid))
}

/// Returns a scene with one mask. The mask has the name of the file. Its upper left corner is the
/// origin.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Scene, Error> {
    let (shape, solid) = mask(bytes, HALF_OPACITY).map_err(|message| Error::new(name, message))?;
    let collider = SceneCollider::new(name, shape, Pose::IDENTITY);
    let mut unread = Unread::default();
    chunks(bytes, &mut unread);
    if solid {
        unread.name("the image has no transparency: all of it is solid", || None);
    }
    let (warnings, ignored) = unread.into_texts();
    Ok(Scene { colliders: vec![collider], y: YAxis::Down, warnings, ignored, ..Scene::default() })
}

/// Looks up all chunks of an image that has been decoded.
fn chunks(bytes: &[u8], unread: &mut Unread) {
    let Some(entry) = COVERAGE.first() else { return };
    let mut rest = bytes.get(8..).unwrap_or_default();
    while let Some((&[a, b, c, d, ref kind @ ..], after)) = rest.split_first_chunk::<8>() {
        let name = String::from_utf8_lossy(kind);
        match entry.find(COVERAGE, &name) {
            Found::Read(_) => {}
            Found::Named(named) => unread.name(named.says, || None),
            Found::Ignored(name) => unread.ignore(entry.parent, name),
            Found::Unknown => unread.name(&format!("the chunk {name} is unknown and not read"), || None),
        }
        // Data and checksum.
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        rest = length.checked_add(4).and_then(|length| after.get(length..)).unwrap_or_default();
    }
}

/// Chunks, by the third edition of the PNG specification and its registered extensions.
pub(crate) const COVERAGE: &[Entry] = &[Entry {
    parent: "image",
    read: &["IHDR", "PLTE", "tRNS", "IDAT", "IEND"],
    named: &[
        Named { name: "acTL", unless: "", says: "the image is animated: only its first frame is read" },
        Named { name: "fcTL", unless: "", says: "" },
        Named { name: "fdAT", unless: "", says: "" },
        Named { name: "oFFs", unless: "", says: "the offset of the image (oFFs) is not read" },
    ],
    ignored: &[
        "cHRM", "cICP", "gAMA", "iCCP", "mDCV", "cLLI", "sBIT", "sRGB", "bKGD", "hIST", "pHYs", "sPLT", "eXIf", "iTXt",
        "tEXt", "zTXt", "tIME", "pCAL", "sCAL", "sTER", "gIFg", "gIFt", "gIFx", "dSIG", "iDOT", "vpAg", "caNv",
    ],
}];

/// Decodes the first frame of a PNG. Checks the size before it allocates the pixels.
pub(crate) fn decode(bytes: &[u8]) -> Result<Alpha, String> {
    if !is_png(bytes) {
        return Err("this is no PNG image: only those are read".to_owned());
    }
    if let Some([width, height]) = sides(bytes)
        && (width == 0 || height == 0)
    {
        return Err(format!("an image of {width} by {height} pixels has none"));
    }
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: usize::MAX });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let info = decoder.read_header_info().map_err(|e| broken(&e))?;
    let (width, height) = (info.width, info.height);
    if width > MOST_SIDE || height > MOST_SIDE || u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(format!(
            "an image of {width} by {height} pixels: at most {MOST_SIDE} either way and {MOST_PIXELS} in all are \
             read; make it smaller"
        ));
    }
    let mut reader = decoder.read_info().map_err(|e| broken(&e))?;
    let size = reader.output_buffer_size().ok_or("the image is too large for this machine's memory")?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(|e| broken(&e))?;
    let values = match frame.color_type {
        ColorType::Rgba => pixels.chunks_exact(4).map(|pixel| pixel[3]).collect(),
        ColorType::GrayscaleAlpha => pixels.chunks_exact(2).map(|pixel| pixel[1]).collect(),
        _ => return Ok(Alpha { width, height, values: vec![255; width as usize * height as usize], solid: true }),
    };
    Ok(Alpha { width, height, values, solid: false })
}

/// Returns width and height from the header, which is the first chunk.
fn sides(bytes: &[u8]) -> Option<[u32; 2]> {
    let header = bytes.get(16..24).filter(|_| bytes[12..16] == *b"IHDR")?;
    Some([0, 4].map(|i| header[i..i + 4].iter().fold(0, |number, &byte| number << 8 | u32::from(byte))))
}

fn broken(error: &DecodingError) -> String {
    match error {
        DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            "broken PNG: the image ends too early".to_owned()
        }
        error => format!("broken PNG: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, colour: ColorType, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(colour);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    #[test]
    fn alpha_of_every_colour_type() {
        let rgba = png(2, 1, ColorType::Rgba, &[1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(decode(&rgba).unwrap(), Alpha { width: 2, height: 1, values: vec![4, 8], solid: false });
        let grey = png(1, 2, ColorType::GrayscaleAlpha, &[9, 0, 9, 255]);
        assert_eq!(decode(&grey).unwrap().values, [0, 255]);
        let plain = decode(&png(1, 1, ColorType::Rgb, &[0, 0, 0])).unwrap();
        assert_eq!((plain.values, plain.solid), (vec![255], true));
    }

    #[test]
    fn errors_of_broken_images_name_the_reason() {
        let whole = png(2, 2, ColorType::Rgba, &[0; 16]);
        let message = |bytes: &[u8]| decode(bytes).unwrap_err();
        for end in 8..whole.len() - 12 {
            assert!(
                message(&whole[..end]).starts_with("broken PNG: the image ends too early"),
                "{end}: {}",
                message(&whole[..end])
            );
        }
        assert!(message(b"GIF89a").contains("no PNG image"));
        // The header contains the size. An image of a gigapixel is refused before allocation, and
        // so is an empty one.
        let sized = |width: u32, height: u32| {
            let mut header = b"\0\0\0\rIHDR".to_vec();
            header.extend(width.to_be_bytes().into_iter().chain(height.to_be_bytes()).chain([8, 6, 0, 0, 0]));
            let sum = crc(&header[4..]);
            [b"\x89PNG\r\n\x1a\n".to_vec(), header, sum.to_be_bytes().to_vec()].concat()
        };
        assert!(
            message(&sized(32_768, 32_768))
                .starts_with("an image of 32768 by 32768 pixels: at most 65536 either way and 268435456 in all")
        );
        assert!(message(&sized(u32::MAX >> 1, 1)).starts_with("an image of 2147483647 by 1 pixels"));
        assert_eq!(message(&sized(0, 5)), "an image of 0 by 5 pixels has none");
        assert_eq!(message(&sized(1, 0)), "an image of 1 by 0 pixels has none");
    }

    /// Computes the checksum of PNG chunks, bit by bit.
    fn crc(bytes: &[u8]) -> u32 {
        let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
    }
}
