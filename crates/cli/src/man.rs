//! `carom man`: prints the manual pages.
use std::process::ExitCode;

use clap::Command;
use clap_mangen::Man;

use crate::error::CliError;
use crate::output;

/// Print a manual page.
///
/// To read it at once: carom man check | man -l -
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Command whose page is printed [default: the page of carom itself]
    #[arg(
        value_parser = [
            "check", "explain", "simulate", "replay", "walk", "decompose", "trace", "join", "bench", "completions", "man",
        ]
    )]
    command: Option<String>,
}

/// Prints a page of the command line `root`.
pub(crate) fn run(args: &Args, root: Command) -> Result<ExitCode, CliError> {
    let mut root = root.disable_help_subcommand(true);
    root.build();
    let command = match &args.command {
        None => root,
        Some(name) => root
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| CliError::new(format!("man: there is no command `{name}`")))?,
    };
    let page = Man::new(command);
    output::print(|out| page.render(&mut &mut *out))?;
    Ok(ExitCode::SUCCESS)
}
