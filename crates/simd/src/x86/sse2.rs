//! SSE2, which every x86-64 CPU has: registers of 128 bits.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::intrinsics::{calls, every_level, functions, lanes, level_of_128_bits, registers};
use crate::level::{Of, Sealed, Simd};
use crate::pair::Pair;
use crate::registers::{Bits, Evidence, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};

level_of_128_bits! {
    /// The level of SSE2.
    Sse2, "SSE2", [__m128d, __m128, __m128i, __m128i, __m128i, __m128i, __m128i, __m128d, __m128] {
        swap_pairs(self: Self, x: F32x4) -> F32x4 = F32x4(_mm_shuffle_ps::<0b01_00_11_10>(x.0, x.0));
        load_i16(self: Self, from: &[i16; 8]) -> I16x8 = load_i16(from);
        load_i8(self: Self, from: &[i8; 16]) -> [I16x8; 2] = {
            let x = _mm_loadu_si128(from.as_ptr().cast());
            [_mm_unpacklo_epi8(x, x), _mm_unpackhi_epi8(x, x)].map(|x| I16x8(_mm_srai_epi16::<8>(x)))
        };
        rotate_i16(self: Self, x: I16x8) -> I16x8 = rotate_i16(x);
        convert_i16(self: Self, x: I16x8) -> Self::F32x8 = {
            let (low, high) = (_mm_unpacklo_epi16(x.0, x.0), _mm_unpackhi_epi16(x.0, x.0));
            Pair(
                F32x4(_mm_cvtepi32_ps(_mm_srai_epi32::<16>(low))),
                F32x4(_mm_cvtepi32_ps(_mm_srai_epi32::<16>(high))),
            )
        };
        bits_of_f32(self: Self, x: Self::F32x8) -> Self::I32x8 = Pair(I32x4(_mm_castps_si128(x.0.0)), I32x4(_mm_castps_si128(x.1.0)));
    }
}

functions! {
    pub(super) load_i16(from: &[i16; 8]) -> I16x8 = I16x8(_mm_loadu_si128(from.as_ptr().cast()));
    pub(super) rotate_i16(x: I16x8) -> I16x8 = I16x8(_mm_or_si128(_mm_srli_si128::<2>(x.0), _mm_slli_si128::<14>(x.0)));
    select_bits(mask: __m128i, a: __m128i, b: __m128i) -> __m128i = {
        _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b))
    };
}

impl MaskLanes for Mask64x2 {
    const LEN: usize = 2;

    calls! {
        and(other) = _mm_and_pd;
        or(other) = _mm_or_pd;
        xor(other) = _mm_xor_pd;
    }

    functions! {
        not(self: Self) -> Self = Self(_mm_xor_pd(self.0, _mm_castsi128_pd(_mm_set1_epi32(-1))));
        to_bits(self: Self) -> u64 = _mm_movemask_pd(self.0) as u64;
        from_bits(_evidence: Evidence, bits: u64) -> Self = {
            let lanes = _mm_set_epi32(2, 2, 1, 1);
            let set = _mm_and_si128(_mm_set1_epi32(bits as i32), lanes);
            Self(_mm_castsi128_pd(_mm_cmpeq_epi32(set, lanes)))
        };
    }
}

impl MaskLanes for Mask32x4 {
    const LEN: usize = 4;

    calls! {
        and(other) = _mm_and_ps;
        or(other) = _mm_or_ps;
        xor(other) = _mm_xor_ps;
    }

    functions! {
        not(self: Self) -> Self = Self(_mm_xor_ps(self.0, _mm_castsi128_ps(_mm_set1_epi32(-1))));
        to_bits(self: Self) -> u64 = _mm_movemask_ps(self.0) as u64;
        from_bits(_evidence: Evidence, bits: u64) -> Self = {
            let lanes = _mm_set_epi32(8, 4, 2, 1);
            let set = _mm_and_si128(_mm_set1_epi32(bits as i32), lanes);
            Self(_mm_castsi128_ps(_mm_cmpeq_epi32(set, lanes)))
        };
    }
}

