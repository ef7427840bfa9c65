//! Defines the errors of the program: messages for the user, errors of the engine, and
//! interruption.
//!
//! Exit codes: 2 for an error, 130 for an interruption by the user.

use std::fmt;

use datafusion::error::DataFusionError;

/// The reason why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad input or arguments, or a resource of the machine: a message for the user.
    Input(String),
    /// An error of the engine.
    Engine(Box<DataFusionError>),
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl Failure {
    /// Returns an error with a message for the user.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::Input(message.into())
    }

    /// Returns the exit code of the program.
    pub(crate) fn exit_code(&self) -> u8 {
        if matches!(self, Self::Interrupted) { 130 } else { 2 }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message) => f.write_str(message),
            // Backtraces and wrappers say nothing to a user.
            Self::Engine(error) => f.write_str(&error.strip_backtrace()),
            Self::Interrupted => f.write_str("interrupted; no file was written"),
        }
    }
}

impl From<DataFusionError> for Failure {
    fn from(error: DataFusionError) -> Self {
        Self::Engine(Box::new(error))
    }
}

impl From<datafusion::arrow::error::ArrowError> for Failure {
    fn from(error: datafusion::arrow::error::ArrowError) -> Self {
        DataFusionError::from(error).into()
    }
}
