//! The character mover: the failures that users of other engines report, and random rooms.

mod allocation;
mod changes;
mod crowd;
mod crushing;
mod families;
mod integrator;
mod jams;
mod jumps;
mod kit;
mod reports;
mod rest;
mod rooms;
mod spawning;
mod traps;
