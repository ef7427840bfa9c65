//! Developer commands: `cargo xtask check`, `bench`, `build-race`, `web`, `play`, `site`.

mod build_race;
mod cargo;
mod check;
mod source_lines;
mod web;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask check | bench [NAME…] | build-race [ROW…] | web | play [--port N] [--no-open] | site OUT

  check        Checks format, lints, docs and tests. Run it before a pull request; .ci/run does this and more.
  bench        Benchmarks the kernels of the library whose names contain a NAME (all if none is named).
  build-race   Measures build times, binary sizes and source lines of carom beside parry2d, and prints a Markdown table.
               ROW: programs, wasm, dependent, clone, ir, lines (all if none is named). Run it with nothing else on \
the machine.
               Needs the target wasm32-unknown-unknown (rustup target add) for `wasm`.
  web          Builds the wasm modules and the npm package, and prints their sizes.
  play         Builds these and the playground, serves it on this machine only, and opens it in the browser.
               --port N: the port (any free one by default). --no-open: do not open the browser. Needs Node 20.
  site         Builds these and writes the playground into the folder OUT, for any web host.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["check"] => check::run(),
        ["bench", names @ ..] => check::bench(names),
        ["build-race", rows @ ..] => build_race::run(rows),
        ["web"] => web::build_package(),
        ["play", options @ ..] => web::play(options),
        ["site", out] => web::site(out),
        ["--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
