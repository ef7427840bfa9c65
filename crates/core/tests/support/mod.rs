//! Shared by the tests: the oracle, the pairs, and the runner.
#![allow(unreachable_pub, reason = "shared by the modules of the test binary")]

pub mod adversarial;
pub mod boundary;
pub mod broads;
pub mod dice;
pub mod exact;
pub mod fixtures;
pub mod gaps;
pub mod import_graph;
pub mod integer;
pub mod kinds;
pub mod lattice;
pub mod measure;
pub mod outlines;
pub mod partition;
pub mod random_pairs;
pub mod recipe;
pub mod relations;
pub mod run;
pub mod shapes;
pub mod sweeps;
pub mod turning;
pub mod union;
pub mod validity;
