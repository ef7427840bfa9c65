//! AVX2: registers of 256 bits, and those of SSE2.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::sse2::{F32x4, F64x2, I16x8, I32x4, Mask64x2, U32x4, load_i16, rotate_i16};
use super::{Has, has};
use crate::intrinsics::{calls, functions, lanes, registers};
use crate::level::{Of, Sealed, Simd};
use crate::pair::Pair;
use crate::registers::{Bits, Evidence, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};

/// The level of AVX2, which most x86 CPUs since 2013 have.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Returns the token of the level if the CPU has its instructions.
    ///
    /// Without the feature `std`, it returns the token only if the program is compiled for them.
    #[inline(always)]
    #[must_use]
    pub fn detect() -> Option<Self> {
        has(Has::Avx2).then_some(Self(()))
    }

    /// Runs a function with the instructions of the level.
    ///
    /// The function and its callees must be `#[inline(always)]`. Others are compiled for the baseline.
    #[inline(always)]
    pub fn vectorize<T>(self, function: impl FnOnce() -> T) -> T {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline]
        fn run<T>(function: impl FnOnce() -> T) -> T {
            function()
        }
        // SAFETY: the token exists, so the CPU has the instructions.
        unsafe { run(function) }
    }
}

registers! {
    /// Four `f64`.
    F64x4(__m256d);
    /// Eight `f32`.
    F32x8(__m256);
    /// Eight `i32`.
    I32x8(__m256i);
    /// Eight `u32`.
    U32x8(__m256i);
    /// Four `i64`.
    I64x4(__m256i);
    /// Four `u64`.
    U64x4(__m256i);
    /// Four booleans: all bits of a lane.
    Mask64x4(__m256d);
    /// Eight booleans: all bits of a lane.
    Mask32x8(__m256);
}

macro_rules! level {
    ($($name:ident)*) => {$(
        // SAFETY: a CPU with AVX2 has the instructions.
        unsafe impl Of<Avx2> for $name {}
    )*};
}

level! { F64x4 F32x8 I32x8 U32x8 I64x4 U64x4 Mask64x4 Mask32x8 }

impl Sealed for Avx2 {}

impl Simd for Avx2 {
    const NAME: &str = "AVX2";

    type F64x2 = F64x2;
    type F64x4 = F64x4;
    type F64x8 = Pair<F64x4>;
    type F32x8 = F32x8;
    type I16x8 = I16x8;
    type I32x8 = I32x8;
    type I64x8 = Pair<I64x4>;
    type F64s = F64x4;
    type F32s = F32x8;
    type U32s = U32x8;
    type U64s = U64x4;
    type Mask64x2 = Mask64x2;
    type Mask64x8 = Pair<Mask64x4>;
    type Mask32x8 = Mask32x8;
    type Mask64s = Mask64x4;
    type Mask32s = Mask32x8;

    functions! {
        concat(self: Self, low: F64x4, high: F64x4) -> Self::F64x8 = Pair(low, high);
        swap_pairs(self: Self, x: F32x8) -> F32x8 = F32x8(_mm256_permute_ps::<0b01_00_11_10>(x.0));
        load_i16(self: Self, from: &[i16; 8]) -> I16x8 = load_i16(from);
        load_i8(self: Self, from: &[i8; 16]) -> [I16x8; 2] = load_i8(from);
        rotate_i16(self: Self, x: I16x8) -> I16x8 = rotate_i16(x);
        convert_i16(self: Self, x: I16x8) -> F32x8 = convert_i16(x);
        bits_of_f32(self: Self, x: F32x8) -> I32x8 = I32x8(_mm256_castps_si256(x.0));
    }
}

functions! {
    pub(super) load_i8(from: &[i8; 16]) -> [I16x8; 2] = {
        let x = _mm_loadu_si128(from.as_ptr().cast());
        [I16x8(_mm_cvtepi8_epi16(x)), I16x8(_mm_cvtepi8_epi16(_mm_unpackhi_epi64(x, x)))]
    };
    pub(super) convert_i16(x: I16x8) -> F32x8 = F32x8(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(x.0)));
    select_bits(mask: __m256i, a: __m256i, b: __m256i) -> __m256i = _mm256_blendv_epi8(b, a, mask);
}

impl MaskLanes for Mask64x4 {
    const LEN: usize = 4;

    calls! {
        and(other) = _mm256_and_pd;
        or(other) = _mm256_or_pd;
        xor(other) = _mm256_xor_pd;
    }

    functions! {
        not(self: Self) -> Self = Self(_mm256_xor_pd(self.0, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))));
        to_bits(self: Self) -> u64 = _mm256_movemask_pd(self.0) as u64;
        from_bits(_evidence: Evidence, bits: u64) -> Self = {
            let lanes = _mm256_set_epi64x(8, 4, 2, 1);
            let set = _mm256_and_si256(_mm256_set1_epi64x(bits as i64), lanes);
            Self(_mm256_castsi256_pd(_mm256_cmpeq_epi64(set, lanes)))
        };
    }
}

