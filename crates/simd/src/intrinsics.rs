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

pub(crate) use {calls, functions, lanes, registers};
