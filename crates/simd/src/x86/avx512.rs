//! AVX-512 as in Ice Lake: registers of 512 bits, masks in registers of their own, and all of AVX2.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::avx2::{F32x8, F64x4, I32x8, I64x4, Mask32x8, Mask64x4, U32x8, U64x4, convert_i16, load_i8};
use super::sse2::{F64x2, I16x8, Mask64x2, load_i16, rotate_i16};
use super::{Has, has};
use crate::intrinsics::{calls, functions, lanes, registers};
use crate::level::{Of, Sealed, Simd};
use crate::registers::{Bits, Evidence, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};

/// The level of AVX-512. Older CPUs, which slow down at 512 bits, do not count.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// Returns the token of the level if the CPU has its instructions.
    ///
    /// Without the feature `std`, it returns the token only if the program is compiled for them.
    #[inline(always)]
    #[must_use]
    pub fn detect() -> Option<Self> {
        has(Has::Avx512).then_some(Self(()))
    }

    /// Runs a function with the instructions of the level.
    ///
    /// The function and its callees must be `#[inline(always)]`. Others are compiled for the baseline.
    #[inline(always)]
    pub fn vectorize<T>(self, function: impl FnOnce() -> T) -> T {
        #[target_feature(
            enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2"
        )]
        #[inline]
        fn run<T>(function: impl FnOnce() -> T) -> T {
            function()
        }
        // SAFETY: the token exists, so the CPU has the instructions.
        unsafe { run(function) }
    }
}

registers! {
    /// Eight `f64`.
    F64x8(__m512d);
    /// Sixteen `f32`.
    F32x16(__m512);
    /// Sixteen `u32`.
    U32x16(__m512i);
    /// Eight `i64`.
    I64x8(__m512i);
    /// Eight `u64`.
    U64x8(__m512i);
    /// Eight booleans: a bit each.
    Mask8(__mmask8);
    /// Sixteen booleans: a bit each.
    Mask16(__mmask16);
}

macro_rules! level {
    ($($name:ident)*) => {$(
        // SAFETY: a CPU with AVX-512 has the instructions, and those of AVX2.
        unsafe impl Of<Avx512> for $name {}
    )*};
}

level! { F64x8 F32x16 U32x16 I64x8 U64x8 Mask8 Mask16 }
level! { F64x4 F32x8 I32x8 U32x8 I64x4 U64x4 Mask64x4 Mask32x8 }

impl Sealed for Avx512 {}

impl Simd for Avx512 {
    const NAME: &str = "AVX-512";

    type F64x2 = F64x2;
    type F64x4 = F64x4;
    type F64x8 = F64x8;
    type F32x8 = F32x8;
    type I16x8 = I16x8;
    type I32x8 = I32x8;
    type I64x8 = I64x8;
    type F64s = F64x8;
    type F32s = F32x16;
    type U32s = U32x16;
    type U64s = U64x8;
    type Mask64x2 = Mask64x2;
    type Mask64x8 = Mask8;
    type Mask32x8 = Mask32x8;
    type Mask64s = Mask8;
    type Mask32s = Mask16;

    functions! {
        concat(self: Self, low: F64x4, high: F64x4) -> F64x8 = {
            F64x8(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low.0), high.0))
        };
        swap_pairs(self: Self, x: F32x16) -> F32x16 = F32x16(_mm512_permute_ps::<0b01_00_11_10>(x.0));
        load_i16(self: Self, from: &[i16; 8]) -> I16x8 = load_i16(from);
        load_i8(self: Self, from: &[i8; 16]) -> [I16x8; 2] = load_i8(from);
        rotate_i16(self: Self, x: I16x8) -> I16x8 = rotate_i16(x);
        convert_i16(self: Self, x: I16x8) -> F32x8 = convert_i16(x);
        bits_of_f32(self: Self, x: F32x8) -> I32x8 = I32x8(_mm256_castps_si256(x.0));
    }
}

macro_rules! masks {
    ($($name:ident: $raw:ty, $len:literal;)*) => {$(
        impl MaskLanes for $name {
            const LEN: usize = $len;

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                Self(self.0 ^ other.0)
            }

            #[inline(always)]
            fn not(self) -> Self {
                Self(!self.0)
            }

            #[inline(always)]
            fn to_bits(self) -> u64 {
                self.0.into()
            }

            #[inline(always)]
            fn from_bits(_: Evidence, bits: u64) -> Self {
                Self(bits as $raw)
            }
        }
    )*};
}

masks! {
    Mask8: __mmask8, 8;
    Mask16: __mmask16, 16;
}

lanes!(F64x8: [f64; 8], Mask8, _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd {
    select(mask: Mask8, a: Self, b: Self) -> Self = Self(_mm512_mask_blend_pd(mask.0, b.0, a.0));
    equal(self: Self, other: Self) -> Mask8 = Mask8(_mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self.0, other.0));
    compress(self: Self, mask: Mask8) -> Self = Self(_mm512_maskz_compress_pd(mask.0, self.0));
});

impl Sum for F64x8 {
    calls! { add(other) = _mm512_add_pd; }
}

impl F64x8 {
    functions! {
        halves(self: Self) -> (F64x4, F64x4) = {
            (F64x4(_mm512_castpd512_pd256(self.0)), F64x4(_mm512_extractf64x4_pd::<1>(self.0)))
        };
    }
}

impl Numbers for F64x8 {
    calls! {
        min(other) = _mm512_min_pd;
        max(other) = _mm512_max_pd;
    }

    functions! {
        reduce_min(self: Self) -> f64 = self.halves().0.min(self.halves().1).reduce_min();
        reduce_max(self: Self) -> f64 = self.halves().0.max(self.halves().1).reduce_max();
    }
}

