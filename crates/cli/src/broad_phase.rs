//! The names of the broad phases.
use carom::World;
use carom::broad_phase::{
    Adaptive, BroadPhase, BruteForce, Bvh, CoherentSortAndSweep, SortAndSweep, StripSweep, SweepAndPrune,
};
use clap::ValueEnum;

/// How pairs that may meet are found. The answer is the same for each.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BroadPhaseArg {
    /// Picked by what there is: few shapes, many that move, many that stand still
    Auto,
    /// Every pair of boxes
    Brute,
    /// Strips, each in order along x
    Grid,
    /// A tree of boxes
    Bvh,
    /// Textbook: sort along x and stop early
    Sweep,
    /// Textbook: the same with an order that lasts
    SweepInsertion,
    /// Textbook: edges on both axes that change places
    SweepSwaps,
}

impl BroadPhaseArg {
    /// An empty one.
    pub(crate) fn build(self) -> Box<dyn BroadPhase + Send> {
        match self {
            Self::Auto => Box::new(Adaptive::new()),
            Self::Brute => Box::new(BruteForce::new()),
            Self::Grid => Box::new(StripSweep::new()),
            Self::Bvh => Box::new(Bvh::new()),
            Self::Sweep => Box::new(SortAndSweep::new()),
            Self::SweepInsertion => Box::new(CoherentSortAndSweep::new()),
            Self::SweepSwaps => Box::new(SweepAndPrune::new()),
        }
    }

    /// An empty world with it.
    pub(crate) fn world(self) -> World {
        match self {
            Self::Auto => World::with_broad_phase(Adaptive::new()),
            Self::Brute => World::with_broad_phase(BruteForce::new()),
            Self::Grid => World::with_broad_phase(StripSweep::new()),
            Self::Bvh => World::with_broad_phase(Bvh::new()),
            Self::Sweep => World::with_broad_phase(SortAndSweep::new()),
            Self::SweepInsertion => World::with_broad_phase(CoherentSortAndSweep::new()),
            Self::SweepSwaps => World::with_broad_phase(SweepAndPrune::new()),
        }
    }
}