impl MaskLanes for Mask32x8 {
    const LEN: usize = 8;

    calls! {
        and(other) = _mm256_and_ps;
        or(other) = _mm256_or_ps;
        xor(other) = _mm256_xor_ps;
    }

    functions! {
        not(self: Self) -> Self = Self(_mm256_xor_ps(self.0, _mm256_castsi256_ps(_mm256_set1_epi64x(-1))));
        to_bits(self: Self) -> u64 = _mm256_movemask_ps(self.0) as u64 & 255;
        from_bits(_evidence: Evidence, bits: u64) -> Self = {
            let lanes = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
            let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lanes);
            Self(_mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lanes)))
        };
    }
}

/// For each mask of eight lanes: the selected lanes, in order.
const SELECTED: [[u8; 8]; 256] = {
    let (mut table, mut mask) = ([[0; 8]; 256], 0);
    while mask < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask][count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// For each mask of four lanes: both halves of the selected lanes, in order.
const SELECTED_HALVES: [[u8; 8]; 16] = {
    let (mut table, mut mask) = ([[0; 8]; 16], 0);
    while mask < 16 {
        let mut i = 0;
        while i < 8 {
            table[mask][i] = 2 * SELECTED[mask][i / 2] + i as u8 % 2;
            i += 1;
        }
        mask += 1;
    }
    table
};

functions! {
    compress_32(x: __m256i, mask: Mask32x8) -> __m256i = permute(x, &SELECTED[mask.to_bits() as usize % 256]);
    compress_64(x: __m256i, mask: Mask64x4) -> __m256i = permute(x, &SELECTED_HALVES[mask.to_bits() as usize % 16]);
    permute(x: __m256i, lanes: &[u8; 8]) -> __m256i = {
        _mm256_permutevar8x32_epi32(x, _mm256_cvtepu8_epi32(_mm_loadl_epi64(lanes.as_ptr().cast())))
    };
}

lanes!(F64x4: [f64; 4], Mask64x4, _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd {
    select(mask: Mask64x4, a: Self, b: Self) -> Self = Self(_mm256_blendv_pd(b.0, a.0, mask.0));
    equal(self: Self, other: Self) -> Mask64x4 = Mask64x4(_mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, other.0));
    compress(self: Self, mask: Mask64x4) -> Self = {
        Self(_mm256_castsi256_pd(compress_64(_mm256_castpd_si256(self.0), mask)))
    };
});

impl F64x4 {
    functions! {
        halves(self: Self) -> (F64x2, F64x2) = {
            (F64x2(_mm256_castpd256_pd128(self.0)), F64x2(_mm256_extractf128_pd::<1>(self.0)))
        };
    }
}

impl Sum for F64x4 {
    calls! { add(other) = _mm256_add_pd; }
}

impl Numbers for F64x4 {
    calls! {
        min(other) = _mm256_min_pd;
        max(other) = _mm256_max_pd;
    }

    functions! {
        reduce_min(self: Self) -> f64 = self.halves().0.min(self.halves().1).reduce_min();
        reduce_max(self: Self) -> f64 = self.halves().0.max(self.halves().1).reduce_max();
    }
}

impl Floats for F64x4 {
    calls! {
        sub(other) = _mm256_sub_pd;
        mul(other) = _mm256_mul_pd;
        div(other) = _mm256_div_pd;
        sqrt() = _mm256_sqrt_pd;
    }

    functions! {
        neg(self: Self) -> Self = Self(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)));
        abs(self: Self) -> Self = Self(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0));
        less(self: Self, other: Self) -> Mask64x4 = Mask64x4(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask64x4 = Mask64x4(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0));
    }
}

impl Zip for F64x4 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            let (even, odd) = (_mm256_unpacklo_pd(self.0, other.0), _mm256_unpackhi_pd(self.0, other.0));
            (Self(_mm256_permute2f128_pd::<0x20>(even, odd)), Self(_mm256_permute2f128_pd::<0x31>(even, odd)))
        };
        unzip(self: Self, other: Self) -> (Self, Self) = {
            let (even, odd) = (_mm256_unpacklo_pd(self.0, other.0), _mm256_unpackhi_pd(self.0, other.0));
            (Self(_mm256_permute4x64_pd::<0b11_01_10_00>(even)), Self(_mm256_permute4x64_pd::<0b11_01_10_00>(odd)))
        };
    }
}

lanes!(F32x8: [f32; 8], Mask32x8, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps {
    select(mask: Mask32x8, a: Self, b: Self) -> Self = Self(_mm256_blendv_ps(b.0, a.0, mask.0));
    equal(self: Self, other: Self) -> Mask32x8 = Mask32x8(_mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0));
    compress(self: Self, mask: Mask32x8) -> Self = {
        Self(_mm256_castsi256_ps(compress_32(_mm256_castps_si256(self.0), mask)))
    };
});

