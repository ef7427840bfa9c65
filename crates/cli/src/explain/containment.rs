//! `carom explain --contains`: shows which part contains each part of the second shape, or where
//! that shape is outside.
use std::io::{self, Write};

use carom::explain::{ContainsExplanation, explain_contains};
use carom::query::Containment;
use carom_scene::draw;
use serde::Serialize;

use super::{Args, Case};
use crate::error::CliError;
use crate::json_number::pair;
use crate::number_format::point;
use crate::output;
use crate::table::{Align, Cell, Table};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct More {
    contains: Inside,
}

/// Fields that `--contains` adds to the report.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Inside {
    contains: bool,
    outside: Option<[f64; 2]>,
    parts: Vec<Part>,
}

/// A part of b.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Part {
    held: bool,
    /// Index of the part of a that contains it. Null if several parts contain it together, or none.
    by: Option<u32>,
    outside: Option<[f64; 2]>,
}

impl Inside {
    fn new(why: &ContainsExplanation) -> Self {
        let part = |held: &Containment| match *held {
            Containment::InPart(part) => Part { held: true, by: Some(part), outside: None },
            Containment::InUnion => Part { held: true, by: None, outside: None },
            Containment::Outside { at } => Part { held: false, by: None, outside: Some(pair(at)) },
        };
        Self {
            contains: why.contains(),
            outside: why.outside().map(pair),
            parts: why.parts().iter().map(part).collect(),
        }
    }
}

pub(super) fn run(case: &Case<'_>, args: &Args) -> Result<(), CliError> {
    let [a, b] = case.placed();
    let why = explain_contains(a, b);
    if let Some(picture) = &args.render {
        picture.save(&draw::containment(case.scene, case.a, case.b, &why, &draw::Options::default()))?;
    }
    case.print(args.format, More { contains: Inside::new(&why) }, |out| {
        let ([long_a, long_b], [_, b]) = (case.long_names(), case.names());
        match why.outside() {
            None => writeln!(out, "{long_a} contains {long_b}.")?,
            Some(at) => writeln!(out, "{long_a} does not contain {long_b}: the point ({}) is outside.", point(at))?,
        }
        if why.parts().len() > 1 {
            writeln!(out)?;
            table(out, &b, &why)?;
        }
        Ok(())
    })
}

fn table(out: &mut dyn Write, b: &str, why: &ContainsExplanation) -> io::Result<()> {
    let part = format!("part of {b}");
    let mut table = Table::new(&[(part.as_str(), Align::Right), ("", Align::Left)]);
    for (i, held) in why.parts().iter().enumerate() {
        let said = match held {
            Containment::InPart(part) => format!("in part {part}"),
            Containment::InUnion => "in several parts together".to_owned(),
            Containment::Outside { at } => format!("outside at ({})", point(*at)),
        };
        table.add([Cell::new(i.to_string()), Cell::new(said)]);
    }
    table.print(out, output::styled())
}
