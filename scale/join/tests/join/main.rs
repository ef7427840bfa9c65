//! Runs `carom-join` as a user does.

mod addresses;
mod cluster;
mod counties;
mod faults;
mod geojson;
mod ids;
#[cfg(target_os = "linux")]
mod large;
mod lost;
mod maps;
mod memory;
mod output;
#[cfg(target_os = "linux")]
mod pages;
mod pairs;
mod refused;
mod run;
mod srid;
mod store;
