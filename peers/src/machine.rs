//! Describes the machine of a run.

use std::fs;

/// Returns the name of the processor, or its architecture if the name is unknown.
pub(crate) fn processor() -> String {
    fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|info| {
            let line = info.lines().find(|l| l.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        })
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Returns the SIMD levels of this machine, narrowest first.
#[cfg(target_arch = "x86_64")]
pub(crate) fn simd_level() -> Vec<&'static str> {
    let mut lanes = vec!["SSE2"];
    let found = [
        ("SSE4.2", is_x86_feature_detected!("sse4.2")),
        ("AVX", is_x86_feature_detected!("avx")),
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("FMA", is_x86_feature_detected!("fma")),
        ("AVX-512F", is_x86_feature_detected!("avx512f")),
        ("AVX-512DQ", is_x86_feature_detected!("avx512dq")),
        ("AVX-512VL", is_x86_feature_detected!("avx512vl")),
    ];
    lanes.extend(found.iter().filter(|(_, there)| *there).map(|(name, _)| *name));
    lanes
}

/// SIMD level of an aarch64 machine: NEON is part of the architecture.
#[cfg(target_arch = "aarch64")]
pub(crate) fn simd_level() -> Vec<&'static str> {
    vec!["NEON"]
}
