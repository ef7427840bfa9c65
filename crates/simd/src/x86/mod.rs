//! The instruction sets of x86: SSE2, AVX2 and AVX-512.

mod avx2;
mod avx512;
mod sse2;

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

pub use avx2::Avx2;
pub use avx512::Avx512;
pub use sse2::Sse2;

/// The levels above the baseline that a CPU has.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
#[repr(u8)]
enum Has {
    /// Not tested yet.
    Unknown,
    /// None.
    Baseline,
    Avx2,
    Avx512,
}

/// The result of [`test`], a [`Has`].
static HAS: AtomicU8 = AtomicU8::new(Has::Unknown as u8);

/// Returns true if the CPU has a level. After the first call this is one load and one comparison.
#[inline(always)]
fn has(level: Has) -> bool {
    let known = HAS.load(Relaxed);
    (if known == Has::Unknown as u8 { test() } else { known }) >= level as u8
}

/// Tests the CPU and stores the result.
///
/// Without the feature `std`, the result is what the program is compiled for.
#[cold]
#[inline(never)]
fn test() -> u8 {
    macro_rules! all {
        ($($feature:tt)*) => {{
            #[cfg(feature = "std")]
            let all = $(std::is_x86_feature_detected!($feature))&&*;
            #[cfg(not(feature = "std"))]
            let all = cfg!(all($(target_feature = $feature),*));
            all
        }};
    }
    let has_avx2 = all!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt");
    // AVX-512 implies FMA and F16C for the compiler.
    let has_avx512 = all!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "avx512vbmi2" "fma" "f16c");
    let level = match (has_avx2, has_avx512) {
        (false, _) => Has::Baseline,
        (true, false) => Has::Avx2,
        (true, true) => Has::Avx512,
    };
    HAS.store(level as u8, Relaxed);
    level as u8
}
