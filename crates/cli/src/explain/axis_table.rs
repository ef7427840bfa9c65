//! Prints the table of the axes of an explanation.
use std::io::{self, Write};

use anstyle::Style;
use carom::explain::Axis;

use super::sentences::source;
use crate::number_format::{direction, short};
use crate::table::{Align, Cell, Table};

/// Prints one row per axis, with an arrow at the deciding axis.
pub(super) fn print(out: &mut dyn Write, styled: bool, a: &str, b: &str, axes: &[Axis]) -> io::Result<()> {
    let projections = [format!("projection of {a}"), format!("projection of {b}")];
    let left = |title| (title, Align::Left);
    let overlap = ("overlap", Align::Right);
    let mut table =
        Table::new(&[left("  axis"), left("direction"), left(&projections[0]), left(&projections[1]), overlap]);
    for axis in axes {
        let (mark, style) = if axis.is_minimum { ('→', Style::new().bold()) } else { (' ', Style::new()) };
        let texts = [
            format!("{mark} {}", source(axis.source, a, b)),
            direction(axis.normal),
            interval(axis.projection_a),
            interval(axis.projection_b),
            short(axis.overlap),
        ];
        table.add(texts.map(|text| Cell::new(text).styled(style)));
    }
    table.print(out, styled)
}

fn interval([min, max]: [f64; 2]) -> String {
    format!("{} … {}", short(min), short(max))
}