lanes!(F64x2: [f64; 2], Mask64x2, _mm_set1_pd, _mm_loadu_pd, _mm_storeu_pd {
    select(mask: Mask64x2, a: Self, b: Self) -> Self = {
        Self(_mm_or_pd(_mm_and_pd(mask.0, a.0), _mm_andnot_pd(mask.0, b.0)))
    };
    equal(self: Self, other: Self) -> Mask64x2 = Mask64x2(_mm_cmpeq_pd(self.0, other.0));
});

impl Sum for F64x2 {
    calls! { add(other) = _mm_add_pd; }
}

impl Numbers for F64x2 {
    calls! {
        min(other) = _mm_min_pd;
        max(other) = _mm_max_pd;
    }

    functions! {
        reduce_min(self: Self) -> f64 = _mm_cvtsd_f64(_mm_min_pd(self.0, _mm_unpackhi_pd(self.0, self.0)));
        reduce_max(self: Self) -> f64 = _mm_cvtsd_f64(_mm_max_pd(self.0, _mm_unpackhi_pd(self.0, self.0)));
    }
}

impl Floats for F64x2 {
    calls! {
        sub(other) = _mm_sub_pd;
        mul(other) = _mm_mul_pd;
        div(other) = _mm_div_pd;
        sqrt() = _mm_sqrt_pd;
    }

    functions! {
        neg(self: Self) -> Self = Self(_mm_xor_pd(self.0, _mm_set1_pd(-0.0)));
        abs(self: Self) -> Self = Self(_mm_andnot_pd(_mm_set1_pd(-0.0), self.0));
        less(self: Self, other: Self) -> Mask64x2 = Mask64x2(_mm_cmplt_pd(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask64x2 = Mask64x2(_mm_cmple_pd(self.0, other.0));
    }
}

impl Zip for F64x2 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            (Self(_mm_unpacklo_pd(self.0, other.0)), Self(_mm_unpackhi_pd(self.0, other.0)))
        };
        unzip(self: Self, other: Self) -> (Self, Self) = self.zip(other);
    }
}

lanes!(F32x4: [f32; 4], Mask32x4, _mm_set1_ps, _mm_loadu_ps, _mm_storeu_ps {
    select(mask: Mask32x4, a: Self, b: Self) -> Self = {
        Self(_mm_or_ps(_mm_and_ps(mask.0, a.0), _mm_andnot_ps(mask.0, b.0)))
    };
    equal(self: Self, other: Self) -> Mask32x4 = Mask32x4(_mm_cmpeq_ps(self.0, other.0));
});

impl Sum for F32x4 {
    calls! { add(other) = _mm_add_ps; }
}

impl Numbers for F32x4 {
    calls! {
        min(other) = _mm_min_ps;
        max(other) = _mm_max_ps;
    }

    functions! {
        reduce_min(self: Self) -> f32 = {
            let half = _mm_min_ps(self.0, _mm_movehl_ps(self.0, self.0));
            _mm_cvtss_f32(_mm_min_ps(half, _mm_shuffle_ps::<1>(half, half)))
        };
        reduce_max(self: Self) -> f32 = {
            let half = _mm_max_ps(self.0, _mm_movehl_ps(self.0, self.0));
            _mm_cvtss_f32(_mm_max_ps(half, _mm_shuffle_ps::<1>(half, half)))
        };
    }
}

impl Floats for F32x4 {
    calls! {
        sub(other) = _mm_sub_ps;
        mul(other) = _mm_mul_ps;
        div(other) = _mm_div_ps;
        sqrt() = _mm_sqrt_ps;
    }

