//! The ladder of the classic articles, each rung plain and readable; never picked by `auto`.

pub(super) mod sort_and_sweep;
pub(super) mod sort_and_sweep_coherent;
pub(super) mod sweep_and_prune;
