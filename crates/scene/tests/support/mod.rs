//! Hostile input (P22): for all bytes, reading ends soon, in a valid scene or in one error.

use std::io;
use std::time::{Duration, Instant};

use carom::DVec2;
use carom_scene::{Error, Options, Scene};

/// Returns the result if it comes within seconds. Fails otherwise.
pub(crate) fn soon<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    result
}

/// Reads bytes that may not refer to other files.
fn read(name: &str, bytes: &[u8], options: &Options) -> Result<Scene, Error> {
    carom_scene::read(name, bytes, options, &mut |_| Err(io::ErrorKind::NotFound.into()))
}

/// A file that ends early is an error at every byte, also with `skip_invalid`.
pub(crate) fn truncated_is_refused(name: &str, whole: &str) {
    let go_on = Options { skip_invalid: true, ..Options::default() };
    for end in 0..whole.len() {
        assert!(read(name, &whole.as_bytes()[..end], &go_on).is_err(), "the first {end} bytes of {name} were read");
    }
}

/// Changes up to three random bytes of files to some of `letters`. Returns how many of `rounds`
/// files were read, all with finite numbers.
pub(crate) fn changed_is_sound(name: &str, files: &[&[u8]], letters: &[u8], rounds: usize, seed: u64) -> usize {
    let mut next = random(seed);
    let mut scenes = 0;
    for round in 0..rounds {
        let mut bytes = files[round % files.len()].to_vec();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            bytes[at] = letters[next(letters.len())];
        }
        // Mostly with `skip_invalid`: one invalid object does not hide the others.
        let options = Options { skip_invalid: next(8) > 0, ..Options::default() };
        let Ok(scene) = read(name, &bytes, &options) else { continue };
        scenes += 1;
        for c in &scene.colliders {
            assert!(
                c.shape.placed(c.pose).points().all(DVec2::is_finite),
                "seed {seed:#x}, round {round} of {name}: {c:?}"
            );
        }
    }
    scenes
}

/// `SplitMix64`: the same numbers below a bound on every machine.
pub(crate) fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ z >> 31) % below as u64).unwrap()
    }
}
