//! Every chunk of the PNG specification and of its registered extensions.
use carom_scene::Format;
use carom_scene::coverage::parts;

use super::{check, treatment};

/// Computes the checksum of a chunk, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}

fn chunk(name: &str, data: &[u8]) -> Vec<u8> {
    let body = [name.as_bytes(), data].concat();
    [(data.len() as u32).to_be_bytes().to_vec(), body.clone(), crc(&body).to_be_bytes().to_vec()].concat()
}

/// Two pixels with a palette: the second is transparent.
fn image(extra: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, 2, 1);
    encoder.set_color(::png::ColorType::Indexed);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_palette(vec![0; 6]);
    encoder.set_trns(vec![255, 0]);
    encoder.write_header().unwrap().write_image_data(&[0, 1]).unwrap();
    // Signature and header.
    [&bytes[..33], extra, &bytes[33..]].concat()
}

#[test]
fn every_chunk_is_read_named_or_ignored_as_listed() {
    let base = image(&[]);
    // By the registry of the PNG development group.
    let ancillary = "cHRM cICP gAMA iCCP mDCV cLLI sBIT sRGB bKGD hIST pHYs sPLT eXIf iTXt tEXt zTXt tIME oFFs pCAL \
                     sCAL sTER gIFg gIFt gIFx dSIG acTL xyZw";
    for name in ancillary.split_whitespace() {
        let data: &[u8] = if name == "acTL" { &[0, 0, 0, 1, 0, 0, 0, 0] } else { &[] };
        check(Format::Png, ["image", name], &base, &image(&chunk(name, data)));
    }
    // Chunks that are read: without them there is no image, or another one.
    for name in ["PLTE", "tRNS", "IDAT"] {
        let at = base.windows(4).position(|w| w == name.as_bytes()).unwrap();
        let length = u32::from_be_bytes(base[at - 4..at].try_into().unwrap()) as usize;
        let without = [&base[..at - 4], &base[at + 8 + length..]].concat();
        check(Format::Png, ["image", name], &base, &without);
    }
    assert!(treatment(&base, &base).is_none() && parts(Format::Png).len() > 30);
}
