//! The ladder of the classic articles, each rung plain and readable; never picked by `auto`.

pub(super) mod insertion;
pub(super) mod swaps;
pub(super) mod sweep;
