//! The instruction sets: a token each, and the register of each vector.

use crate::registers::{Bits, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};
use crate::vector::{Mask, Vector};

/// The widest instruction set that every CPU of the target has.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub type Baseline = crate::x86::Sse2;
/// The widest instruction set that every CPU of the target has.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub type Baseline = crate::neon::Neon;
/// The widest instruction set that every CPU of the target has.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub type Baseline = crate::wasm::Simd128;
/// The widest instruction set that every CPU of the target has.
#[cfg(not(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub type Baseline = crate::array::Scalar;

/// A token of an instruction set.
///
/// A token exists only if the CPU has the instructions. A vector is made only with a token. So a function that is
/// generic over `Simd` is safe.
#[expect(missing_docs, reason = "each type is the register of the vector of the same name")]
pub trait Simd: Copy + Sealed {
    /// The name of the instruction set.
    const NAME: &str;

    type F64x2: Floats<Element = f64, Mask = Self::Mask64x2> + Zip + Of<Self>;
    type F64x4: Floats<Element = f64> + Zip + Of<Self>;
    type F64x8: Floats<Element = f64, Mask = Self::Mask64x8> + Of<Self>;
    type F32x8: Floats<Element = f32, Mask = Self::Mask32x8> + Of<Self>;
    type I16x8: Copy + Of<Self>;
    type I32x8: Numbers<Element = i32, Mask = Self::Mask32x8> + Bits + Of<Self>;
    type I64x8: Lanes<Element = i64, Mask = Self::Mask64x8> + Of<Self>;
    /// As many `f64` as a register of this level has.
    type F64s: Floats<Element = f64, Mask = Self::Mask64s> + Zip + Of<Self>;
    /// As many `f32` as a register of this level has.
    type F32s: Floats<Element = f32, Mask = Self::Mask32s> + Of<Self>;
    /// As many `u32` as a register of this level has.
    type U32s: Numbers<Element = u32, Mask = Self::Mask32s> + Bits + Zip + Of<Self>;
    /// As many `u64` as a register of this level has.
    type U64s: Sum<Element = u64, Mask = Self::Mask64s> + Bits + Of<Self>;
    type Mask64x2: MaskLanes + Of<Self>;
    type Mask64x8: MaskLanes + Of<Self>;
    type Mask32x8: MaskLanes + Of<Self>;
    type Mask64s: MaskLanes + Of<Self>;
    type Mask32s: MaskLanes + Of<Self>;

    /// Returns the lanes of both vectors.
    #[doc(hidden)]
    fn concat(self, low: Self::F64x4, high: Self::F64x4) -> Self::F64x8;
    /// Exchanges lanes 0 and 1 of each four with lanes 2 and 3.
    #[doc(hidden)]
    fn swap_pairs(self, x: Self::F32s) -> Self::F32s;
    /// Loads numbers.
    #[doc(hidden)]
    fn load_i16(self, from: &[i16; 8]) -> Self::I16x8;
    /// Loads the low eight numbers, then the high eight.
    #[doc(hidden)]
    fn load_i8(self, from: &[i8; 16]) -> [Self::I16x8; 2];
    /// Moves each lane to the one before it, and lane 0 to the last one.
    #[doc(hidden)]
    fn rotate_i16(self, x: Self::I16x8) -> Self::I16x8;
    /// Converts to floating-point numbers, exactly.
    #[doc(hidden)]
    fn convert_i16(self, x: Self::I16x8) -> Self::F32x8;
    /// Returns the bits of each number.
    #[doc(hidden)]
    fn bits_of_f32(self, x: Self::F32x8) -> Self::I32x8;
}

/// Keeps others from defining levels.
pub trait Sealed {}

/// A register or mask that a level may use.
///
/// # Safety
/// Every CPU with the instructions of `S` must have the instructions of the register.
pub unsafe trait Of<S> {}

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
