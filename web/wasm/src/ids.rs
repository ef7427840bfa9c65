//! Converts handles to the ids of JavaScript.

use carom::Handle;

/// An id is `slot + 2³² × generation`. Only 21 bits of the generation fit into the 53 bits of a JavaScript integer.
const GENERATIONS: u64 = (1 << 21) - 1;

/// Returns the id of a handle.
pub(crate) fn id_of(handle: Handle) -> f64 {
    let bits = handle.to_bits();
    ((bits & u64::from(u32::MAX)) | ((bits >> 32) & GENERATIONS) << 32) as f64
}
