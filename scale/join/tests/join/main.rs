//! Runs `carom-join` as a user does.

mod cluster;
mod faults;
mod maps;
mod pairs;
mod refused;
mod run;
