//! `carom join`: starts the program `carom-join`, which is built from the folder `scale` of the repository.
use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::{Command, ExitCode};

use crate::error::CliError;

/// Name of the program, searched on the path.
const PROGRAM: &str = "carom-join";

/// Join outlines with outlines on a query engine (program `carom-join`).
///
/// All arguments go to the program `carom-join`; `carom join --help` prints its help.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// Arguments of carom-join
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let status = Command::new(PROGRAM).args(&args.arguments).status().map_err(|error| match error.kind() {
        ErrorKind::NotFound => CliError::new(format!(
            "join needs the program {PROGRAM}, which is not on the PATH. In a clone of the repository: \
             cargo install --locked --path scale/join"
        )),
        _ => CliError::at(PROGRAM, error),
    })?;
    // Without a code the program was ended by a signal; shells report 128 and more then.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::from(128), ExitCode::from))
}
