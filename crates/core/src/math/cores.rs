//! Work for several cores: with the feature `parallel` those of rayon's current pool, without it the caller's alone.
//!
//! Work is cut into parts whose results do not depend on where the cuts are, and results are put together in the order of the parts; so they are the same for any
//! number of cores.

use alloc::vec::Vec;

/// Parts for each core: a core that is held up by somebody else leaves some of its parts to the others.
#[cfg(feature = "parallel")]
const PARTS: usize = 4;

/// How many parts to cut work into: one where there is one core, or less work than is worth cutting; else each has at least `least` of it.
pub(crate) fn parts(work: usize, least: usize) -> usize {
    #[cfg(feature = "parallel")]
    if work >= 2 * least {
        let cores = rayon::current_num_threads();
        return if cores > 1 { (PARTS * cores).min(work / least) } else { 1 };
    }
    let _ = (work, least);
    1
}

/// Does all tasks, on whatever core is free.
pub(crate) fn each<T: Send>(tasks: Vec<T>, run: impl Fn(T) + Sync + Send) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        tasks.into_par_iter().with_max_len(1).for_each(run);
    }
    #[cfg(not(feature = "parallel"))]
    tasks.into_iter().for_each(run);
}

/// Appends a long list to another.
pub(crate) fn append<T: Copy + Send + Sync>(list: &mut Vec<T>, more: &[T]) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        // Copying many pages takes long enough to share it.
        list.par_extend(more.par_iter().with_min_len(1 << 14).copied());
    }
    #[cfg(not(feature = "parallel"))]
    list.extend_from_slice(more);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_work_and_one_thread_make_one_part() {
        let on = |threads: usize, work: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| parts(work, 100))
        };
        assert_eq!([on(1, 1_000_000), on(3, 0), on(3, 199)], [1; 3]);
        let [some, many] = [on(3, 350), on(3, 1_000_000)];
        if cfg!(feature = "parallel") {
            assert!(some == 3 && many >= 3, "{some} {many}");
        } else {
            assert_eq!([some, many], [1; 2]);
        }
    }

    #[test]
    fn every_task_is_done_once_and_lists_are_in_order() {
        let mut done = [0; 50];
        each(done.iter_mut().collect(), |count| *count += 1);
        assert_eq!(done, [1; 50]);
        let mut list: Vec<u32> = (0..10).collect();
        append(&mut list, &(10..100_000).collect::<Vec<_>>());
        assert!(list.iter().zip(0..).all(|(&a, b)| a == b) && list.len() == 100_000);
    }
}
