//! Divides a memory budget for the whole process.
//!
//! The pool of the engine counts only the memory that its operators register. The rest is measured:
//! code and tables of the engine, and per thread the batches in flight and the decoded outlines.

use bytesize::ByteSize;

use crate::error::Failure;

/// Resident memory of the process before it reads a row, and of its unregistered tables.
const BASE: u64 = 96 << 20;

/// Unregistered memory of each thread: batches in flight, decoded outlines.
const PER_THREAD: u64 = 48 << 20;

/// Share of the rest that the pool may hand out; the remainder covers the waste of the allocator.
const POOL_SHARE: f64 = 0.6;

/// Smallest pool with which a sort can work.
const SMALLEST_POOL: u64 = 64 << 20;

/// A memory budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Bytes for the pool of the engine.
    pub(crate) pool: usize,
}

impl Budget {
    /// Divides `total`, or half of the memory of the machine.
    pub(crate) fn new(total: Option<ByteSize>, threads: usize) -> Result<Self, Failure> {
        let total = match total {
            Some(total) => total.as_u64(),
            None => machine() / 2,
        };
        let fixed = BASE + PER_THREAD * threads as u64;
        let pool = (total.saturating_sub(fixed) as f64 * POOL_SHARE) as u64;
        if pool < SMALLEST_POOL {
            let least = fixed + (SMALLEST_POOL as f64 / POOL_SHARE) as u64;
            return Err(Failure::input(format!(
                "--memory {} is too little for {threads} threads: give at least {}, or fewer --threads",
                ByteSize(total).display().si(),
                ByteSize(least.next_multiple_of(1_000_000)).display().si(),
            )));
        }
        Ok(Self { pool: pool as usize })
    }
}

/// Returns the memory of the machine, or of its control group if that is less; 4 GB if unknown.
fn machine() -> u64 {
    let total = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
        line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
    });
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    total.unwrap_or(4 << 30).min(group.unwrap_or(u64::MAX))
}

/// Returns the largest resident memory of this process so far, in bytes; `None` if unknown.
pub(crate) fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}
