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
