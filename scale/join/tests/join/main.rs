//! Runs `carom-join` as a user does.

mod addresses;
mod cluster;
mod counties;
mod faults;
#[cfg(target_os = "linux")]
mod large;
mod lost;
mod maps;
mod memory;
mod pairs;
mod refused;
mod run;
mod store;
