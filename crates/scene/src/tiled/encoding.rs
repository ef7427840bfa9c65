//! Decodes the cells of tile layers, with a limit on their number.
//!
//! Input: text in CSV or base64, compressed or not. Output: exactly width × height tile numbers, or
//! an error.
//!
//! The number of cells is counted before any text is decoded, and decompression stops one byte
//! beyond it. So a small file cannot fill the memory.

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::io::Read;

/// Largest number of cells of a map, in all layers and chunks: 64 MiB of tile numbers.
const MAX_CELLS: u64 = 1 << 24;

/// Tiled reads base64 with and without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Counts the cells of a map before they are decoded.
#[derive(Debug)]
pub(super) struct CellBudget {
    left: u64,
    /// True if layers consist of chunks. A layer without chunks is empty.
    pub(super) infinite: bool,
}

impl CellBudget {
    pub(super) fn new(infinite: bool) -> Self {
        Self { left: MAX_CELLS, infinite }
    }

    /// Returns the number of cells in `width` × `height`, if it is below the limit.
    pub(super) fn take(&mut self, width: u32, height: u32) -> Result<usize, String> {
        let cells = u64::from(width) * u64::from(height);
        if cells > self.left {
            return Err(format!(
                "{width} × {height} cells: a map may hold at most {MAX_CELLS}, all its tile layers together"
            ));
        }
        self.left -= cells;
        usize::try_from(cells).map_err(|_| format!("{width} × {height} cells are too many for this machine"))
    }
}

/// Encoding of the cells of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Single numbers: XML elements or a JSON array.
    Plain,
    Csv,
    Base64(Compression),
}

/// Compression of base64 data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Raw,
    Gzip,
    Zlib,
    Zstd,
}

impl Encoding {
    /// Reads the attributes of these names. An empty attribute is the same as none.
    pub(super) fn new(encoding: &str, compression: &str) -> Result<Self, String> {
        let packing = match compression {
            "" => Compression::Raw,
            "gzip" => Compression::Gzip,
            "zlib" => Compression::Zlib,
            "zstd" => Compression::Zstd,
            other => return Err(format!("unknown compression \"{other}\": expected gzip, zlib, zstd or none")),
        };
        match (encoding, packing) {
            ("", Compression::Raw) => Ok(Self::Plain),
            ("csv", Compression::Raw) => Ok(Self::Csv),
            ("base64", packing) => Ok(Self::Base64(packing)),
            ("" | "csv", _) => Err(format!("compression \"{compression}\" without encoding \"base64\"")),
            (other, _) => Err(format!("unknown encoding \"{other}\": expected csv, base64 or none")),
        }
    }
}

/// Decodes exactly `count` tile numbers from text.
pub(super) fn decode(text: &str, encoding: Encoding, count: usize) -> Result<Vec<u32>, String> {
    match encoding {
        Encoding::Plain => Err("the layer data is text: expected encoding csv or base64".to_owned()),
        Encoding::Csv => csv(text, count),
        Encoding::Base64(packing) => {
            let packed: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
            let packed = BASE64.decode(packed).map_err(|e| format!("the layer data is not base64: {e}"))?;
            let bytes = unpack(&packed, packing, count)?;
            Ok(bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect())
        }
    }
}

/// Checks a list of numbers.
pub(super) fn counted(gids: Vec<u32>, count: usize) -> Result<Vec<u32>, String> {
    if gids.len() == count { Ok(gids) } else { Err(wrong_length(&gids.len().to_string(), count)) }
}

fn wrong_length(found: &str, count: usize) -> String {
    format!("{found} tile numbers, where width × height asks for {count}")
}

fn csv(text: &str, count: usize) -> Result<Vec<u32>, String> {
    if count == 0 && text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut gids = Vec::new();
    for entry in text.split(',').map(str::trim) {
        if gids.len() == count {
            return Err(wrong_length(&format!("more than {count}"), count));
        }
        let gid = entry.parse().map_err(|_| format!("\"{entry}\" is no tile number (entry {})", gids.len() + 1))?;
        gids.push(gid);
    }
    counted(gids, count)
}

/// Decompresses exactly 4 bytes per cell. Reading stops one byte later, so a small file cannot
/// become large.
fn unpack(packed: &[u8], packing: Compression, count: usize) -> Result<Vec<u8>, String> {
    let wanted = count * 4;
    let broken = |e: &dyn std::fmt::Display| format!("the layer data cannot be unpacked: {e}");
    let mut bytes = Vec::new();
    let mut fill = |source: &mut dyn Read| {
        source.take(wanted as u64 + 1).read_to_end(&mut bytes).map_err(|e| broken(&e)).map(drop)
    };
    match packing {
        // A layer without cells has no data to decompress. Other layers fail below because they are
        // too short.
        _ if packed.is_empty() => {}
        Compression::Raw => fill(&mut &*packed)?,
        Compression::Gzip => fill(&mut flate2::read::GzDecoder::new(packed))?,
        Compression::Zlib => fill(&mut flate2::read::ZlibDecoder::new(packed))?,
        Compression::Zstd => {
            let mut frame = ruzstd::decoding::StreamingDecoder::new(packed).map_err(|e| broken(&e))?;
            fill(&mut frame)?;
            // Unlike the other two, this decoder does not check the checksum.
            let (stated, found) = (frame.decoder.get_checksum_from_data(), frame.decoder.get_calculated_checksum());
            if frame.decoder.is_finished() && stated.is_some() && stated != found {
                return Err(broken(&"the checksum is wrong"));
            }
        }
    }
    match bytes.len() {
        n if n == wanted => Ok(bytes),
        n if n > wanted => Err(wrong_length(&format!("more than {count}"), count)),
        n => Err(wrong_length(&format!("{} bytes, that is {}", n, n / 4), count)),
    }
}
