#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![doc = include_str!("../README.md")]
#![allow(non_camel_case_types)] // `f64x4`, as in `std::simd`

mod array;
#[cfg(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod intrinsics;
mod level;
mod named;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod pair;
mod registers;
mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod x86;

pub use array::Scalar;
pub use level::Simd;
pub use named::{
    f32s, f32x8, f64s, f64x2, f64x4, f64x8, i16x8, i32x8, i64x8, mask32s, mask32x8, mask64s, mask64x2, u32s, u64s,
};
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub use neon::Neon;
pub use vector::{IntoVector, Mask, Vector, VectorLanes};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Simd128;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub use x86::{Avx2, Avx512, Sse2};

/// The widest instruction set that every CPU of the target has.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub type Baseline = Sse2;
/// The widest instruction set that every CPU of the target has.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub type Baseline = Neon;
/// The widest instruction set that every CPU of the target has.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub type Baseline = Simd128;
/// The widest instruction set that every CPU of the target has.
#[cfg(not(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub type Baseline = Scalar;

/// Returns the square root, correctly rounded. LLVM compiles the call to one instruction. Stable Rust without `std` has
/// no function for it, and that of the crate `libm` is a loop.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
#[inline]
#[must_use]
pub fn sqrt(x: f64) -> f64 {
    unsafe extern "C" {
        // In `compiler_builtins`, which every program links.
        safe fn sqrt(x: f64) -> f64;
    }
    sqrt(x)
}
