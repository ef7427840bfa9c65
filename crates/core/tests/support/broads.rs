//! Every broad phase there is, once, for the tests that hold all of them to one promise.

use carom::World;
use carom::broad::{Auto, BroadPhase, Brute, Bvh, Grid, Sweep, SweepInsertion, SweepSwaps};

/// Makes one value of each broad phase.
macro_rules! each {
    ($make:path) => {
        [
            $make(Brute::new()),
            $make(Sweep::new()),
            $make(SweepInsertion::new()),
            $make(SweepSwaps::new()),
            $make(Grid::new()),
            $make(Bvh::new()),
            $make(Auto::new()),
        ]
    };
}

/// Returns every broad phase, empty.
pub fn all() -> [Box<dyn BroadPhase>; 7] {
    each!(Box::new)
}

/// Returns an empty world for every broad phase; brute force is the first.
pub fn worlds() -> [World; 7] {
    each!(World::with_broad_phase)
}
