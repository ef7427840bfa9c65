//! Runs a SIMD kernel on a wide instruction set of the CPU, chosen at run time.
//!
//! Input: a kernel that is written once over [`Simd`]. Output: its result. On x86 it is compiled
//! for SSE2 and AVX2, and for batches and the search of pairs in strips for AVX-512 too. The sets in between,
//! such as SSE4.2, are not worth their compile time. On other targets it is compiled once, for
//! their baseline (NEON, SIMD128).
//!
//! A program that is compiled for the baseline alone would use half or a quarter of the lanes of a
//! newer CPU. A build for AVX2 alone would crash on an older CPU. Products and sums
//! are never contracted to FMA, so every level computes the same bits.
//!
//! A kernel with less work than a level test calls [`dispatch_baseline`].

use carom_simd::Baseline;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
use carom_simd::{Avx2, Avx512};
pub(crate) use carom_simd::{
    Simd, VectorLanes, f32s, f32x8, f64s, f64x2, f64x4, f64x8, i16x8, i32x8, i64x8, mask32s, mask32x8, mask64s,
    mask64x2, u32s, u64s,
};

/// A computation that is generic over the SIMD level.
pub(crate) trait SimdKernel {
    /// The result.
    type Output;
    /// Computes the result. This function and all functions that it calls must be
    /// `#[inline(always)]`; otherwise they are compiled for the baseline.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Returns AVX2 if this CPU has it.
///
/// Two flags limit the instruction set, to compare the results of different ones. `--cfg carom_simd_baseline`
/// selects the baseline of the target; `build.rs` sets it in builds without optimization.
/// `--cfg carom_simd_max_avx2` selects AVX2 instead of AVX-512.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
#[inline(always)]
fn avx2() -> Option<Avx2> {
    if cfg!(carom_simd_baseline) { None } else { Avx2::detect() }
}

/// Returns AVX-512 if this CPU has it.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
#[inline(always)]
fn avx512() -> Option<Avx512> {
    if cfg!(any(carom_simd_baseline, carom_simd_max_avx2)) { None } else { Avx512::detect() }
}

/// Runs a kernel on AVX2, or on the baseline of the target if there is none.
///
/// Not on AVX-512: apart from [`batch`](crate::batch) and the search of pairs in strips, it saves less than 10 % of a
/// kernel and of an update. Every kernel would be compiled once more.
#[inline(always)]
pub(crate) fn dispatch<K: SimdKernel>(kernel: K) -> K::Output {
    dispatch_max_width(256, kernel)
}

/// [`dispatch`] with vectors of at most `bits` bits, so on the baseline if `bits` is below 256.
#[inline(always)]
pub(crate) fn dispatch_max_width<K: SimdKernel>(bits: u32, kernel: K) -> K::Output {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2", not(carom_simd_baseline)))]
    if bits >= 256
        && let Some(avx2) = avx2()
    {
        return avx2.vectorize(
            #[inline(always)]
            || kernel.run(avx2),
        );
    }
    let _ = bits;
    dispatch_baseline(kernel)
}

/// Runs a kernel on AVX-512. Returns the kernel as an error if the CPU has none, or if `bits` is below 512.
#[inline(always)]
pub(crate) fn dispatch_avx512<K: SimdKernel>(bits: u32, kernel: K) -> Result<K::Output, K> {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2", not(carom_simd_baseline)))]
    if bits >= 512
        && let Some(avx512) = avx512()
    {
        return Ok(avx512.vectorize(
            #[inline(always)]
            || kernel.run(avx512),
        ));
    }
    let _ = bits;
    Err(kernel)
}

/// Runs a kernel on the baseline of the target.
///
/// The kernel is inlined, and selections compile to no branches.
#[inline(always)]
pub(crate) fn dispatch_baseline<K: SimdKernel>(kernel: K) -> K::Output {
    kernel.run(Baseline::new())
}

/// Returns the name of the SIMD instruction set in use. It is chosen at run time; the results are
/// the same with all of them.
///
/// ```
/// assert!(["AVX-512", "AVX2", "SSE2", "NEON", "SIMD128", "none"].contains(&carom::batch::simd_level()));
/// ```
#[must_use]
pub fn simd_level() -> &'static str {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    if avx512().is_some() {
        return Avx512::NAME;
    } else if avx2().is_some() {
        return Avx2::NAME;
    }
    Baseline::NAME
}
