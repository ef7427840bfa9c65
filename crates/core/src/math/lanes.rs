//! The widest vector instructions that the machine has, chosen at run time.
//!
//! A kernel is written once over [`Simd`]; it is compiled for every instruction set and run on the best one at hand. Products and sums are never
//! contracted to one rounding, so the results have the same bits everywhere.

use fearless_simd::{Level, dispatch};
pub(crate) use fearless_simd::{Simd, f32x8, f64x2, f64x4, mask64x2, prelude};

/// Something to compute with vectors.
pub(crate) trait Kernel {
    /// What comes out.
    type Output;
    /// Must be `#[inline(always)]`, and so must all that it calls.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs a kernel on the best instruction set at hand.
#[inline(always)]
pub(crate) fn widest<K: Kernel>(kernel: K) -> K::Output {
    dispatch!(Level::try_detect().unwrap_or(Level::baseline()), simd => kernel.run(simd))
}

/// Runs a kernel on the instruction set that every machine of the target has: without a call, and selections are no branches.
#[inline(always)]
pub(crate) fn common<K: Kernel>(kernel: K) -> K::Output {
    dispatch!(Level::baseline(), simd => kernel.run(simd))
}
