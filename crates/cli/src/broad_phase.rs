//! Names the broad phases of `--broad`, and creates them.
use carom::World;
use carom::broad_phase::{
    Adaptive, BroadPhase, BruteForce, Bvh, CoherentSortAndSweep, SortAndSweep, StripSweep, SweepAndPrune,
};
use clap::ValueEnum;

/// Broad phase that finds the candidate pairs. The result is the same for each.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BroadPhaseArg {
    /// Chooses strips or a BVH from the number of shapes, of moving shapes and of queries
    Auto,
    /// Tests all pairs of boxes
    Brute,
    /// Strips along y, each swept along x
    #[value(alias = "grid")]
    Strips,
    /// Bounding volume hierarchy
    Bvh,
    /// Textbook sort and sweep along x
    Sweep,
    /// Textbook sort and sweep that keeps its order between updates (insertion sort)
    SweepInsertion,
    /// Textbook sweep and prune: sorted interval endpoints on both axes, updated by swaps
    SweepSwaps,
}

impl BroadPhaseArg {
    /// Returns an empty broad phase.
    pub(crate) fn build(self) -> Box<dyn BroadPhase + Send> {
        match self {
            Self::Auto => Box::new(Adaptive::new()),
            Self::Brute => Box::new(BruteForce::new()),
            Self::Strips => Box::new(StripSweep::new()),
            Self::Bvh => Box::new(Bvh::new()),
            Self::Sweep => Box::new(SortAndSweep::new()),
            Self::SweepInsertion => Box::new(CoherentSortAndSweep::new()),
            Self::SweepSwaps => Box::new(SweepAndPrune::new()),
        }
    }

    /// Returns an empty world with this broad phase.
    pub(crate) fn world(self) -> World {
        match self {
            Self::Auto => World::with_broad_phase(Adaptive::new()),
            Self::Brute => World::with_broad_phase(BruteForce::new()),
            Self::Strips => World::with_broad_phase(StripSweep::new()),
            Self::Bvh => World::with_broad_phase(Bvh::new()),
            Self::Sweep => World::with_broad_phase(SortAndSweep::new()),
            Self::SweepInsertion => World::with_broad_phase(CoherentSortAndSweep::new()),
            Self::SweepSwaps => World::with_broad_phase(SweepAndPrune::new()),
        }
    }
}
