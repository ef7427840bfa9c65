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

use fearless_simd::Level;
pub(crate) use fearless_simd::{
    Simd, f32x8, f64x2, f64x4, f64x8, i8x16, i16x8, i32x8, i64x8, mask32x8, mask64x2, prelude,
};

/// A computation that is generic over the SIMD level.
pub(crate) trait SimdKernel {
    /// The result.
    type Output;
    /// Computes the result. This function and all functions that it calls must be
    /// `#[inline(always)]`; otherwise they are compiled for the baseline.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Returns the best instruction set of this CPU.
///
/// Two flags limit it, to compare the results of different levels. `--cfg carom_simd_baseline`
/// selects the baseline of the target; `build.rs` sets it in builds without optimization.
/// `--cfg carom_simd_max_avx2` selects AVX2 instead of AVX-512.
#[inline(always)]
fn best_level() -> Level {
    if cfg!(carom_simd_baseline) {
        return Level::baseline();
    }
    let level = Level::try_detect().unwrap_or(Level::baseline());
    if cfg!(carom_simd_max_avx2) { limit_to_avx2(level) } else { level }
}

/// Replaces wider instruction sets by AVX2.
#[inline(always)]
fn limit_to_avx2(level: Level) -> Level {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let level = level.as_avx2().map_or(level, Level::Avx2);
    level
}

/// Runs a kernel on AVX2, or on the best instruction set of another target; the baseline if there is none.
///
/// Not on AVX-512: apart from [`batch`](crate::batch) and the search of pairs in strips, it saves less than 10 % of a
/// kernel and of an update. Every kernel would be compiled once more.
#[inline(always)]
pub(crate) fn dispatch<K: SimdKernel>(kernel: K) -> K::Output {
    run_up_to_avx2(best_level(), kernel)
}

/// [`dispatch`] with vectors of at most `bits` bits, so on the baseline if `bits` is below 256.
#[inline(always)]
pub(crate) fn dispatch_max_width<K: SimdKernel>(bits: u32, kernel: K) -> K::Output {
    run_up_to_avx2(if bits < 256 { Level::baseline() } else { best_level() }, kernel)
}

/// Runs a kernel on AVX-512. Returns the kernel as an error if the CPU has none, or if `bits` is below 512.
#[inline(always)]
pub(crate) fn dispatch_avx512<K: SimdKernel>(bits: u32, kernel: K) -> Result<K::Output, K> {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(carom_simd_baseline)))]
    if bits >= 512
        && let Some(avx512) = best_level().as_avx512()
    {
        return Ok(avx512.vectorize(
            #[inline(always)]
            || kernel.run(avx512),
        ));
    }
    let _ = bits;
    Err(kernel)
}

/// Runs a kernel on AVX2 if `level` contains it, else on the baseline of the target.
#[inline(always)]
fn run_up_to_avx2<K: SimdKernel>(level: Level, kernel: K) -> K::Output {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(carom_simd_baseline)))]
    if let Some(avx2) = level.as_avx2() {
        return avx2.vectorize(
            #[inline(always)]
            || kernel.run(avx2),
        );
    }
    #[cfg(any(not(any(target_arch = "x86", target_arch = "x86_64")), carom_simd_baseline))]
    let _ = level;
    dispatch_baseline(kernel)
}

/// Runs a kernel on the baseline of the target.
///
/// The kernel is inlined, and selections compile to no branches.
#[inline(always)]
pub(crate) fn dispatch_baseline<K: SimdKernel>(kernel: K) -> K::Output {
    // `dispatch!` would also compile the kernel for every wider instruction set, and discard the
    // result.
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2", target_feature = "fxsr"))]
    match Level::baseline().as_sse2() {
        Some(sse2) => kernel.run(sse2),
        None => unreachable!("the target has SSE2"),
    }
    #[cfg(not(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2",
        target_feature = "fxsr"
    )))]
    {
        fearless_simd::dispatch!(Level::baseline(), simd => kernel.run(simd))
    }
}

/// Returns the name of the SIMD instruction set in use. It is chosen at run time; the results are
/// the same with all of them.
///
/// ```
/// assert!(["AVX-512", "AVX2", "SSE2", "NEON", "SIMD128", "none"].contains(&carom::batch::simd_level()));
/// ```
#[must_use]
pub fn simd_level() -> &'static str {
    let level = best_level();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let name = match level {
        _ if level.as_avx512().is_some() => "AVX-512",
        _ if level.as_avx2().is_some() => "AVX2",
        _ if level.is_fallback() => "none",
        _ => "SSE2",
    };
    #[cfg(target_arch = "aarch64")]
    let name = if level.is_fallback() { "none" } else { "NEON" };
    #[cfg(target_arch = "wasm32")]
    let name = if level.is_fallback() { "none" } else { "SIMD128" };
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32")))]
    let name = if level.is_fallback() { "none" } else { "unknown" };
    name
}
