//! SIMD128 of WebAssembly: registers of 128 bits.

use core::arch::wasm32::*;

use crate::intrinsics::{calls, every_level, functions, lanes, level_of_128_bits, registers};
use crate::level::{Of, Sealed, Simd};
use crate::pair::Pair;
use crate::registers::{Bits, Evidence, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};

level_of_128_bits! {
    /// The level of SIMD128.
    Simd128, "SIMD128", [v128, v128, v128, v128, v128, v128, v128, v128, v128] {
        swap_pairs(self: Self, x: F32x4) -> F32x4 = F32x4(i64x2_shuffle::<1, 0>(x.0, x.0));
        load_i16(self: Self, from: &[i16; 8]) -> I16x8 = I16x8(v128_load(from.as_ptr().cast()));
        load_i8(self: Self, from: &[i8; 16]) -> [I16x8; 2] = {
            let x = v128_load(from.as_ptr().cast());
            [I16x8(i16x8_extend_low_i8x16(x)), I16x8(i16x8_extend_high_i8x16(x))]
        };
        rotate_i16(self: Self, x: I16x8) -> I16x8 = I16x8(i16x8_shuffle::<1, 2, 3, 4, 5, 6, 7, 0>(x.0, x.0));
        convert_i16(self: Self, x: I16x8) -> Self::F32x8 = {
            let (low, high) = (i32x4_extend_low_i16x8(x.0), i32x4_extend_high_i16x8(x.0));
            Pair(F32x4(f32x4_convert_i32x4(low)), F32x4(f32x4_convert_i32x4(high)))
        };
        bits_of_f32(self: Self, x: Self::F32x8) -> Self::I32x8 = Pair(I32x4(x.0.0), I32x4(x.1.0));
    }
}

macro_rules! masks {
    ($($name:ident: $len:literal, $to_bits:ident, [$($lane:literal),*];)*) => {$(
        impl MaskLanes for $name {
            const LEN: usize = $len;

            calls! {
                and(other) = v128_and;
                or(other) = v128_or;
                xor(other) = v128_xor;
                not() = v128_not;
            }

            functions! {
                to_bits(self: Self) -> u64 = $to_bits(self.0).into();
                from_bits(_evidence: Evidence, bits: u64) -> Self = {
                    let lanes = u32x4($($lane),*);
                    Self(u32x4_eq(v128_and(u32x4_splat(bits as u32), lanes), lanes))
                };
            }
        }
    )*};
}

masks! {
    Mask64x2: 2, i64x2_bitmask, [1, 1, 2, 2];
    Mask32x4: 4, i32x4_bitmask, [1, 2, 4, 8];
}

macro_rules! lanes_of {
    ($($name:ident: [$element:ty; $len:literal], $mask:ident, $splat:ident, $equal:ident;)*) => {$(
        lanes!($name: [$element; $len], $mask, $splat, v128_load, v128_store {
            select(mask: $mask, a: Self, b: Self) -> Self = Self(v128_bitselect(a.0, b.0, mask.0));
            equal(self: Self, other: Self) -> $mask = $mask($equal(self.0, other.0));
        });
    )*};
}

lanes_of! {
    F64x2: [f64; 2], Mask64x2, f64x2_splat, f64x2_eq;
    F32x4: [f32; 4], Mask32x4, f32x4_splat, f32x4_eq;
    I32x4: [i32; 4], Mask32x4, i32x4_splat, i32x4_eq;
    U32x4: [u32; 4], Mask32x4, u32x4_splat, u32x4_eq;
    I64x2: [i64; 2], Mask64x2, i64x2_splat, i64x2_eq;
    U64x2: [u64; 2], Mask64x2, u64x2_splat, u64x2_eq;
}

impl Sum for F64x2 {
    calls! { add(other) = f64x2_add; }
}

impl Numbers for F64x2 {
    functions! {
        min(self: Self, other: Self) -> Self = Self(f64x2_pmin(other.0, self.0));
        max(self: Self, other: Self) -> Self = Self(f64x2_pmax(other.0, self.0));
        reduce_min(self: Self) -> f64 = f64x2_extract_lane::<0>(self.min(Self(i64x2_shuffle::<1, 1>(self.0, self.0))).0);
        reduce_max(self: Self) -> f64 = f64x2_extract_lane::<0>(self.max(Self(i64x2_shuffle::<1, 1>(self.0, self.0))).0);
    }
}

