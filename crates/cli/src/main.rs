//! Starts the command line `carom`.
//!
//! The code is in a library: Cargo compiles a library while the code of its dependencies is generated, and a program only
//! after it.
use std::process::ExitCode;

fn main() -> ExitCode {
    carom_cli::main()
}
