//! The race: measures carom, parry, Box2D and the textbook loop on the same numbers in one run. A
//! workload is a file and a line in [`WORKLOADS`]. A library is a file.

mod box2d;
mod carom;
mod casts;
mod input;
mod machine;
mod movers;
mod narrow;
mod options;
mod parry;
mod race;
mod rays;
mod report;
mod textbook;
mod w1;
mod w2;
mod w3;
mod w5;
mod w6;
mod w7;
mod worlds;

use std::process::ExitCode;

use options::{Format, Options};
use report::Report;

const WORKLOADS: [fn(&Options) -> Page; 10] = [
    w1::run,
    |options| page(options, &w2::run(options)),
    w3::run,
    |options| page(options, &rays::run(options)),
    |options| page(options, &w5::run(options)),
    w6::run,
    w7::run,
    worlds::frames,
    worlds::steps,
    movers::run,
];

/// Returns the result of a workload in the requested format. `None` if no row has the name.
struct Page {
    text: Option<String>,
    failures: Vec<String>,
}

/// Returns the page of a workload of single calls.
fn page(options: &Options, report: &Report) -> Page {
    let text = match options.format {
        Format::Markdown => report.markdown(options),
        Format::Json => report.json(options).to_string(),
    };
    Page { text: (!report.rows.is_empty()).then_some(text), failures: report.failures() }
}

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
    let mut code = ExitCode::SUCCESS;
    let mut printed = false;
    for workload in WORKLOADS {
        let page = workload(&options);
        if let Some(text) = page.text {
            println!("{text}");
            printed = true;
        }
        for failure in page.failures {
            eprintln!("carom-peers: {failure}");
            code = ExitCode::FAILURE;
        }
    }
    if !printed {
        eprintln!("carom-peers: no row's name holds '{}'", options.row);
        return ExitCode::from(2);
    }
    code
}
