//! The ladder of the classic articles, each rung plain and readable.

pub(super) mod sweep;
