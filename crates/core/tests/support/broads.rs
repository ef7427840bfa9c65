//! All broad phases, for tests that hold the same promise for each. Add a new one to [`each`], and raise [`COUNT`].

use carom::World;
use carom::broad_phase::{
    Adaptive, BroadPhase, BruteForce, Bvh, CoherentSortAndSweep, SortAndSweep, StripSweep, SweepAndPrune,
};

/// Number of broad phases.
pub const COUNT: usize = 7;

/// Makes one value of each broad phase.
macro_rules! each {
    ($make:path) => {
        [
            $make(BruteForce::new()),
            $make(SortAndSweep::new()),
            $make(CoherentSortAndSweep::new()),
            $make(SweepAndPrune::new()),
            $make(StripSweep::new()),
            $make(Bvh::new()),
            $make(Adaptive::new()),
        ]
    };
}

/// Returns every broad phase, empty.
pub fn all() -> [Box<dyn BroadPhase>; COUNT] {
    each!(Box::new)
}

/// Returns an empty world for every broad phase; brute force is the first.
pub fn worlds() -> [World; COUNT] {
    each!(World::with_broad_phase)
}
