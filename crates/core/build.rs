//! Selects the SIMD levels that are compiled.
//!
//! A build without optimization compiles each SIMD kernel for the baseline of the target only. Code
//! for wider instruction sets would not be faster there. The compile time is a quarter. All levels
//! compute the same bits.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("OPT_LEVEL").as_deref() == Ok("0") {
        println!("cargo::rustc-cfg=carom_simd_baseline");
    }
}
