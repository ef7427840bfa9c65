//! Divides the memory pool of a sort-merge join: one half for operators that spill, one half for all others.
//!
//! The engine's fair pool lets sorts use everything that is free. Then the merge of the sorted
//! runs, which cannot spill, finds nothing and the query fails. Here, operators that can spill
//! share one part. The others share the rest: each may use an equal share, so none starves another.
//! A merge that gets less memory merges fewer runs at a time.
//!
//! A sort merges the batches that it holds before it spills them. So it must not hold more than a merge may use. The
//! shares of the engine's fair pool depend on the operators that have started. A sort that starts first would get too
//! much. So each operator that spills has a limit that does not depend on time.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::{FairSpillPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation};

/// Part of the operators that can spill, in percent.
const SPILLING: usize = 50;

/// Operators of a partition that cannot spill: the merges of both sorts, and the join.
const FIXED_PER_PARTITION: usize = 3;

/// The pool of a sort-merge join.
#[derive(Debug)]
pub(crate) struct DividedPool {
    size: usize,
    /// For operators that can spill.
    spilling: FairSpillPool,
    /// The most memory of one of them, apart from its first batch.
    most: usize,
    /// For all others.
    fixed: Mutex<Fixed>,
}

/// The part of the operators that cannot spill.
#[derive(Debug)]
struct Fixed {
    size: usize,
    used: usize,
    consumers: usize,
}

impl DividedPool {
    /// Creates a pool of `size` bytes for a join of some partitions. Half of it is for operators that can spill.
    pub(crate) fn new(size: usize, partitions: usize) -> Self {
        let spilling = size / 100 * SPILLING;
        let fixed = Fixed { size: size - spilling, used: 0, consumers: 0 };
        let most = fixed.size / (FIXED_PER_PARTITION * partitions.max(1));
        Self { size, spilling: FairSpillPool::new(spilling), most, fixed: Mutex::new(fixed) }
    }

    /// Locks the part of the operators that cannot spill.
    fn fixed(&self) -> MutexGuard<'_, Fixed> {
        // All changes are single assignments: a panic elsewhere leaves no half of one.
        self.fixed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for DividedPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "divided pool of {} bytes", self.size)
    }
}

impl MemoryPool for DividedPool {
    fn name(&self) -> &'static str {
        "divided"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        if consumer.can_spill() {
            self.spilling.register(consumer);
        } else {
            self.fixed().consumers += 1;
        }
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        if consumer.can_spill() {
            self.spilling.unregister(consumer);
        } else {
            let mut fixed = self.fixed();
            fixed.consumers = fixed.consumers.saturating_sub(1);
        }
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        if reservation.consumer().can_spill() {
            self.spilling.grow(reservation, additional);
        } else {
            self.fixed().used += additional;
        }
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        if reservation.consumer().can_spill() {
            self.spilling.shrink(reservation, shrink);
        } else {
            let mut fixed = self.fixed();
            fixed.used = fixed.used.saturating_sub(shrink);
        }
    }

    /// Reserves more bytes. An operator that cannot spill gets at most its equal share.
    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let consumer = reservation.consumer();
        if consumer.can_spill() {
            let held = reservation.size();
            if held > 0 && held + additional > self.most {
                return Err(DataFusionError::ResourcesExhausted(format!(
                    "{} holds {held} bytes, and may hold {} bytes",
                    consumer.name(),
                    self.most
                )));
            }
            return self.spilling.try_grow(reservation, additional);
        }
        let mut fixed = self.fixed();
        let share = fixed.size / fixed.consumers.max(1);
        let wanted = reservation.size() + additional;
        if wanted > share {
            return Err(DataFusionError::ResourcesExhausted(format!(
                "{} needs {wanted} bytes, and its share of the memory is {share} bytes: raise --memory",
                consumer.name()
            )));
        }
        fixed.used += additional;
        Ok(())
    }

    fn reserved(&self) -> usize {
        self.spilling.reserved() + self.fixed().used
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.size)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// A sort that is alone at first holds no more than its merge may use when all operators have started. Its first
    /// batch may be larger.
    #[test]
    fn a_sort_holds_what_its_merge_may_use() {
        let pool: Arc<dyn MemoryPool> = Arc::new(DividedPool::new(1200, 2));
        let sort = MemoryConsumer::new("sort").with_can_spill(true).register(&pool);
        let mut held = 0;
        while sort.try_grow(10).is_ok() {
            held += 10;
        }
        assert_eq!(held, 100);
        let fixed: Vec<_> = (0..6).map(|_| MemoryConsumer::new("merge").register(&pool)).collect();
        for merge in &fixed {
            merge.try_grow(held).unwrap();
        }
        assert!(fixed[0].try_grow(1).is_err());
        sort.free();
        assert!(sort.try_grow(300).is_ok());
    }
}
