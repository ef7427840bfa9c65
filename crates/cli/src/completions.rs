//! `carom completions`: prints the completion script of a shell.
use std::process::ExitCode;

use clap::Command;
use clap_complete::{Shell, generate};

use crate::error::CliError;
use crate::output;

/// Print the completion script of a shell.
///
/// For example: carom completions bash > ~/.local/share/bash-completion/completions/carom
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Shell for which the script is written.
    shell: Shell,
}

/// Prints the script for the command line `root`.
pub(crate) fn run(args: &Args, mut root: Command) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    generate(args.shell, &mut root, "carom", &mut script);
    output::print(|out| out.write_all(&script))?;
    Ok(ExitCode::SUCCESS)
}
