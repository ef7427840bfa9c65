//! Parses the command line.

use std::ffi::OsString;

use lexopt::prelude::{Long, Short, ValueExt};

/// The help text.
pub(crate) const HELP: &str = "\
The race of carom against other libraries and the articles' own loops.

    cargo run --release -- [OPTIONS]

    --rounds N      rounds that are timed (15)
    --records N     pairs in a round (1000000); rows of W1 with more boxes are left out
    --seed N        seed of all input (1)
    --row TEXT      only the rows whose name holds TEXT
    --format F      markdown (default) or json
    --help
";

/// Output format of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// Tables.
    #[default]
    Markdown,
    /// The same numbers as JSON.
    Json,
}

/// Settings of the race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Number of timed rounds.
    pub(crate) rounds: usize,
    /// Number of records in a round.
    pub(crate) records: usize,
    /// Seed of all input.
    pub(crate) seed: u64,
    /// Part of the names of the selected rows.
    pub(crate) row: String,
    /// Output format of the result.
    pub(crate) format: Format,
}

impl Default for Options {
    fn default() -> Self {
        Self { rounds: 15, records: 1_000_000, seed: 1, row: String::new(), format: Format::Markdown }
    }
}

impl Options {
    /// Returns `None` for help.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Self>, lexopt::Error> {
        let mut options = Self::default();
        let mut parser = lexopt::Parser::from_args(arguments);
        while let Some(argument) = parser.next()? {
            match argument {
                Long("rounds") => options.rounds = at_least_one(&mut parser)?,
                Long("records") => options.records = at_least_one(&mut parser)?,
                Long("seed") => options.seed = parser.value()?.parse()?,
                Long("row") => options.row = parser.value()?.string()?,
                Long("format") => options.format = format(&mut parser)?,
                Long("help") | Short('h') => return Ok(None),
                other => return Err(other.unexpected()),
            }
        }
        Ok(Some(options))
    }
}

fn at_least_one(parser: &mut lexopt::Parser) -> Result<usize, lexopt::Error> {
    match parser.value()?.parse()? {
        0 => Err("0 is too few: give at least 1".into()),
        n => Ok(n),
    }
}

fn format(parser: &mut lexopt::Parser) -> Result<Format, lexopt::Error> {
    match parser.value()?.string()?.as_str() {
        "markdown" => Ok(Format::Markdown),
        "json" => Ok(Format::Json),
        other => Err(format!("unknown format '{other}': markdown or json").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<Options>, lexopt::Error> {
        Options::parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn knobs_are_read() {
        let options = parse("--rounds 3 --records=500 --row circle --format json").unwrap();
        let expected =
            Options { rounds: 3, records: 500, row: "circle".into(), format: Format::Json, ..Options::default() };
        assert_eq!(options, Some(expected));
        assert_eq!(parse("--help").unwrap(), None);
    }

    #[test]
    fn nonsense_is_refused() {
        for line in ["--rounds 0", "--records many", "--format xml", "--laps 3", "W9"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
