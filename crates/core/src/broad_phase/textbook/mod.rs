//! Textbook broad phases, in short plain code. `auto` never selects them.

pub(super) mod sort_and_sweep;
pub(super) mod sort_and_sweep_coherent;
pub(super) mod sweep_and_prune;
