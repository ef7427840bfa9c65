//! Defines what a register of numbers can do, on every instruction set.
//!
//! A register is one CPU register, a [`Pair`](crate::pair::Pair) of registers, or an array. Its functions contain
//! intrinsics of one instruction set, so they are called only through a [`Vector`](crate::Vector), which has a token.

/// Evidence that the CPU has the instructions of a register. Only this crate makes one, from the token of a level.
#[derive(Clone, Copy)]
pub struct Evidence(());

impl Evidence {
    /// Returns the evidence. The token of a level with the instructions exists.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self(())
    }
}

/// Numbers in lanes, with loads, stores and selections.
///
/// # Safety
/// The type consists of `LEN` numbers in the order of the lanes, and of nothing else.
pub unsafe trait Lanes: Copy {
    /// The number in a lane.
    type Element: Copy + Default;
    /// One boolean per lane.
    type Mask: MaskLanes;
    /// The number of lanes.
    const LEN: usize;
    /// Returns `x` in every lane.
    fn splat(evidence: Evidence, x: Self::Element) -> Self;
    /// Loads `LEN` numbers. Panics on another length.
    fn load(evidence: Evidence, from: &[Self::Element]) -> Self;
    /// Returns the lanes.
    #[inline(always)]
    fn as_slice(&self) -> &[Self::Element] {
        const { assert!(size_of::<Self>() == Self::LEN * size_of::<Self::Element>()) };
        // SAFETY: the trait promises this layout.
        unsafe { core::slice::from_raw_parts(core::ptr::from_ref(self).cast(), Self::LEN) }
    }

    /// Stores `LEN` numbers. Panics on another length.
    fn store(self, to: &mut [Self::Element]);
    /// Returns the lanes of `a` where the mask is set, else those of `b`.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// Compares lane by lane.
    fn equal(self, other: Self) -> Self::Mask;

    /// Moves the selected lanes to the front, in order. The other lanes are unspecified.
    #[inline(always)]
    fn compress(self, mask: Self::Mask) -> Self {
        let (mut lanes, mut packed) = ([Self::Element::default(); 16], [Self::Element::default(); 17]);
        self.store(&mut lanes[..Self::LEN]);
        let (bits, mut count) = (mask.to_bits(), 0);
        for (i, &lane) in lanes[..Self::LEN].iter().enumerate() {
            packed[count] = lane;
            count += (bits >> i & 1) as usize;
        }
        Self::load(Evidence::new(), &packed[..Self::LEN])
    }
}

/// One boolean per lane.
pub trait MaskLanes: Copy {
    /// The number of lanes.
    const LEN: usize;
    /// Returns the mask with the bits of the lanes that are set in both.
    fn and(self, other: Self) -> Self;
    /// Returns the mask with the bits of the lanes that are set in one or both.
    fn or(self, other: Self) -> Self;
    /// Returns the mask with the lanes that differ.
    fn xor(self, other: Self) -> Self;
    /// Returns the mask with all lanes inverted.
    fn not(self) -> Self;
    /// Returns bit `i` for lane `i`.
    fn to_bits(self) -> u64;
    /// Reads bit `i` for lane `i`. Higher bits are ignored.
    fn from_bits(evidence: Evidence, bits: u64) -> Self;
}

/// Lanes with sums. Integers wrap around.
pub trait Sum: Lanes {
    /// Returns the sums.
    fn add(self, other: Self) -> Self;
}

/// Lanes with an order.
///
/// `min` is `a` where `a < b`, else `b`; `max` is `a` where `a > b`, else `b`. So the second number is the result if
/// one is NaN, and for zeros of different signs, on every instruction set. Reductions combine the low half of the lanes
/// with the high half, until one lane is left.
pub trait Numbers: Sum {
    /// Returns the lesser numbers.
    fn min(self, other: Self) -> Self;
    /// Returns the greater numbers.
    fn max(self, other: Self) -> Self;
    /// Returns the least number.
    fn reduce_min(self) -> Self::Element;
    /// Returns the greatest number.
    fn reduce_max(self) -> Self::Element;
}

/// Lanes of `f32` or `f64`. Comparisons with NaN are false.
pub trait Floats: Numbers {
    /// Returns the differences.
    fn sub(self, other: Self) -> Self;
    /// Returns the products.
    fn mul(self, other: Self) -> Self;
    /// Returns the quotients.
    fn div(self, other: Self) -> Self;
    /// Returns the numbers with the other sign.
    fn neg(self) -> Self;
    /// Returns the numbers without sign.
    fn abs(self) -> Self;
    /// Returns the square roots, correctly rounded.
    fn sqrt(self) -> Self;
    /// Returns true in the lanes where `self < other`.
    fn less(self, other: Self) -> Self::Mask;
    /// Returns true in the lanes where `self <= other`.
    fn less_or_equal(self, other: Self) -> Self::Mask;
}

/// Lanes of integers.
pub trait Bits: Lanes {
    /// Returns the bits that are set in both.
    fn and(self, other: Self) -> Self;
    /// Returns the bits that are set in one or both.
    fn or(self, other: Self) -> Self;
    /// Returns the bits that are set in one, not in both.
    fn xor(self, other: Self) -> Self;
}

/// Lanes that change places with those of another register.
pub trait Zip: Lanes {
    /// Returns `[a0, b0, a1, b1, ...]` in two registers.
    fn zip(self, other: Self) -> (Self, Self);
    /// Returns the even lanes of both, then the odd lanes of both.
    fn unzip(self, other: Self) -> (Self, Self);
}
