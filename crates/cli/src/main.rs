//! Starts the command line `carom`.
//!
//! The code is in a library. Cargo begins to compile a library when the metadata of its dependencies exist, but a
//! program when their code is complete.
use std::process::ExitCode;

fn main() -> ExitCode {
    carom_cli::main()
}
