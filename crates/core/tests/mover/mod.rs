//! The character mover: the failures that users of other engines report, and random rooms.

mod jams;
mod reports;
mod rooms;
