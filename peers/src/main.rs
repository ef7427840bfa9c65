//! The race: carom beside parry, Box2D and the textbook loop, on the same numbers in one run.
//! A workload is a file and a line in [`WORKLOADS`]; a library is a file.

mod box2d;
mod carom;
mod input;
mod machine;
mod narrow;
mod options;
mod parry;
mod race;
mod rays;
mod report;
mod textbook;
mod w2;
mod w5;

use std::process::ExitCode;

use options::{Format, Options};
use report::Report;

const WORKLOADS: [fn(&Options) -> Report; 3] = [w2::run, rays::run, w5::run];

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args_os().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{}", options::HELP);
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("carom-peers: {error}");
            return ExitCode::from(2);
        }
    };
    if cfg!(debug_assertions) {
        eprintln!("carom-peers: a debug build measures nothing: cargo run --release");
        return ExitCode::from(2);
    }
    let (mut code, mut rows) = (ExitCode::SUCCESS, 0);
    for workload in WORKLOADS {
        let report = workload(&options);
        rows += report.rows.len();
        if report.rows.is_empty() {
            continue;
        }
        match options.format {
            Format::Markdown => println!("{}", report.markdown(&options)),
            Format::Json => println!("{}", report.json(&options)),
        }
        for failure in report.failures() {
            eprintln!("carom-peers: {failure}");
            code = ExitCode::FAILURE;
        }
    }
    if rows == 0 {
        eprintln!("carom-peers: no row's name holds '{}'", options.row);
        return ExitCode::from(2);
    }
    code
}
