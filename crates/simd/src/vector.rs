//! The vectors and masks that kernels use: a register and the token of its level.

use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, Index, Mul, Neg, Not, Sub,
};

use crate::level::{Of, Simd};
use crate::registers::{Bits, Evidence, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};

/// A vector of numbers.
///
/// The aliases [`f64x4`](crate::f64x4), [`f32s`](crate::f32s) and so on name the vectors that exist.
#[derive(Clone, Copy)]
pub struct Vector<S, R> {
    pub(crate) register: R,
    /// The token of the level.
    pub simd: S,
}

/// One boolean for each lane of a vector.
#[derive(Clone, Copy)]
pub struct Mask<S, M> {
    mask: M,
    simd: S,
}

/// A vector of any level, for functions that store columns of several types.
pub trait VectorLanes: Copy {
    /// The number in a lane.
    type Element: Copy;
    /// The mask for its lanes.
    type Mask: Copy;
    /// The number of lanes.
    const LEN: usize;
    /// Returns the lanes.
    fn as_slice(&self) -> &[Self::Element];
    /// Moves the selected lanes to the front, in order, and stores all lanes.
    fn compress_store(self, mask: Self::Mask, to: &mut [Self::Element]);
}

impl<S: Simd, R: Lanes> VectorLanes for Vector<S, R> {
    type Element = R::Element;
    type Mask = Mask<S, R::Mask>;
    const LEN: usize = R::LEN;

    #[inline(always)]
    fn as_slice(&self) -> &[R::Element] {
        self.register.as_slice()
    }

    #[inline(always)]
    fn compress_store(self, mask: Self::Mask, to: &mut [R::Element]) {
        self.compress(mask).store_slice(to);
    }
}

/// A vector, or one number for all lanes.
pub trait IntoVector<S, R> {
    /// Returns the vector.
    fn into_vector(self, simd: S) -> Vector<S, R>;
}

impl<S, R> IntoVector<S, R> for Vector<S, R> {
    #[inline(always)]
    fn into_vector(self, _: S) -> Self {
        self
    }
}

impl<S: Simd, R: Lanes + Of<S>> Vector<S, R> {
    /// The number of lanes.
    pub const LEN: usize = R::LEN;

    /// Returns `x` in every lane.
    #[inline(always)]
    pub fn splat(simd: S, x: R::Element) -> Self {
        Self { register: R::splat(Evidence::new(), x), simd }
    }

    /// Loads as many numbers as there are lanes. Panics on another length.
    #[inline(always)]
    pub fn from_slice(simd: S, from: &[R::Element]) -> Self {
        Self { register: R::load(Evidence::new(), from), simd }
    }

    /// Loads an array. Panics on another length.
    #[inline(always)]
    pub fn from_array<const N: usize>(simd: S, from: [R::Element; N]) -> Self {
        Self::from_slice(simd, &from)
    }
}

impl<S: Simd, R: Lanes> Vector<S, R> {
    #[inline(always)]
    pub(crate) fn with(self, register: R) -> Self {
        Self { register, simd: self.simd }
    }

    #[inline(always)]
    fn mask(self, mask: R::Mask) -> Mask<S, R::Mask> {
        Mask { mask, simd: self.simd }
    }

    /// Stores the lanes. Panics on another length.
    #[inline(always)]
    pub fn store_slice(self, to: &mut [R::Element]) {
        self.register.store(to);
    }

    /// Returns the lanes. Panics on another length.
    #[inline(always)]
    pub fn to_array<const N: usize>(self) -> [R::Element; N] {
        let mut lanes = [R::Element::default(); N];
        self.register.store(&mut lanes);
        lanes
    }

    /// Returns true in the lanes where both are equal.
    #[inline(always)]
    pub fn simd_eq(self, other: impl IntoVector<S, R>) -> Mask<S, R::Mask> {
        self.mask(self.register.equal(other.into_vector(self.simd).register))
    }

    /// Moves the selected lanes to the front, in order. The other lanes are unspecified.
    #[inline(always)]
    #[must_use]
    pub fn compress(self, mask: Mask<S, R::Mask>) -> Self {
        self.with(self.register.compress(mask.mask))
    }
}

impl<S: Simd, R: Numbers> Vector<S, R> {
    /// Returns the lesser number in each lane: `other` if one is NaN, and for zeros of different signs.
    #[inline(always)]
    #[must_use]
    pub fn min(self, other: impl IntoVector<S, R>) -> Self {
        self.with(self.register.min(other.into_vector(self.simd).register))
    }

    /// Returns the greater number in each lane: `other` if one is NaN, and for zeros of different signs.
    #[inline(always)]
    #[must_use]
    pub fn max(self, other: impl IntoVector<S, R>) -> Self {
        self.with(self.register.max(other.into_vector(self.simd).register))
    }

    /// Returns the least lane.
    #[inline(always)]
    pub fn reduce_min(self) -> R::Element {
        self.register.reduce_min()
    }

    /// Returns the greatest lane.
    #[inline(always)]
    pub fn reduce_max(self) -> R::Element {
        self.register.reduce_max()
    }
}

