//! Names for the vectors and masks that exist, and what only some of them can do.

use crate::level::Simd;
use crate::vector::{Mask, Vector};

macro_rules! vectors {
    ($($(#[$doc:meta])* $name:ident = $register:ident;)*) => {
        $($(#[$doc])* pub type $name<S> = Vector<S, <S as Simd>::$register>;)*
    };
}

vectors! {
    /// Two `f64`.
    f64x2 = F64x2;
    /// Four `f64`.
    f64x4 = F64x4;
    /// Eight `f64`.
    f64x8 = F64x8;
    /// Eight `f32`.
    f32x8 = F32x8;
    /// Eight `i16`.
    i16x8 = I16x8;
    /// Eight `i32`.
    i32x8 = I32x8;
    /// Eight `i64`.
    i64x8 = I64x8;
    /// As many `f64` as a register of the level has.
    f64s = F64s;
    /// As many `f32` as a register of the level has.
    f32s = F32s;
    /// As many `u32` as a register of the level has.
    u32s = U32s;
    /// As many `u64` as a register of the level has.
    u64s = U64s;
}

macro_rules! masks {
    ($($(#[$doc:meta])* $name:ident = $mask:ident;)*) => {
        $($(#[$doc])* pub type $name<S> = Mask<S, <S as Simd>::$mask>;)*
    };
}

masks! {
    /// One boolean for each lane of [`f64x2`].
    mask64x2 = Mask64x2;
    /// One boolean for each lane of [`f32x8`].
    mask32x8 = Mask32x8;
    /// One boolean for each lane of [`f64s`] and [`u64s`].
    mask64s = Mask64s;
    /// One boolean for each lane of [`f32s`] and [`u32s`].
    mask32s = Mask32s;
}

impl<S: Simd> f64x8<S> {
    /// Returns the lanes of both vectors.
    #[inline(always)]
    pub fn concat(low: f64x4<S>, high: f64x4<S>) -> Self {
        Self { register: low.simd.concat(low.register, high.register), simd: low.simd }
    }
}

impl<S: Simd> f32s<S> {
    /// Exchanges lanes 0 and 1 of each four with lanes 2 and 3.
    #[inline(always)]
    #[must_use]
    pub fn swap_pairs(self) -> Self {
        Self { register: self.simd.swap_pairs(self.register), simd: self.simd }
    }
}

impl<S: Simd> f32x8<S> {
    /// Returns the bits of each number.
    #[inline(always)]
    pub fn to_bits(self) -> i32x8<S> {
        Vector { register: self.simd.bits_of_f32(self.register), simd: self.simd }
    }
}

impl<S: Simd> i16x8<S> {
    /// Loads numbers.
    #[inline(always)]
    pub fn load(simd: S, from: &[i16; 8]) -> Self {
        Self { register: simd.load_i16(from), simd }
    }

    /// Loads small numbers: the low eight, then the high eight.
    #[inline(always)]
    pub fn widen(simd: S, from: &[i8; 16]) -> [Self; 2] {
        simd.load_i8(from).map(|register| Self { register, simd })
    }

    /// Moves each lane to the one before it, and lane 0 to the last one.
    #[inline(always)]
    #[must_use]
    pub fn rotate(self) -> Self {
        Self { register: self.simd.rotate_i16(self.register), simd: self.simd }
    }

    /// Converts to floating-point numbers, exactly.
    #[inline(always)]
    pub fn to_f32(self) -> f32x8<S> {
        Vector { register: self.simd.convert_i16(self.register), simd: self.simd }
    }
}
