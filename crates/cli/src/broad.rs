//! The names of the broad phases.
use carom::World;
use carom::broad::{Auto, BroadPhase, Brute, Bvh, Grid, Sweep, SweepInsertion, SweepSwaps};
use clap::ValueEnum;

/// How pairs that may meet are found. The answer is the same for each.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Broad {
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

impl Broad {
    /// An empty one.
    pub(crate) fn build(self) -> Box<dyn BroadPhase + Send> {
        match self {
            Self::Auto => Box::new(Auto::new()),
            Self::Brute => Box::new(Brute::new()),
            Self::Grid => Box::new(Grid::new()),
            Self::Bvh => Box::new(Bvh::new()),
            Self::Sweep => Box::new(Sweep::new()),
            Self::SweepInsertion => Box::new(SweepInsertion::new()),
            Self::SweepSwaps => Box::new(SweepSwaps::new()),
        }
    }

    /// An empty world with it.
    pub(crate) fn world(self) -> World {
        match self {
            Self::Auto => World::with_broad_phase(Auto::new()),
            Self::Brute => World::with_broad_phase(Brute::new()),
            Self::Grid => World::with_broad_phase(Grid::new()),
            Self::Bvh => World::with_broad_phase(Bvh::new()),
            Self::Sweep => World::with_broad_phase(Sweep::new()),
            Self::SweepInsertion => World::with_broad_phase(SweepInsertion::new()),
            Self::SweepSwaps => World::with_broad_phase(SweepSwaps::new()),
        }
    }
}
