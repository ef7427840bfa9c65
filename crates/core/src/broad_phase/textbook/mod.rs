//! Implements textbook broad phases, in short plain code. `auto` never selects them.
//!
//! They are independent implementations for tests, and references for benchmarks, because other
//! libraries use these methods. `pairs_observed` reports their steps, for teaching. Without an
//! observer the reports are compiled out.

pub(super) mod observed;
pub(super) mod sort_and_sweep;
pub(super) mod sort_and_sweep_coherent;
pub(super) mod sweep_and_prune;
