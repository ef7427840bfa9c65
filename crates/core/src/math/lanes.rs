//! The widest vector instructions that the machine has, chosen at run time.
//!
//! Kernels are plain loops over four numbers; compiled for several instruction sets, the same source becomes one, two or four instructions. Rust
//! never contracts a product and a sum to one rounding, so the results have the same bits everywhere.

use fearless_simd::{Level, dispatch};

/// Runs a kernel, compiled for the best instruction set at hand. It and all it calls must be `#[inline(always)]`.
#[inline(always)]
pub(crate) fn widest<R>(kernel: impl FnOnce() -> R) -> R {
    match Level::try_detect() {
        Some(level) => dispatch!(level, _ => kernel()),
        None => kernel(),
    }
}