impl<S: Simd, R: Floats> Vector<S, R> {
    /// Returns the numbers without sign.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        self.with(self.register.abs())
    }

    /// Returns the square roots, correctly rounded.
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        self.with(self.register.sqrt())
    }

    /// Returns true in the lanes where `self < other`.
    #[inline(always)]
    pub fn simd_lt(self, other: impl IntoVector<S, R>) -> Mask<S, R::Mask> {
        self.mask(self.register.less(other.into_vector(self.simd).register))
    }

    /// Returns true in the lanes where `self <= other`.
    #[inline(always)]
    pub fn simd_le(self, other: impl IntoVector<S, R>) -> Mask<S, R::Mask> {
        self.mask(self.register.less_or_equal(other.into_vector(self.simd).register))
    }

    /// Returns true in the lanes where `self > other`.
    #[inline(always)]
    pub fn simd_gt(self, other: impl IntoVector<S, R>) -> Mask<S, R::Mask> {
        self.mask(other.into_vector(self.simd).register.less(self.register))
    }

    /// Returns true in the lanes where `self >= other`.
    #[inline(always)]
    pub fn simd_ge(self, other: impl IntoVector<S, R>) -> Mask<S, R::Mask> {
        self.mask(other.into_vector(self.simd).register.less_or_equal(self.register))
    }
}

impl<S: Simd, R: Zip> Vector<S, R> {
    /// Returns `[a0, b0, a1, b1, ...]` in two vectors.
    #[inline(always)]
    pub fn interleave(self, other: Self) -> (Self, Self) {
        let (low, high) = self.register.zip(other.register);
        (self.with(low), self.with(high))
    }

    /// Returns the even lanes of both, then the odd lanes of both.
    #[inline(always)]
    pub fn deinterleave(self, other: Self) -> (Self, Self) {
        let (even, odd) = self.register.unzip(other.register);
        (self.with(even), self.with(odd))
    }
}

/// Implements an operator for two vectors, and for a vector and a number.
macro_rules! operator {
    ($operator:ident::$name:ident, $registers:ident::$function:ident, $($number:ty),*) => {
        impl<S: Simd, R: $registers> $operator for Vector<S, R> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                self.with(self.register.$function(other.register))
            }
        }

        $(impl<S: Simd, R: $registers + Lanes<Element = $number>> $operator<$number> for Vector<S, R> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: $number) -> Self {
                self.with(self.register.$function(R::splat(Evidence::new(), other)))
            }
        })*
    };
}

operator!(Add::add, Sum::add, f64, f32, u32, u64);
operator!(Sub::sub, Floats::sub, f64, f32);
operator!(Mul::mul, Floats::mul, f64, f32);
operator!(Div::div, Floats::div, f64, f32);

operator!(BitAnd::bitand, Bits::and, i32, u32, u64);
operator!(BitOr::bitor, Bits::or, i32, u32, u64);
operator!(BitXor::bitxor, Bits::xor, i32, u32, u64);

impl<S: Simd, R: Floats> Neg for Vector<S, R> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.with(self.register.neg())
    }
}

impl<S: Simd, R: Sum, T: IntoVector<S, R>> AddAssign<T> for Vector<S, R> {
    #[inline(always)]
    fn add_assign(&mut self, other: T) {
        *self = *self + other.into_vector(self.simd);
    }
}

impl<S, R: Lanes> Index<usize> for Vector<S, R> {
    type Output = R::Element;

    #[inline(always)]
    fn index(&self, lane: usize) -> &R::Element {
        &self.register.as_slice()[lane]
    }
}

macro_rules! number {
    ($($number:ty)*) => {$(
        impl<S: Simd, R: Lanes<Element = $number> + Of<S>> IntoVector<S, R> for $number {
            #[inline(always)]
            fn into_vector(self, simd: S) -> Vector<S, R> {
                Vector::splat(simd, self)
            }
        }
    )*};
}

number! { f64 f32 i32 u32 u64 }

impl<S: Simd, M: MaskLanes + Of<S>> Mask<S, M> {
    /// Reads bit `i` for lane `i`. Higher bits are ignored.
    #[inline(always)]
    pub fn from_bitmask(simd: S, bits: u64) -> Self {
        Self { mask: M::from_bits(Evidence::new(), bits), simd }
    }
}

impl<S: Simd, M: MaskLanes> Mask<S, M> {
    /// Returns bit `i` for lane `i`.
    #[inline(always)]
    pub fn to_bitmask(self) -> u64 {
        self.mask.to_bits()
    }

    /// Returns true if a lane is true.
    #[inline(always)]
    pub fn any_true(self) -> bool {
        self.to_bitmask() != 0
    }

    /// Returns true if all lanes are true.
    #[inline(always)]
    pub fn all_true(self) -> bool {
        self.to_bitmask() == (1 << M::LEN) - 1
    }

    /// Returns the lanes of `a` where the mask is true, else those of `b`.
    #[inline(always)]
    pub fn select<R: Lanes<Mask = M>>(self, a: Vector<S, R>, b: Vector<S, R>) -> Vector<S, R> {
        a.with(R::select(self.mask, a.register, b.register))
    }
}

/// Implements an operator for two masks, and the assignment.
macro_rules! mask_operator {
    ($operator:ident::$name:ident, $assign:ident::$assign_name:ident, $function:ident) => {
        impl<S: Simd, M: MaskLanes> $operator for Mask<S, M> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self { mask: self.mask.$function(other.mask), simd: self.simd }
            }
        }

        impl<S: Simd, M: MaskLanes> $assign for Mask<S, M> {
            #[inline(always)]
            fn $assign_name(&mut self, other: Self) {
                self.mask = self.mask.$function(other.mask);
            }
        }
    };
}

mask_operator!(BitAnd::bitand, BitAndAssign::bitand_assign, and);
mask_operator!(BitOr::bitor, BitOrAssign::bitor_assign, or);
mask_operator!(BitXor::bitxor, BitXorAssign::bitxor_assign, xor);

impl<S: Simd, M: MaskLanes> Not for Mask<S, M> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self { mask: self.mask.not(), simd: self.simd }
    }
}