impl F32x8 {
    functions! {
        halves(self: Self) -> (F32x4, F32x4) = {
            (F32x4(_mm256_castps256_ps128(self.0)), F32x4(_mm256_extractf128_ps::<1>(self.0)))
        };
    }
}

impl Sum for F32x8 {
    calls! { add(other) = _mm256_add_ps; }
}

impl Numbers for F32x8 {
    calls! {
        min(other) = _mm256_min_ps;
        max(other) = _mm256_max_ps;
    }

    functions! {
        reduce_min(self: Self) -> f32 = self.halves().0.min(self.halves().1).reduce_min();
        reduce_max(self: Self) -> f32 = self.halves().0.max(self.halves().1).reduce_max();
    }
}

impl Floats for F32x8 {
    calls! {
        sub(other) = _mm256_sub_ps;
        mul(other) = _mm256_mul_ps;
        div(other) = _mm256_div_ps;
        sqrt() = _mm256_sqrt_ps;
    }

    functions! {
        neg(self: Self) -> Self = Self(_mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)));
        abs(self: Self) -> Self = Self(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0));
        less(self: Self, other: Self) -> Mask32x8 = Mask32x8(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask32x8 = Mask32x8(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0));
    }
}

/// Implements what registers of 32-bit integers have in common. `$half` has the type of half a register.
macro_rules! integers32 {
    ($name:ident: $element:ty, $half:ident, $min:ident, $max:ident) => {
        lanes!($name: [$element; 8], Mask32x8, _mm256_set1_epi32, _mm256_loadu_si256, _mm256_storeu_si256 {
            select(mask: Mask32x8, a: Self, b: Self) -> Self = Self(select_bits(_mm256_castps_si256(mask.0), a.0, b.0));
            equal(self: Self, other: Self) -> Mask32x8 = {
                Mask32x8(_mm256_castsi256_ps(_mm256_cmpeq_epi32(self.0, other.0)))
            };
            compress(self: Self, mask: Mask32x8) -> Self = Self(compress_32(self.0, mask));
        });

        impl $name {
            functions! {
                halves(self: Self) -> ($half, $half) = {
                    ($half(_mm256_castsi256_si128(self.0)), $half(_mm256_extracti128_si256::<1>(self.0)))
                };
            }
        }

        impl Sum for $name {
            calls! { add(other) = _mm256_add_epi32; }
        }

        impl Numbers for $name {
            calls! {
                min(other) = $min;
                max(other) = $max;
            }

            functions! {
                reduce_min(self: Self) -> $element = self.halves().0.min(self.halves().1).reduce_min();
                reduce_max(self: Self) -> $element = self.halves().0.max(self.halves().1).reduce_max();
            }
        }
    };
}

integers32!(I32x8: i32, I32x4, _mm256_min_epi32, _mm256_max_epi32);
integers32!(U32x8: u32, U32x4, _mm256_min_epu32, _mm256_max_epu32);

impl Zip for U32x8 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            let (low, high) = (_mm256_unpacklo_epi32(self.0, other.0), _mm256_unpackhi_epi32(self.0, other.0));
            (Self(_mm256_permute2x128_si256::<0x20>(low, high)), Self(_mm256_permute2x128_si256::<0x31>(low, high)))
        };
        unzip(self: Self, other: Self) -> (Self, Self) = {
            let lanes = _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0);
            let (a, b) =
                (_mm256_permutevar8x32_epi32(self.0, lanes), _mm256_permutevar8x32_epi32(other.0, lanes));
            (Self(_mm256_permute2x128_si256::<0x20>(a, b)), Self(_mm256_permute2x128_si256::<0x31>(a, b)))
        };
    }
}

/// Implements what registers of 64-bit integers have in common.
macro_rules! integers64 {
    ($name:ident: $element:ty) => {
        lanes!($name: [$element; 4], Mask64x4, _mm256_set1_epi64x, _mm256_loadu_si256, _mm256_storeu_si256 {
            select(mask: Mask64x4, a: Self, b: Self) -> Self = Self(select_bits(_mm256_castpd_si256(mask.0), a.0, b.0));
            equal(self: Self, other: Self) -> Mask64x4 = {
                Mask64x4(_mm256_castsi256_pd(_mm256_cmpeq_epi64(self.0, other.0)))
            };
            compress(self: Self, mask: Mask64x4) -> Self = Self(compress_64(self.0, mask));
        });
    };
}

integers64!(I64x4: i64);
integers64!(U64x4: u64);

impl Sum for U64x4 {
    calls! { add(other) = _mm256_add_epi64; }
}

macro_rules! bits {
    ($($name:ident)*) => {$(
        impl Bits for $name {
            calls! {
                and(other) = _mm256_and_si256;
                or(other) = _mm256_or_si256;
                xor(other) = _mm256_xor_si256;
            }
        }
    )*};
}

bits! { I32x8 U32x8 U64x4 }
