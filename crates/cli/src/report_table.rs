//! Tables of contacts and of the axes of an explanation.
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use carom::explain::{Axis, AxisSource};
use carom_scene::Scene;
use carom_scene::draw::Contact;

use crate::number_format::{direction, number, point, short, text};
use crate::table::{Align, Cell, Table};

/// Number of listed points per contact.
const LISTED: usize = 6;

/// Returns the first points of a contact, and the number of others.
fn points(all: &[carom::query::ContactPoint]) -> impl Iterator<Item = String> {
    let more = all.len().saturating_sub(LISTED);
    all.iter().take(LISTED).map(|p| point(p.position())).chain((more > 0).then(|| format!("and {more} more")))
}

/// Prints one row per contact, and its other contact points below.
pub(crate) fn contacts(out: &mut dyn Write, styled: bool, scene: &Scene, contacts: &[Contact]) -> io::Result<()> {
    let left = |title| (title, Align::Left);
    let depth = ("depth", Align::Right);
    let mut table = Table::new([left("a"), left("b"), depth, left("normal"), left("points"), left("")]);
    for contact in contacts {
        let manifold = &contact.manifold;
        let mut points = points(&contact.points).map(Cell::new);
        table.add([
            Cell::new(text(&scene.colliders[contact.a].id)),
            Cell::new(text(&scene.colliders[contact.b].id)),
            Cell::new(number(manifold.depth)).styled(colour(manifold.depth)),
            Cell::new(direction(manifold.normal)),
            points.next().unwrap_or(Cell::new("")),
            Cell::new(note(scene, contact)),
        ]);
        for below in points {
            let [a, b, depth, normal, note] = [""; 5].map(Cell::new);
            table.add([a, b, depth, normal, below, note]);
        }
    }
    table.print(out, styled)
}

/// Prints one row per axis, with an arrow at the deciding axis.
pub(crate) fn axes(out: &mut dyn Write, styled: bool, a: &str, b: &str, axes: &[Axis]) -> io::Result<()> {
    let projections = [format!("projection of {a}"), format!("projection of {b}")];
    let left = |title| (title, Align::Left);
    let overlap = ("overlap", Align::Right);
    let mut table =
        Table::new([left("  axis"), left("direction"), left(&projections[0]), left(&projections[1]), overlap]);
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

/// Describes the edge or the vertices that define an axis.
pub(crate) fn source(source: AxisSource, a: &str, b: &str) -> String {
    match source {
        AxisSource::EdgeOfA(edge) => format!("edge {edge} of {a}"),
        AxisSource::EdgeOfB(edge) => format!("edge {edge} of {b}"),
        AxisSource::Nearest => "nearest points".to_owned(),
        AxisSource::Union => "way out of the union".to_owned(),
    }
}

fn interval([min, max]: [f64; 2]) -> String {
    format!("{} … {}", short(min), short(max))
}

/// Adds the facts that the depth does not show.
fn note(scene: &Scene, contact: &Contact) -> String {
    let depth = contact.manifold.depth;
    let mut notes = Vec::new();
    if depth == 0.0 {
        notes.push("touch");
    } else if depth < 0.0 {
        notes.push("apart");
    }
    if scene.colliders[contact.a].sensor || scene.colliders[contact.b].sensor {
        notes.push("sensor");
    }
    notes.join(", ")
}

fn colour(depth: f64) -> Style {
    let colour = if depth > 0.0 {
        AnsiColor::Red
    } else if depth < 0.0 {
        AnsiColor::Green
    } else {
        AnsiColor::Yellow
    };
    colour.on_default()
}