impl Floats for F64x2 {
    calls! {
        sub(other) = f64x2_sub;
        mul(other) = f64x2_mul;
        div(other) = f64x2_div;
        neg() = f64x2_neg;
        abs() = f64x2_abs;
        sqrt() = f64x2_sqrt;
    }

    functions! {
        less(self: Self, other: Self) -> Mask64x2 = Mask64x2(f64x2_lt(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask64x2 = Mask64x2(f64x2_le(self.0, other.0));
    }
}

impl Zip for F64x2 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            (Self(i64x2_shuffle::<0, 2>(self.0, other.0)), Self(i64x2_shuffle::<1, 3>(self.0, other.0)))
        };
        unzip(self: Self, other: Self) -> (Self, Self) = self.zip(other);
    }
}

/// Defines the least and the greatest of four lanes.
macro_rules! reduce32 {
    ($element:ty, $lane:ident) => {
        functions! {
            reduce_min(self: Self) -> $element = {
                let half = self.min(Self(i64x2_shuffle::<1, 1>(self.0, self.0)));
                $lane::<0>(half.min(Self(i32x4_shuffle::<1, 1, 1, 1>(half.0, half.0))).0)
            };
            reduce_max(self: Self) -> $element = {
                let half = self.max(Self(i64x2_shuffle::<1, 1>(self.0, self.0)));
                $lane::<0>(half.max(Self(i32x4_shuffle::<1, 1, 1, 1>(half.0, half.0))).0)
            };
        }
    };
}

impl Sum for F32x4 {
    calls! { add(other) = f32x4_add; }
}

impl Numbers for F32x4 {
    functions! {
        min(self: Self, other: Self) -> Self = Self(f32x4_pmin(other.0, self.0));
        max(self: Self, other: Self) -> Self = Self(f32x4_pmax(other.0, self.0));
    }

    reduce32!(f32, f32x4_extract_lane);
}

impl Floats for F32x4 {
    calls! {
        sub(other) = f32x4_sub;
        mul(other) = f32x4_mul;
        div(other) = f32x4_div;
        neg() = f32x4_neg;
        abs() = f32x4_abs;
        sqrt() = f32x4_sqrt;
    }

    functions! {
        less(self: Self, other: Self) -> Mask32x4 = Mask32x4(f32x4_lt(self.0, other.0));
        less_or_equal(self: Self, other: Self) -> Mask32x4 = Mask32x4(f32x4_le(self.0, other.0));
    }
}

impl Sum for I32x4 {
    calls! { add(other) = i32x4_add; }
}

impl Numbers for I32x4 {
    calls! {
        min(other) = i32x4_min;
        max(other) = i32x4_max;
    }

    reduce32!(i32, i32x4_extract_lane);
}

impl Sum for U32x4 {
    calls! { add(other) = i32x4_add; }
}

impl Numbers for U32x4 {
    calls! {
        min(other) = u32x4_min;
        max(other) = u32x4_max;
    }

    reduce32!(u32, u32x4_extract_lane);
}

impl Zip for U32x4 {
    functions! {
        zip(self: Self, other: Self) -> (Self, Self) = {
            (
                Self(i32x4_shuffle::<0, 4, 1, 5>(self.0, other.0)),
                Self(i32x4_shuffle::<2, 6, 3, 7>(self.0, other.0)),
            )
        };
        unzip(self: Self, other: Self) -> (Self, Self) = {
            (
                Self(i32x4_shuffle::<0, 2, 4, 6>(self.0, other.0)),
                Self(i32x4_shuffle::<1, 3, 5, 7>(self.0, other.0)),
            )
        };
    }
}

impl Sum for U64x2 {
    calls! { add(other) = i64x2_add; }
}

macro_rules! bits {
    ($($name:ident)*) => {$(
        impl Bits for $name {
            calls! {
                and(other) = v128_and;
                or(other) = v128_or;
                xor(other) = v128_xor;
            }
        }
    )*};
}

bits! { I32x4 U32x4 U64x2 }
