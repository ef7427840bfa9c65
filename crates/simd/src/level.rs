//! The instruction sets: a token each, and the register of each vector.

use crate::registers::{Bits, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};

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
