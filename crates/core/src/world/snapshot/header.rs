//! Wraps serialized data in a header (name, content, version) and a checksum.
//!
//! ```text
//! 5 bytes   "carom"
//! 1 byte    S for a snapshot, R for a recording
//! 1 byte    format version
//! n bytes   data
//! 8 bytes   hash of all bytes before, little-endian
//! ```
//!
//! The hash is checked before the data are read, so damaged bytes give an error, never another
//! world.

use alloc::format;
use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};
use crate::math::codec::{Reader, Writer, damaged, hash};

/// The kind of data: its letter in the header, and the word for messages.
#[derive(Clone, Copy)]
pub(super) struct DataKind(u8, &'static str);

impl DataKind {
    pub(super) const SNAPSHOT: Self = Self(b'S', "snapshot");
    pub(super) const RECORDING: Self = Self(b'R', "recording");
}

const NAME: &[u8; 5] = b"carom";

/// The format version that is written. Version 2 adds contact margins, and a mark of colliders that were inserted since
/// the last update.
const VERSION: u8 = 2;

/// The oldest version that is read. Data of version 1 are also valid data of version 2.
const OLDEST: u8 = 1;

/// Writes name, content and version, then the data, then a hash of all of it.
pub(super) fn encode(content: DataKind, data: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut out = Writer(NAME.to_vec());
    out.byte(content.0);
    out.byte(VERSION);
    data(&mut out);
    let hash = hash(&out.0);
    out.0.extend_from_slice(&hash.to_le_bytes());
    out.0
}

/// Checks header and hash, and returns a reader of the data.
pub(super) fn decode(content: DataKind, bytes: &[u8]) -> Result<Reader<'_>, Error> {
    let Some((sealed, sum)) = bytes.split_last_chunk::<8>() else {
        return Err(damaged("there are fewer than 15 bytes"));
    };
    let mut reader = Reader::new(sealed);
    if reader.take(5)? != NAME || reader.byte()? != content.0 {
        return Err(damaged(&format!("they do not begin as a {} does", content.1)));
    }
    let version = reader.byte()?;
    if !(OLDEST..=VERSION).contains(&version) {
        let message = format!(
            "the data are of version {version}; this is carom {}, which reads versions {OLDEST} to {VERSION}",
            env!("CARGO_PKG_VERSION")
        );
        return Err(Error::new(ErrorKind::UnknownVersion, message));
    }
    if hash(sealed) != u64::from_le_bytes(*sum) {
        return Err(damaged("their hash is not the one that was stored with them"));
    }
    Ok(reader)
}
