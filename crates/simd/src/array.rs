//! Arrays as registers, for CPUs without an instruction set of this crate.

use crate::level::{Of, Sealed, Simd};
use crate::pair::Pair;
use crate::registers::{Bits, Evidence, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};

/// The level without SIMD instructions.
#[derive(Clone, Copy, Debug)]
pub struct Scalar(());

impl Scalar {
    /// Returns the token of the level.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}

impl Default for Scalar {
    fn default() -> Self {
        Self::new()
    }
}

impl Sealed for Scalar {}

macro_rules! any_level {
    ($($number:ty)*) => {$(
        // SAFETY: arrays of numbers need no instructions.
        unsafe impl<S, const N: usize> Of<S> for [$number; N] {}
    )*};
}

any_level! { f64 f32 i16 i32 i64 u32 u64 bool }

impl Simd for Scalar {
    const NAME: &str = "none";

    type F64x2 = [f64; 2];
    type F64x4 = Pair<[f64; 2]>;
    type F64x8 = Pair<Pair<[f64; 2]>>;
    type F32x8 = Pair<[f32; 4]>;
    type I16x8 = [i16; 8];
    type I32x8 = Pair<[i32; 4]>;
    type I64x8 = Pair<Pair<[i64; 2]>>;
    type F64s = [f64; 2];
    type F32s = [f32; 4];
    type U32s = [u32; 4];
    type U64s = [u64; 2];
    type Mask64x2 = [bool; 2];
    type Mask32x8 = Pair<[bool; 4]>;
    type Mask64x8 = Pair<Pair<[bool; 2]>>;
    type Mask64s = [bool; 2];
    type Mask32s = [bool; 4];

    #[inline(always)]
    fn concat(self, low: Self::F64x4, high: Self::F64x4) -> Self::F64x8 {
        Pair(low, high)
    }

    #[inline(always)]
    fn swap_pairs(self, [a, b, c, d]: Self::F32s) -> Self::F32s {
        [c, d, a, b]
    }

    #[inline(always)]
    fn load_i16(self, from: &[i16; 8]) -> Self::I16x8 {
        *from
    }

    #[inline(always)]
    fn load_i8(self, from: &[i8; 16]) -> [Self::I16x8; 2] {
        [0, 8].map(|first| core::array::from_fn(|i| from[first + i].into()))
    }

    #[inline(always)]
    fn rotate_i16(self, x: Self::I16x8) -> Self::I16x8 {
        core::array::from_fn(|i| x[(i + 1) % 8])
    }

    #[inline(always)]
    fn convert_i16(self, x: Self::I16x8) -> Self::F32x8 {
        let [a, b, c, d, e, f, g, h] = x.map(f32::from);
        Pair([a, b, c, d], [e, f, g, h])
    }

    #[inline(always)]
    fn bits_of_f32(self, x: Self::F32x8) -> Self::I32x8 {
        let bits = |half: [f32; 4]| half.map(|x| x.to_bits().cast_signed());
        Pair(bits(x.0), bits(x.1))
    }
}

impl<const N: usize> MaskLanes for [bool; N] {
    const LEN: usize = N;

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] & other[i])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] | other[i])
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] ^ other[i])
    }

    #[inline(always)]
    fn not(self) -> Self {
        self.map(|lane| !lane)
    }

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.iter().rev().fold(0, |bits, &lane| bits << 1 | u64::from(lane))
    }

    #[inline(always)]
    fn from_bits(_: Evidence, bits: u64) -> Self {
        core::array::from_fn(|i| bits >> i & 1 == 1)
    }
}

// SAFETY: an array has this layout.
unsafe impl<T: Copy + Default + PartialEq, const N: usize> Lanes for [T; N] {
    type Element = T;
    type Mask = [bool; N];
    const LEN: usize = N;

    #[inline(always)]
    fn splat(_: Evidence, x: T) -> Self {
        [x; N]
    }

