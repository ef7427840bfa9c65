//! NEON, which every 64-bit ARM CPU has: registers of 128 bits.

use core::arch::aarch64::*;

use crate::intrinsics::{calls, every_level, functions, lanes, level_of_128_bits, registers};
use crate::level::{Of, Sealed, Simd};
use crate::pair::Pair;
use crate::registers::{Bits, Evidence, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};

level_of_128_bits! {
    /// The level of NEON.
    Neon, "NEON", [
        float64x2_t, float32x4_t, int32x4_t, uint32x4_t, int64x2_t, uint64x2_t, int16x8_t, uint64x2_t, uint32x4_t
    ] {
        swap_pairs(self: Self, x: F32x4) -> F32x4 = F32x4(vextq_f32::<2>(x.0, x.0));
        load_i16(self: Self, from: &[i16; 8]) -> I16x8 = I16x8(vld1q_s16(from.as_ptr()));
        load_i8(self: Self, from: &[i8; 16]) -> [I16x8; 2] = {
            let x = vld1q_s8(from.as_ptr());
            [I16x8(vmovl_s8(vget_low_s8(x))), I16x8(vmovl_high_s8(x))]
        };
        rotate_i16(self: Self, x: I16x8) -> I16x8 = I16x8(vextq_s16::<1>(x.0, x.0));
        convert_i16(self: Self, x: I16x8) -> Self::F32x8 = {
            let (low, high) = (vmovl_s16(vget_low_s16(x.0)), vmovl_high_s16(x.0));
            Pair(F32x4(vcvtq_f32_s32(low)), F32x4(vcvtq_f32_s32(high)))
        };
        bits_of_f32(self: Self, x: Self::F32x8) -> Self::I32x8 = {
            Pair(I32x4(vreinterpretq_s32_f32(x.0.0)), I32x4(vreinterpretq_s32_f32(x.1.0)))
        };
    }
}

impl MaskLanes for Mask64x2 {
    const LEN: usize = 2;

    calls! {
        and(other) = vandq_u64;
        or(other) = vorrq_u64;
        xor(other) = veorq_u64;
    }

    functions! {
        not(self: Self) -> Self = Self(veorq_u64(self.0, vdupq_n_u64(u64::MAX)));
        to_bits(self: Self) -> u64 = vgetq_lane_u64::<0>(self.0) & 1 | vgetq_lane_u64::<1>(self.0) & 2;
        from_bits(_evidence: Evidence, bits: u64) -> Self = {
            let lanes = vld1q_u64([1, 2].as_ptr());
            Self(vceqq_u64(vandq_u64(vdupq_n_u64(bits), lanes), lanes))
        };
    }
}

impl MaskLanes for Mask32x4 {
    const LEN: usize = 4;

    calls! {
        and(other) = vandq_u32;
        or(other) = vorrq_u32;
        xor(other) = veorq_u32;
        not() = vmvnq_u32;
    }

    functions! {
        to_bits(self: Self) -> u64 = vaddvq_u32(vandq_u32(self.0, vld1q_u32([1, 2, 4, 8].as_ptr()))).into();
        from_bits(_evidence: Evidence, bits: u64) -> Self = {
            let lanes = vld1q_u32([1, 2, 4, 8].as_ptr());
            Self(vceqq_u32(vandq_u32(vdupq_n_u32(bits as u32), lanes), lanes))
        };
    }
}

/// Implements what registers of floating-point numbers have in common.
macro_rules! floats {
    ($name:ident: [$element:ty; $len:literal], $mask:ident, $splat:ident, $load:ident, $store:ident, $select:ident,
     $equal:ident, $less:ident, $less_or_equal:ident, $reduce:ident) => {
        lanes!($name: [$element; $len], $mask, $splat, $load, $store {
            select(mask: $mask, a: Self, b: Self) -> Self = Self($select(mask.0, a.0, b.0));
            equal(self: Self, other: Self) -> $mask = $mask($equal(self.0, other.0));
        });

        // `vminq` differs for zeros of different signs and NaN.
        impl Numbers for $name {
            functions! {
                min(self: Self, other: Self) -> Self = Self::select(self.less(other), self, other);
                max(self: Self, other: Self) -> Self = Self::select(other.less(self), self, other);
                reduce_min(self: Self) -> $element = $reduce(self, Self::min);
                reduce_max(self: Self) -> $element = $reduce(self, Self::max);
            }
        }
    };
}

functions! {
    reduce64(x: F64x2, function: impl Fn(F64x2, F64x2) -> F64x2) -> f64 = {
        vgetq_lane_f64::<0>(function(x, F64x2(vextq_f64::<1>(x.0, x.0))).0)
    };
    reduce32(x: F32x4, function: impl Fn(F32x4, F32x4) -> F32x4) -> f32 = {
        let half = function(x, F32x4(vextq_f32::<2>(x.0, x.0)));
        vgetq_lane_f32::<0>(function(half, F32x4(vextq_f32::<1>(half.0, half.0))).0)
    };
}

