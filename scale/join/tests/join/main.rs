//! Runs `carom-join` as a user does.

mod cluster;
mod faults;
mod lost;
mod maps;
mod pairs;
mod refused;
mod run;
