//! Macros for functions that are one or a few intrinsics.

/// Defines registers and masks: a struct with one value of `core::arch` each.
macro_rules! registers {
    ($($(#[$doc:meta])* $name:ident($raw:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name(pub(crate) $raw);
    )*};
}

/// Defines functions of one or two registers, each an intrinsic with the same arguments.
macro_rules! calls {
    ($($name:ident($($other:ident)?) = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $other: Self)?) -> Self {
            // SAFETY: the register exists, so the CPU has its instructions.
            #[allow(unused_unsafe, reason = "safe if the target has the instructions")]
            Self(unsafe { $intrinsic(self.0 $(, $other.0)?) })
        }
    )*};
}

/// Defines functions by an expression with intrinsics.
macro_rules! functions {
    ($($visibility:vis $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:expr;)*) => {$(
        #[inline(always)]
        $visibility fn $name($($argument: $type),*) -> $result {
            // SAFETY: the register exists or is made for a token, so the CPU has its instructions. Slices have the
            // length of the register.
            #[allow(unused_unsafe, reason = "safe if the target has the instructions")]
            unsafe { $body }
        }
    )*};
}

/// Implements `Lanes`: the functions that differ are listed.
macro_rules! lanes {
    ($name:ident: [$element:ty; $len:literal], $mask:ident, $splat:ident, $load:ident, $store:ident {
        $($rest:tt)*
    }) => {
        // SAFETY: the type of `core::arch` has `LEN` numbers in the order of the lanes.
        unsafe impl Lanes for $name {
            type Element = $element;
            type Mask = $mask;
            const LEN: usize = $len;

            #[inline(always)]
            fn load(_: Evidence, from: &[$element]) -> Self {
                assert!(from.len() == $len, "as many numbers as lanes");
                // SAFETY: the slice has the length of the register, and unaligned loads are allowed.
                Self(unsafe { $load(from.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store(self, to: &mut [$element]) {
                assert!(to.len() == $len, "as many numbers as lanes");
                // SAFETY: the slice has the length of the register, and unaligned stores are allowed.
                unsafe { $store(to.as_mut_ptr().cast(), self.0) }
            }

            functions! {
                splat(_evidence: Evidence, x: $element) -> Self = Self($splat(x as _));
                $($rest)*
            }
        }
    };
}

/// Allows all levels to use registers whose instructions the target has.
macro_rules! every_level {
    ($($name:ident)*) => {$(
        // SAFETY: the target has the instructions, so every level has them.
        unsafe impl<S> Of<S> for $name {}
    )*};
}

/// Defines a level with registers of 128 bits that the target has: the token, the registers and the masks, and `Simd`
/// with the listed functions. The types are those of `core::arch`, in the order of the names below.
macro_rules! level_of_128_bits {
    ($(#[$doc:meta])* $level:ident, $label:literal,
     [$f64:ty, $f32:ty, $i32:ty, $u32:ty, $i64:ty, $u64:ty, $i16:ty, $mask64:ty, $mask32:ty] { $($rest:tt)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $level(());

        impl $level {
            /// Returns the token of the level. The target has the instructions.
            #[must_use]
            pub const fn new() -> Self {
                Self(())
            }
        }

        impl Default for $level {
            fn default() -> Self {
                Self::new()
            }
        }

        registers! {
            /// Two `f64`.
            F64x2($f64);
            /// Four `f32`.
            F32x4($f32);
            /// Four `i32`.
            I32x4($i32);
            /// Four `u32`.
            U32x4($u32);
            /// Two `i64`.
            I64x2($i64);
            /// Two `u64`.
            U64x2($u64);
            /// Eight `i16`.
            I16x8($i16);
            /// Two booleans: all bits of a lane.
            Mask64x2($mask64);
            /// Four booleans: all bits of a lane.
            Mask32x4($mask32);
        }

        every_level! { F64x2 F32x4 I32x4 U32x4 I64x2 U64x2 I16x8 Mask64x2 Mask32x4 }

        impl Sealed for $level {}

        impl Simd for $level {
            const NAME: &str = $label;

            type F64x2 = F64x2;
            type F64x4 = Pair<F64x2>;
            type F64x8 = Pair<Pair<F64x2>>;
            type F32x8 = Pair<F32x4>;
            type I16x8 = I16x8;
            type I32x8 = Pair<I32x4>;
            type I64x8 = Pair<Pair<I64x2>>;
            type F64s = F64x2;
            type F32s = F32x4;
            type U32s = U32x4;
            type U64s = U64x2;
            type Mask64x2 = Mask64x2;
            type Mask64x8 = Pair<Pair<Mask64x2>>;
            type Mask32x8 = Pair<Mask32x4>;
            type Mask64s = Mask64x2;
            type Mask32s = Mask32x4;

            functions! {
                concat(self: Self, low: Self::F64x4, high: Self::F64x4) -> Self::F64x8 = Pair(low, high);
                $($rest)*
            }
        }
    };
}

pub(crate) use {calls, every_level, functions, lanes, level_of_128_bits, registers};
