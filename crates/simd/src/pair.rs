//! Two registers, or two masks, that serve as one of twice the length.

use crate::level::Of;
use crate::registers::{Bits, Evidence, Floats, Lanes, MaskLanes, Numbers, Sum, Zip};

/// The low lanes and the high lanes.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pair<R>(pub(crate) R, pub(crate) R);

// SAFETY: the instructions are those of the halves.
unsafe impl<S, R: Of<S>> Of<S> for Pair<R> {}

/// Defines functions that apply the function of the same name to both halves.
macro_rules! halves {
    ($($name:ident($($other:ident)?) -> $result:ty;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $other: Self)?) -> $result {
            Pair(self.0.$name($($other.0)?), self.1.$name($($other.1)?))
        }
    )*};
}

impl<M: MaskLanes> MaskLanes for Pair<M> {
    const LEN: usize = 2 * M::LEN;

    halves! {
        and(other) -> Self;
        or(other) -> Self;
        xor(other) -> Self;
        not() -> Self;
    }

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.0.to_bits() | self.1.to_bits() << M::LEN
    }

    #[inline(always)]
    fn from_bits(evidence: Evidence, bits: u64) -> Self {
        Self(M::from_bits(evidence, bits), M::from_bits(evidence, bits >> M::LEN))
    }
}

// SAFETY: both halves have this layout, without padding.
unsafe impl<R: Lanes> Lanes for Pair<R> {
    type Element = R::Element;
    type Mask = Pair<R::Mask>;
    const LEN: usize = 2 * R::LEN;

    #[inline(always)]
    fn splat(evidence: Evidence, x: Self::Element) -> Self {
        Self(R::splat(evidence, x), R::splat(evidence, x))
    }

    #[inline(always)]
    fn load(evidence: Evidence, from: &[Self::Element]) -> Self {
        let (low, high) = from.split_at(R::LEN);
        Self(R::load(evidence, low), R::load(evidence, high))
    }

    #[inline(always)]
    fn store(self, to: &mut [Self::Element]) {
        let (low, high) = to.split_at_mut(R::LEN);
        self.0.store(low);
        self.1.store(high);
    }

    #[inline(always)]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        Self(R::select(mask.0, a.0, b.0), R::select(mask.1, a.1, b.1))
    }

    halves! { equal(other) -> Self::Mask; }
}

impl<R: Sum> Sum for Pair<R> {
    halves! { add(other) -> Self; }
}

impl<R: Numbers> Numbers for Pair<R> {
    halves! {
        min(other) -> Self;
        max(other) -> Self;
    }

    #[inline(always)]
    fn reduce_min(self) -> Self::Element {
        self.0.min(self.1).reduce_min()
    }

    #[inline(always)]
    fn reduce_max(self) -> Self::Element {
        self.0.max(self.1).reduce_max()
    }
}

impl<R: Floats> Floats for Pair<R> {
    halves! {
        sub(other) -> Self;
        mul(other) -> Self;
        div(other) -> Self;
        neg() -> Self;
        abs() -> Self;
        sqrt() -> Self;
        less(other) -> Self::Mask;
        less_or_equal(other) -> Self::Mask;
    }
}

impl<R: Bits> Bits for Pair<R> {
    halves! {
        and(other) -> Self;
        or(other) -> Self;
        xor(other) -> Self;
    }
}

impl<R: Zip> Zip for Pair<R> {
    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        let (low, high) = (self.0.zip(other.0), self.1.zip(other.1));
        (Self(low.0, low.1), Self(high.0, high.1))
    }

    #[inline(always)]
    fn unzip(self, other: Self) -> (Self, Self) {
        let (low, high) = (self.0.unzip(self.1), other.0.unzip(other.1));
        (Self(low.0, high.0), Self(low.1, high.1))
    }
}
