//! The instruction sets of x86: SSE2, AVX2 and AVX-512.

mod avx2;
mod avx512;
mod sse2;

pub use avx2::Avx2;
pub use avx512::Avx512;
pub use sse2::Sse2;
