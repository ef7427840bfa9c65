//! `carom completions`: prints the completion script of a shell.
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::error::CliError;
use crate::{Cli, output};

/// Print the completion script of a shell.
///
/// For example: carom completions bash > ~/.local/share/bash-completion/completions/carom
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Shell for which the script is written.
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "carom", &mut script);
    output::print(|out| out.write_all(&script))?;
    Ok(ExitCode::SUCCESS)
}
