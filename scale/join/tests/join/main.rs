//! Runs `carom-join` as a user does.

mod addresses;
mod cluster;
mod counties;
mod faults;
mod lost;
mod maps;
mod memory;
mod pairs;
mod refused;
mod run;
mod store;