    functions! {
        neg(self: Self) -> Self = Self(_mm_xor_ps(self.0, _mm_set1_ps(-0.0)));
        abs(self: Self) -> Self = Self(_mm_andnot_ps(_mm_set1_ps(-0.0), self.0));
        less(self: Self, other: Self) -> Mask32x4 = Mask32x4(_mm_cmplt_ps(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask32x4 = Mask32x4(_mm_cmple_ps(self.0, other.0));
    }
}

/// Implements what registers of 32-bit integers have in common. The order is that of `i32` after `$flip`.
macro_rules! integers32 {
    ($name:ident: $element:ty, $flip:expr) => {
        lanes!($name: [$element; 4], Mask32x4, _mm_set1_epi32, _mm_loadu_si128, _mm_storeu_si128 {
            select(mask: Mask32x4, a: Self, b: Self) -> Self = Self(select_bits(_mm_castps_si128(mask.0), a.0, b.0));
            equal(self: Self, other: Self) -> Mask32x4 = Mask32x4(_mm_castsi128_ps(_mm_cmpeq_epi32(self.0, other.0)));
        });

        impl Sum for $name {
            calls! { add(other) = _mm_add_epi32; }
        }

        impl $name {
            functions! {
                is_less(self: Self, other: Self) -> __m128i = {
                    let flip = _mm_set1_epi32($flip);
                    _mm_cmplt_epi32(_mm_xor_si128(self.0, flip), _mm_xor_si128(other.0, flip))
                };
            }
        }

        impl Numbers for $name {
            functions! {
                min(self: Self, other: Self) -> Self = Self(select_bits(self.is_less(other), self.0, other.0));
                max(self: Self, other: Self) -> Self = Self(select_bits(self.is_less(other), other.0, self.0));
                reduce_min(self: Self) -> $element = {
                    let half = self.min(Self(_mm_shuffle_epi32::<0b01_00_11_10>(self.0)));
                    _mm_cvtsi128_si32(half.min(Self(_mm_shuffle_epi32::<1>(half.0))).0) as $element
                };
                reduce_max(self: Self) -> $element = {
                    let half = self.max(Self(_mm_shuffle_epi32::<0b01_00_11_10>(self.0)));
                    _mm_cvtsi128_si32(half.max(Self(_mm_shuffle_epi32::<1>(half.0))).0) as $element
                };
            }
        }
    };
}

integers32!(I32x4: i32, 0);
integers32!(U32x4: u32, i32::MIN);

impl Zip for U32x4 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            (Self(_mm_unpacklo_epi32(self.0, other.0)), Self(_mm_unpackhi_epi32(self.0, other.0)))
        };
        unzip(self: Self, other: Self) -> (Self, Self) = {
            let (a, b) = (_mm_castsi128_ps(self.0), _mm_castsi128_ps(other.0));
            (
                Self(_mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(a, b))),
                Self(_mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(a, b))),
            )
        };
    }
}

/// Implements what registers of 64-bit integers have in common.
macro_rules! integers64 {
    ($name:ident: $element:ty) => {
        lanes!($name: [$element; 2], Mask64x2, _mm_set1_epi64x, _mm_loadu_si128, _mm_storeu_si128 {
            select(mask: Mask64x2, a: Self, b: Self) -> Self = Self(select_bits(_mm_castpd_si128(mask.0), a.0, b.0));
            equal(self: Self, other: Self) -> Mask64x2 = {
                let halves = _mm_cmpeq_epi32(self.0, other.0);
                Mask64x2(_mm_castsi128_pd(_mm_and_si128(halves, _mm_shuffle_epi32::<0b10_11_00_01>(halves))))
            };
        });
    };
}

integers64!(I64x2: i64);
integers64!(U64x2: u64);

impl Sum for U64x2 {
    calls! { add(other) = _mm_add_epi64; }
}

macro_rules! bits {
    ($($name:ident)*) => {$(
        impl Bits for $name {
            calls! {
                and(other) = _mm_and_si128;
                or(other) = _mm_or_si128;
                xor(other) = _mm_xor_si128;
            }
        }
    )*};
}

bits! { I32x4 U32x4 U64x2 }
