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

/// Part of the memory of a thread for a row group of a Parquet file as written.
const READ: u64 = 16 << 20;

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
            let (count, remedy) = match threads {
                1 => ("1 thread".to_owned(), ""),
                _ => (format!("{threads} threads"), ", or fewer --threads"),
            };
            return Err(Failure::input(format!(
                "--memory {} is too little for {count}: give at least {}{remedy}",
                ByteSize(total).display().si(),
                ByteSize(least.next_multiple_of(1_000_000)).display().si(),
            )));
        }
        Ok(Self { pool: pool as usize })
    }

    /// Reserves memory for readers that hold `bytes` of row groups each. Returns the number of readers, up to
    /// `partitions`, and the rest of the budget; `None` if not even one reader fits.
    pub(crate) fn for_readers(self, bytes: u64, partitions: usize, threads: usize) -> Option<(usize, Self)> {
        let readers = (partitions as u64).min(self.of_readers(threads) / bytes.max(1));
        let pool = self.pool - (readers * bytes).saturating_sub(READ * threads as u64) as usize;
        (readers > 0).then_some((readers as usize, Self { pool }))
    }

    /// Returns the bytes that all readers together can hold.
    pub(crate) fn of_readers(self, threads: usize) -> u64 {
        // Half of the pool stays for the join.
        READ * threads as u64 + self.pool as u64 / 2
    }

    /// Returns the least total with which a reader can hold `bytes`, in whole MB.
    pub(crate) fn least_for_reader(bytes: u64, threads: usize) -> ByteSize {
        let pool = bytes.saturating_sub(READ * threads as u64).saturating_mul(2).max(SMALLEST_POOL);
        let total = ((pool as f64 / POOL_SHARE) as u64).saturating_add(BASE + PER_THREAD * threads as u64);
        // A part of a MB more: the pool is rounded down.
        ByteSize(total.saturating_add(1000).checked_next_multiple_of(1_000_000).unwrap_or(u64::MAX))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Small row groups change nothing. Large ones are read one at a time, at the cost of the pool.
    #[test]
    fn readers_share_the_budget() {
        let budget = Budget { pool: 100 << 20 };
        let of = |megabytes: u64, partitions| {
            budget.for_readers(megabytes << 20, partitions, 2).map(|(readers, rest)| (readers, rest.pool >> 20))
        };
        assert_eq!(of(0, 7), Some((7, 100)));
        assert_eq!(of(16, 2), Some((2, 100)));
        assert_eq!(of(20, 2), Some((2, 92)));
        assert_eq!(of(50, 4), Some((1, 82)));
        assert_eq!(of(82, 2), Some((1, 50)));
        assert_eq!(of(83, 2), None);
    }

    /// The least total for a reader suffices for it, and 2 MB less do not.
    #[test]
    fn the_least_total_for_a_reader() {
        assert_eq!(Budget::least_for_reader(u64::MAX, 1024), ByteSize(u64::MAX));
        for bytes in [70_000_000, 83 << 20, 1 << 30, 50_000_000_003] {
            for threads in [1, 2, 7] {
                let least = Budget::least_for_reader(bytes, threads);
                let fits = |total| {
                    Budget::new(Some(total), threads)
                        .is_ok_and(|budget| budget.for_readers(bytes, threads, threads).is_some())
                };
                assert!(fits(least) && !fits(ByteSize(least.as_u64() - 2_000_000)), "{bytes} {threads} {least}");
            }
        }
    }
}
