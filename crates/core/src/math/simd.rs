//! The widest vector instructions that the machine has, chosen at run time.
//!
//! A kernel is written once over [`Simd`]; it is compiled for what every machine of the target has (SSE2, NEON, SIMD128), for AVX2 and for AVX-512, and run on the
//! best one at hand. Those between (SSE4.2, which came with AVX2 a few years later) are not worth the time that compiling takes. Products and sums are never
//! contracted to one rounding, so the results have the same bits everywhere.

use fearless_simd::Level;
pub(crate) use fearless_simd::{
    Simd, f32x8, f64x2, f64x4, f64x8, i8x16, i16x8, i32x8, i64x8, mask32x8, mask64x2, prelude,
};

/// Something to compute with vectors.
pub(crate) trait SimdKernel {
    /// What comes out.
    type Output;
    /// Must be `#[inline(always)]`, and so must all that it calls.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// The best instruction set at hand. Answers are compared with those of builds with `--cfg carom_simd_baseline`, which use the one that every machine of the target has, and
/// with `--cfg carom_simd_max_avx2`, which use AVX2 where there is AVX-512.
#[inline(always)]
fn best() -> Level {
    if cfg!(carom_simd_baseline) {
        return Level::baseline();
    }
    let level = Level::try_detect().unwrap_or(Level::baseline());
    if cfg!(carom_simd_max_avx2) { at_most_avx2(level) } else { level }
}

/// AVX2 in the place of what is wider.
#[inline(always)]
fn at_most_avx2(level: Level) -> Level {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let level = level.as_avx2().map_or(level, Level::Avx2);
    level
}

/// Runs a kernel on the best instruction set at hand.
#[inline(always)]
pub(crate) fn dispatch<K: SimdKernel>(kernel: K) -> K::Output {
    on(best(), kernel)
}

/// Runs a kernel on the best instruction set at hand whose vectors are no wider than this many bits, if there is one.
#[inline(always)]
pub(crate) fn dispatch_max_width<K: SimdKernel>(bits: u32, kernel: K) -> K::Output {
    let level = best();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let level = match bits {
        512.. => level,
        256..512 => at_most_avx2(level),
        ..256 => Level::baseline(),
    };
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let _ = bits;
    on(level, kernel)
}

#[inline(always)]
fn on<K: SimdKernel>(level: Level, kernel: K) -> K::Output {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        if let Some(avx512) = level.as_avx512() {
            return avx512.vectorize(
                #[inline(always)]
                || kernel.run(avx512),
            );
        }
        if let Some(avx2) = level.as_avx2() {
            return avx2.vectorize(
                #[inline(always)]
                || kernel.run(avx2),
            );
        }
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let _ = level;
    dispatch_baseline(kernel)
}

/// Runs a kernel on the instruction set that every machine of the target has: without a call, and selections are no branches.
#[inline(always)]
pub(crate) fn dispatch_baseline<K: SimdKernel>(kernel: K) -> K::Output {
    // `dispatch!` would compile the kernel for every wider instruction set too, and discard them later.
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

/// The vector instructions that this machine has and carom uses: chosen while it runs, the answers are the same with all of them.
///
/// ```
/// assert!(["AVX-512", "AVX2", "SSE2", "NEON", "SIMD128", "none"].contains(&carom::batch::simd_level()));
/// ```
#[must_use]
pub fn simd_level() -> &'static str {
    let level = best();
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