impl Floats for F64x8 {
    calls! {
        sub(other) = _mm512_sub_pd;
        mul(other) = _mm512_mul_pd;
        div(other) = _mm512_div_pd;
        sqrt() = _mm512_sqrt_pd;
        abs() = _mm512_abs_pd;
    }

    functions! {
        neg(self: Self) -> Self = Self(_mm512_xor_pd(self.0, _mm512_set1_pd(-0.0)));
        less(self: Self, other: Self) -> Mask8 = Mask8(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask8 = Mask8(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0));
    }
}

impl Zip for F64x8 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            let (low, high) = (_mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4));
            (
                Self(_mm512_permutex2var_pd(self.0, low, other.0)),
                Self(_mm512_permutex2var_pd(self.0, high, other.0)),
            )
        };
        unzip(self: Self, other: Self) -> (Self, Self) = {
            let (even, odd) = (_mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0), _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1));
            (
                Self(_mm512_permutex2var_pd(self.0, even, other.0)),
                Self(_mm512_permutex2var_pd(self.0, odd, other.0)),
            )
        };
    }
}

lanes!(F32x16: [f32; 16], Mask16, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps {
    select(mask: Mask16, a: Self, b: Self) -> Self = Self(_mm512_mask_blend_ps(mask.0, b.0, a.0));
    equal(self: Self, other: Self) -> Mask16 = Mask16(_mm512_cmp_ps_mask::<_CMP_EQ_OQ>(self.0, other.0));
    compress(self: Self, mask: Mask16) -> Self = Self(_mm512_maskz_compress_ps(mask.0, self.0));
});

impl Sum for F32x16 {
    calls! { add(other) = _mm512_add_ps; }
}

impl F32x16 {
    functions! {
        halves(self: Self) -> (F32x8, F32x8) = {
            (F32x8(_mm512_castps512_ps256(self.0)), F32x8(_mm512_extractf32x8_ps::<1>(self.0)))
        };
    }
}

impl Numbers for F32x16 {
    calls! {
        min(other) = _mm512_min_ps;
        max(other) = _mm512_max_ps;
    }

    functions! {
        reduce_min(self: Self) -> f32 = self.halves().0.min(self.halves().1).reduce_min();
        reduce_max(self: Self) -> f32 = self.halves().0.max(self.halves().1).reduce_max();
    }
}

impl Floats for F32x16 {
    calls! {
        sub(other) = _mm512_sub_ps;
        mul(other) = _mm512_mul_ps;
        div(other) = _mm512_div_ps;
        sqrt() = _mm512_sqrt_ps;
        abs() = _mm512_abs_ps;
    }

    functions! {
        neg(self: Self) -> Self = Self(_mm512_xor_ps(self.0, _mm512_set1_ps(-0.0)));
        less(self: Self, other: Self) -> Mask16 = Mask16(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask16 = Mask16(_mm512_cmp_ps_mask::<_CMP_LE_OQ>(self.0, other.0));
    }
}

lanes!(U32x16: [u32; 16], Mask16, _mm512_set1_epi32, _mm512_loadu_si512, _mm512_storeu_si512 {
    select(mask: Mask16, a: Self, b: Self) -> Self = Self(_mm512_mask_blend_epi32(mask.0, b.0, a.0));
    equal(self: Self, other: Self) -> Mask16 = Mask16(_mm512_cmpeq_epi32_mask(self.0, other.0));
    compress(self: Self, mask: Mask16) -> Self = Self(_mm512_maskz_compress_epi32(mask.0, self.0));
});

impl Sum for U32x16 {
    calls! { add(other) = _mm512_add_epi32; }
}

impl Numbers for U32x16 {
    calls! {
        min(other) = _mm512_min_epu32;
        max(other) = _mm512_max_epu32;
    }

    functions! {
        reduce_min(self: Self) -> u32 = _mm512_reduce_min_epu32(self.0);
        reduce_max(self: Self) -> u32 = _mm512_reduce_max_epu32(self.0);
    }
}

impl Zip for U32x16 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            let low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
            let high = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
            (
                Self(_mm512_permutex2var_epi32(self.0, low, other.0)),
                Self(_mm512_permutex2var_epi32(self.0, high, other.0)),
            )
        };
        unzip(self: Self, other: Self) -> (Self, Self) = {
            let even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
            let odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
            (
                Self(_mm512_permutex2var_epi32(self.0, even, other.0)),
                Self(_mm512_permutex2var_epi32(self.0, odd, other.0)),
            )
        };
    }
}

/// Implements what registers of 64-bit integers have in common.
macro_rules! integers64 {
    ($name:ident: $element:ty) => {
        lanes!($name: [$element; 8], Mask8, _mm512_set1_epi64, _mm512_loadu_si512, _mm512_storeu_si512 {
            select(mask: Mask8, a: Self, b: Self) -> Self = Self(_mm512_mask_blend_epi64(mask.0, b.0, a.0));
            equal(self: Self, other: Self) -> Mask8 = Mask8(_mm512_cmpeq_epi64_mask(self.0, other.0));
            compress(self: Self, mask: Mask8) -> Self = Self(_mm512_maskz_compress_epi64(mask.0, self.0));
        });
    };
}

integers64!(I64x8: i64);
integers64!(U64x8: u64);

impl Sum for U64x8 {
    calls! { add(other) = _mm512_add_epi64; }
}

macro_rules! bits {
    ($($name:ident)*) => {$(
        impl Bits for $name {
            calls! {
                and(other) = _mm512_and_si512;
                or(other) = _mm512_or_si512;
                xor(other) = _mm512_xor_si512;
            }
        }
    )*};
}

bits! { U32x16 U64x8 }
