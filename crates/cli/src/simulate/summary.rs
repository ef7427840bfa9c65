//! Summarizes a simulation.
use std::io::Write;

use serde::Serialize;

use super::run::Ran;
use crate::error::CliError;
use crate::json_number::{pair, plain};
use crate::number_format::{number, point};
use crate::output::ResultFormat;

/// Output of `simulate --format json`: a contract, including the order of the fields.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Report {
    steps: usize,
    dt: f64,
    bodies: usize,
    tests: u64,
    possible_tests: u64,
    begins: u64,
    ends: u64,
    energy: [f64; 2],
    momentum: [[f64; 2]; 2],
    deepest: f64,
    ns_per_body_step: f64,
    kinetic: [f64; 2],
    potential: [f64; 2],
    dissipated: Option<f64>,
    drift: Option<f64>,
}

impl Ran {
    /// Number of tests that all pairs would need.
    fn possible_tests(&self) -> u64 {
        let n = self.colliders as u64;
        (n * n.saturating_sub(1) / 2).saturating_mul(self.steps as u64)
    }

    /// Kinetic plus potential energy, at the start and at the end.
    fn energy(&self) -> [f64; 2] {
        [0, 1].map(|i| self.kinetic[i] + self.potential[i])
    }

    /// Energy at the start minus energy at the end.
    fn lost(&self) -> f64 {
        self.energy()[0] - self.energy()[1]
    }

    /// Returns whether the momentum is the same up to rounding: nothing acted from outside.
    fn keeps_momentum(&self) -> bool {
        let [first, last] = self.momentum;
        first.distance(last) <= 1e-12 * first.length()
    }

    /// Returns the lines about energy. A loss in inelastic bounces is dissipation. Bodies that bounce
    /// without loss keep their energy, so a difference is an error of the simulation: drift.
    fn energies(&self) -> Vec<String> {
        let line = |name: &str, [first, last]: [f64; 2]| format!("{name:<18}{}  →  {}", number(first), number(last));
        let mut lines = vec![line("kinetic energy", self.kinetic)];
        if self.potential != [0.0; 2] {
            lines.push(line("potential energy", self.potential) + "  (zero at the origin)");
            lines.push(line("total energy", self.energy()));
        }
        lines.push(self.change());
        lines
    }

    fn change(&self) -> String {
        let (name, change) =
            if self.is_inelastic { ("dissipated", self.lost()) } else { ("drift of energy", -self.lost()) };
        // A share of an energy about an arbitrary zero level means nothing.
        let share = if self.potential == [0.0; 2] && self.kinetic[0] > 0.0 {
            format!(" ({} %)", number(100.0 * change / self.kinetic[0]))
        } else {
            String::new()
        };
        format!("{name:<18}{}{share}", number(change))
    }

    fn ns_per_body_step(&self) -> f64 {
        let total: f64 = self.stages.iter().map(std::time::Duration::as_secs_f64).sum();
        total * 1e9 / (self.bodies.max(1) * self.steps.max(1)) as f64
    }
}

pub(super) fn print(ran: &Ran, format: ResultFormat) -> Result<(), CliError> {
    let report = Report {
        steps: ran.steps,
        dt: plain(ran.dt),
        bodies: ran.bodies,
        tests: ran.tests,
        possible_tests: ran.possible_tests(),
        begins: ran.begins,
        ends: ran.ends,
        energy: ran.energy().map(plain),
        momentum: ran.momentum.map(pair),
        deepest: plain(ran.deepest),
        ns_per_body_step: plain(ran.ns_per_body_step()),
        kinetic: ran.kinetic.map(plain),
        potential: ran.potential.map(plain),
        dissipated: ran.is_inelastic.then(|| plain(ran.lost())),
        drift: (!ran.is_inelastic).then(|| plain(-ran.lost())),
    };
    format.print(&report, &|out| {
        writeln!(out, "{} bodies, {} steps of {} s", ran.bodies, ran.steps, number(ran.dt))?;
        writeln!(out, "{} contacts began, {} ended", ran.begins, ran.ends)?;
        if ran.impacts > 0 {
            writeln!(out, "{} impacts between the ends of steps", ran.impacts)?;
        }
        writeln!(out, "{} pairs tested, of {} that there are", ran.tests, report.possible_tests)?;
        ran.energies().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        if ran.external.is_none() || ran.keeps_momentum() {
            writeln!(out, "momentum          {}  →  {}", point(ran.momentum[0]), point(ran.momentum[1]))?;
        }
        writeln!(out, "deepest overlap after a step: {}", number(ran.deepest))
    })
}

/// Prints on stderr, because stdout is for data.
pub(super) fn stats(ran: &Ran) {
    let per_step =
        |time: std::time::Duration| format!("{:.4} ms a step", time.as_secs_f64() * 1e3 / ran.steps.max(1) as f64);
    let share = ran.tests as f64 / (ran.possible_tests() as f64).max(1.0);
    let mut lines = vec![
        ("bodies", format!("{} of {} colliders", ran.bodies, ran.colliders)),
        ("broad phase", ran.broad.to_owned()),
        ("tests", format!("{} of {} ({} %)", ran.tests, ran.possible_tests(), number(share * 100.0))),
    ];
    lines.extend(["move", "update", "bounce", "separate"].into_iter().zip(ran.stages.map(per_step)));
    lines.push(("a body's step", format!("{} ns", number(ran.ns_per_body_step()))));
    let (name, change) = if ran.is_inelastic { ("dissipated", ran.lost()) } else { ("energy drift", -ran.lost()) };
    lines.push((name, number(change)));
    let momentum = point(ran.momentum[1] - ran.momentum[0]);
    let why = ran.external.map_or(String::new(), |what| format!("; {what} on the bodies"));
    lines.push(("momentum", format!("changed by {momentum}{why}")));
    lines.push(("deepest", number(ran.deepest)));
    let mut stderr = anstream::stderr().lock();
    for (name, value) in lines {
        // The data is printed. A failure to print statistics is no error.
        let _ = writeln!(stderr, "{name:<14}{value}");
    }
}
