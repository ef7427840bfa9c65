//! Runs the command line as a user does: the binary, its output, its exit code.
mod bad_input;
mod carom;
mod commands;
mod contract;
mod explain;
mod formats;
mod options;
mod parts;
mod pictures;
mod readme;
mod replay;
mod simulate;
mod steps;
mod streams;
mod sweep;
mod threads;
mod transcripts;