    #[inline(always)]
    fn load(_: Evidence, from: &[T]) -> Self {
        from.try_into().expect("as many numbers as lanes")
    }

    #[inline(always)]
    fn store(self, to: &mut [T]) {
        to.copy_from_slice(&self);
    }

    #[inline(always)]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        core::array::from_fn(|i| if mask[i] { a[i] } else { b[i] })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self::Mask {
        core::array::from_fn(|i| self[i] == other[i])
    }
}

/// Numbers of Rust whose arrays are registers.
trait Scalars: Copy + Default + PartialOrd {
    /// Returns the sum; integers wrap around.
    fn sum(self, other: Self) -> Self;
}

macro_rules! scalars {
    ($($number:ty: $add:expr;)*) => {$(
        impl Scalars for $number {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                $add(self, other)
            }
        }
    )*};
}

scalars! {
    f64: core::ops::Add::add;
    f32: core::ops::Add::add;
    i32: i32::wrapping_add;
    u32: u32::wrapping_add;
    u64: u64::wrapping_add;
}

impl<T: Scalars, const N: usize> Sum for [T; N] {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i].sum(other[i]))
    }
}

impl<T: Scalars, const N: usize> Numbers for [T; N] {
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        core::array::from_fn(|i| if self[i] < other[i] { self[i] } else { other[i] })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        core::array::from_fn(|i| if self[i] > other[i] { self[i] } else { other[i] })
    }

    #[inline(always)]
    fn reduce_min(self) -> T {
        reduce(self, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn reduce_max(self) -> T {
        reduce(self, |a, b| if a > b { a } else { b })
    }
}

/// Combines the low half of the lanes with the high half, until one lane is left.
#[inline(always)]
fn reduce<T: Copy, const N: usize>(mut lanes: [T; N], combine: impl Fn(T, T) -> T) -> T {
    let mut half = N / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] = combine(lanes[i], lanes[i + half]);
        }
        half /= 2;
    }
    lanes[0]
}

macro_rules! floats {
    ($($number:ident: $sqrt:path;)*) => {$(
        impl<const N: usize> Floats for [$number; N] {
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                core::array::from_fn(|i| self[i] - other[i])
            }

            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                core::array::from_fn(|i| self[i] * other[i])
            }

            #[inline(always)]
            fn div(self, other: Self) -> Self {
                core::array::from_fn(|i| self[i] / other[i])
            }

            #[inline(always)]
            fn neg(self) -> Self {
                self.map(|x| -x)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                self.map($number::abs)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                self.map($sqrt)
            }

            #[inline(always)]
            fn less(self, other: Self) -> Self::Mask {
                core::array::from_fn(|i| self[i] < other[i])
            }

            #[inline(always)]
            fn less_or_equal(self, other: Self) -> Self::Mask {
                core::array::from_fn(|i| self[i] <= other[i])
            }
        }
    )*};
}

floats! {
    f64: libm::sqrt;
    f32: libm::sqrtf;
}

macro_rules! bits {
    ($($number:ty)*) => {$(
        impl<const N: usize> Bits for [$number; N] {
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                core::array::from_fn(|i| self[i] & other[i])
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                core::array::from_fn(|i| self[i] | other[i])
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                core::array::from_fn(|i| self[i] ^ other[i])
            }
        }
    )*};
}

bits! { i32 u32 u64 }

impl<T: Copy + Default + PartialEq, const N: usize> Zip for [T; N] {
    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        let lane = |i: usize| if i.is_multiple_of(2) { self[i / 2] } else { other[i / 2] };
        (core::array::from_fn(lane), core::array::from_fn(|i| lane(i + N)))
    }

    #[inline(always)]
    fn unzip(self, other: Self) -> (Self, Self) {
        let lane = |i: usize| if i < N { self[i] } else { other[i - N] };
        (core::array::from_fn(|i| lane(2 * i)), core::array::from_fn(|i| lane(2 * i + 1)))
    }
}