floats!(F64x2: [f64; 2], Mask64x2, vdupq_n_f64, vld1q_f64, vst1q_f64, vbslq_f64, vceqq_f64, vcltq_f64, vcleq_f64, reduce64);
floats!(F32x4: [f32; 4], Mask32x4, vdupq_n_f32, vld1q_f32, vst1q_f32, vbslq_f32, vceqq_f32, vcltq_f32, vcleq_f32, reduce32);

impl Sum for F64x2 {
    calls! { add(other) = vaddq_f64; }
}

impl Floats for F64x2 {
    calls! {
        sub(other) = vsubq_f64;
        mul(other) = vmulq_f64;
        div(other) = vdivq_f64;
        neg() = vnegq_f64;
        abs() = vabsq_f64;
        sqrt() = vsqrtq_f64;
    }

    functions! {
        less(self: Self, other: Self) -> Mask64x2 = Mask64x2(vcltq_f64(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask64x2 = Mask64x2(vcleq_f64(self.0, other.0));
    }
}

impl Zip for F64x2 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            (Self(vzip1q_f64(self.0, other.0)), Self(vzip2q_f64(self.0, other.0)))
        };
        unzip(self: Self, other: Self) -> (Self, Self) = self.zip(other);
    }
}

impl Sum for F32x4 {
    calls! { add(other) = vaddq_f32; }
}

impl Floats for F32x4 {
    calls! {
        sub(other) = vsubq_f32;
        mul(other) = vmulq_f32;
        div(other) = vdivq_f32;
        neg() = vnegq_f32;
        abs() = vabsq_f32;
        sqrt() = vsqrtq_f32;
    }

    functions! {
        less(self: Self, other: Self) -> Mask32x4 = Mask32x4(vcltq_f32(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask32x4 = Mask32x4(vcleq_f32(self.0, other.0));
    }
}

lanes!(I32x4: [i32; 4], Mask32x4, vdupq_n_s32, vld1q_s32, vst1q_s32 {
    select(mask: Mask32x4, a: Self, b: Self) -> Self = Self(vbslq_s32(mask.0, a.0, b.0));
    equal(self: Self, other: Self) -> Mask32x4 = Mask32x4(vceqq_s32(self.0, other.0));
});

impl Sum for I32x4 {
    calls! { add(other) = vaddq_s32; }
}

impl Numbers for I32x4 {
    calls! {
        min(other) = vminq_s32;
        max(other) = vmaxq_s32;
    }

    functions! {
        reduce_min(self: Self) -> i32 = vminvq_s32(self.0);
        reduce_max(self: Self) -> i32 = vmaxvq_s32(self.0);
    }
}

impl Bits for I32x4 {
    calls! {
        and(other) = vandq_s32;
        or(other) = vorrq_s32;
        xor(other) = veorq_s32;
    }
}

lanes!(U32x4: [u32; 4], Mask32x4, vdupq_n_u32, vld1q_u32, vst1q_u32 {
    select(mask: Mask32x4, a: Self, b: Self) -> Self = Self(vbslq_u32(mask.0, a.0, b.0));
    equal(self: Self, other: Self) -> Mask32x4 = Mask32x4(vceqq_u32(self.0, other.0));
});

impl Sum for U32x4 {
    calls! { add(other) = vaddq_u32; }
}

impl Numbers for U32x4 {
    calls! {
        min(other) = vminq_u32;
        max(other) = vmaxq_u32;
    }

    functions! {
        reduce_min(self: Self) -> u32 = vminvq_u32(self.0);
        reduce_max(self: Self) -> u32 = vmaxvq_u32(self.0);
    }
}

impl Bits for U32x4 {
    calls! {
        and(other) = vandq_u32;
        or(other) = vorrq_u32;
        xor(other) = veorq_u32;
    }
}

impl Zip for U32x4 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            (Self(vzip1q_u32(self.0, other.0)), Self(vzip2q_u32(self.0, other.0)))
        };
        unzip(self: Self, other: Self) -> (Self, Self) = {
            (Self(vuzp1q_u32(self.0, other.0)), Self(vuzp2q_u32(self.0, other.0)))
        };
    }
}

lanes!(I64x2: [i64; 2], Mask64x2, vdupq_n_s64, vld1q_s64, vst1q_s64 {
    select(mask: Mask64x2, a: Self, b: Self) -> Self = Self(vbslq_s64(mask.0, a.0, b.0));
    equal(self: Self, other: Self) -> Mask64x2 = Mask64x2(vceqq_s64(self.0, other.0));
});

lanes!(U64x2: [u64; 2], Mask64x2, vdupq_n_u64, vld1q_u64, vst1q_u64 {
    select(mask: Mask64x2, a: Self, b: Self) -> Self = Self(vbslq_u64(mask.0, a.0, b.0));
    equal(self: Self, other: Self) -> Mask64x2 = Mask64x2(vceqq_u64(self.0, other.0));
});

impl Sum for U64x2 {
    calls! { add(other) = vaddq_u64; }
}

impl Bits for U64x2 {
    calls! {
        and(other) = vandq_u64;
        or(other) = vorrq_u64;
        xor(other) = veorq_u64;
    }
}
