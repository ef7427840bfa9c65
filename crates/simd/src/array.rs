//! Arrays as registers, for CPUs without an instruction set of this crate.

use core::ops::Add;

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

/// Defines a function that applies an operator to each lane of two arrays.
macro_rules! operator {
    ($name:ident: $operator:tt -> $result:ty, [$($a:ident)*] [$($b:ident)*]) => {
        #[inline(always)]
        fn $name(self, [$($b),*]: Self) -> $result {
            let [$($a),*] = self;
            [$($a $operator $b),*]
        }
    };
}

/// Implements a mask as an array, with a name for each lane of one and of another.
macro_rules! masks {
    ($($len:literal: [$($a:ident)*] [$($b:ident)*] [$($lane:literal)*];)*) => {$(
        impl MaskLanes for [bool; $len] {
            const LEN: usize = $len;

            operator!(and: & -> Self, [$($a)*] [$($b)*]);
            operator!(or: | -> Self, [$($a)*] [$($b)*]);
            operator!(xor: ^ -> Self, [$($a)*] [$($b)*]);

            #[inline(always)]
            fn not(self) -> Self {
                let [$($a),*] = self;
                [$(!$a),*]
            }

            #[inline(always)]
            fn to_bits(self) -> u64 {
                let [$($a),*] = self;
                $(u64::from($a) << $lane)|*
            }

            #[inline(always)]
            fn from_bits(_: Evidence, bits: u64) -> Self {
                [$(bits >> $lane & 1 == 1),*]
            }
        }
    )*};
}

masks! {
    2: [a b] [e f] [0 1];
    4: [a b c d] [e f g h] [0 1 2 3];
}

/// Implements lanes as an array. Loops over lanes would be longer code where the compiler optimizes for size.
macro_rules! lanes {
    ($($number:ident $len:literal: [$($a:ident)*] [$($b:ident)*] [$($m:ident)*];)*) => {$(
        // SAFETY: an array has this layout.
        unsafe impl Lanes for [$number; $len] {
            type Element = $number;
            type Mask = [bool; $len];
            const LEN: usize = $len;

            #[inline(always)]
            fn splat(_: Evidence, x: $number) -> Self {
                [x; $len]
            }

            #[inline(always)]
            fn load(_: Evidence, from: &[$number]) -> Self {
                from.try_into().expect("as many numbers as lanes")
            }

            #[inline(always)]
            fn store(self, to: &mut [$number]) {
                to.copy_from_slice(&self);
            }

            #[inline(always)]
            fn select([$($m),*]: Self::Mask, [$($a),*]: Self, [$($b),*]: Self) -> Self {
                [$(if $m { $a } else { $b }),*]
            }

            operator!(equal: == -> Self::Mask, [$($a)*] [$($b)*]);
        }
    )*};
}

lanes! {
    f64 2: [a b] [e f] [m n];
    f32 4: [a b c d] [e f g h] [m n o p];
    i32 4: [a b c d] [e f g h] [m n o p];
    u32 4: [a b c d] [e f g h] [m n o p];
    i64 2: [a b] [e f] [m n];
    u64 2: [a b] [e f] [m n];
}

/// Implements sums and orders. `$add` adds two numbers.
macro_rules! numbers {
    ($($number:ident $len:literal: [$($a:ident)*] [$($b:ident)*], $add:expr;)*) => {$(
        impl Sum for [$number; $len] {
            #[inline(always)]
            fn add(self, [$($b),*]: Self) -> Self {
                let [$($a),*] = self;
                [$($add($a, $b)),*]
            }
        }

        impl Numbers for [$number; $len] {
            #[inline(always)]
            fn min(self, [$($b),*]: Self) -> Self {
                let [$($a),*] = self;
                [$(if $a < $b { $a } else { $b }),*]
            }

            #[inline(always)]
            fn max(self, [$($b),*]: Self) -> Self {
                let [$($a),*] = self;
                [$(if $a > $b { $a } else { $b }),*]
            }

            #[inline(always)]
            fn reduce_min(self) -> $number {
                reduce(self, |a, b| if a < b { a } else { b })
            }

            #[inline(always)]
            fn reduce_max(self) -> $number {
                reduce(self, |a, b| if a > b { a } else { b })
            }
        }
    )*};
}

numbers! {
    f64 2: [a b] [e f], Add::add;
    f32 4: [a b c d] [e f g h], Add::add;
    i32 4: [a b c d] [e f g h], i32::wrapping_add;
    u32 4: [a b c d] [e f g h], u32::wrapping_add;
    u64 2: [a b] [e f], u64::wrapping_add;
}

/// Combines the low half of the lanes with the high half, until one lane is left.
#[inline(always)]
fn reduce<T: Copy>(mut lanes: impl AsMut<[T]>, combine: impl Fn(T, T) -> T) -> T {
    let lanes = lanes.as_mut();
    let mut half = lanes.len() / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] = combine(lanes[i], lanes[i + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// Implements arithmetic of floating-point numbers.
macro_rules! floats {
    ($($number:ident $len:literal: [$($a:ident)*] [$($b:ident)*], $sqrt:path;)*) => {$(
        impl Floats for [$number; $len] {
            operator!(sub: - -> Self, [$($a)*] [$($b)*]);
            operator!(mul: * -> Self, [$($a)*] [$($b)*]);
            operator!(div: / -> Self, [$($a)*] [$($b)*]);

            #[inline(always)]
            fn neg(self) -> Self {
                let [$($a),*] = self;
                [$(-$a),*]
            }

            #[inline(always)]
            fn abs(self) -> Self {
                let [$($a),*] = self;
                [$($a.abs()),*]
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                let [$($a),*] = self;
                [$($sqrt($a)),*]
            }

            operator!(less: < -> Self::Mask, [$($a)*] [$($b)*]);
            operator!(less_or_equal: <= -> Self::Mask, [$($a)*] [$($b)*]);
        }
    )*};
}

floats! {
    f64 2: [a b] [e f], libm::sqrt;
    f32 4: [a b c d] [e f g h], libm::sqrtf;
}

/// Implements operations on bits.
macro_rules! bits {
    ($($number:ident $len:literal: [$($a:ident)*] [$($b:ident)*];)*) => {$(
        impl Bits for [$number; $len] {
            operator!(and: & -> Self, [$($a)*] [$($b)*]);
            operator!(or: | -> Self, [$($a)*] [$($b)*]);
            operator!(xor: ^ -> Self, [$($a)*] [$($b)*]);
        }
    )*};
}

bits! {
    i32 4: [a b c d] [e f g h];
    u32 4: [a b c d] [e f g h];
    u64 2: [a b] [e f];
}

impl Zip for [f64; 2] {
    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        ([self[0], other[0]], [self[1], other[1]])
    }

    #[inline(always)]
    fn unzip(self, other: Self) -> (Self, Self) {
        self.zip(other)
    }
}

impl Zip for [u32; 4] {
    #[inline(always)]
    fn zip(self, [e, f, g, h]: Self) -> (Self, Self) {
        let [a, b, c, d] = self;
        ([a, e, b, f], [c, g, d, h])
    }

    #[inline(always)]
    fn unzip(self, [e, f, g, h]: Self) -> (Self, Self) {
        let [a, b, c, d] = self;
        ([a, c, e, g], [b, d, f, h])
    }
}
