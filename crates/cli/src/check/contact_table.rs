//! Prints tables of contacts.
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use carom_scene::Scene;
use carom_scene::draw::Contact;

use super::by::{By, Groups};
use crate::layers::joined;
use crate::number_format::{direction, number, point, text};
use crate::table::{Align, Cell, Table};

/// Number of listed points per contact.
const LISTED: usize = 6;

/// Returns the first points of a contact, and the number of others.
fn points(all: &[carom::query::ContactPoint]) -> impl Iterator<Item = String> {
    let more = all.len().saturating_sub(LISTED);
    all.iter().take(LISTED).map(|p| point(p.position())).chain((more > 0).then(|| format!("and {more} more")))
}

/// Prints one row per pair of shapes, or of a shape and the tiles of a layer. The other contact
/// points of the deepest pair follow below it.
pub(super) fn contacts(
    out: &mut dyn Write,
    styled: bool,
    scene: &Scene,
    contacts: &[Contact],
    by: By,
) -> io::Result<()> {
    let left = |title| (title, Align::Left);
    let depth = ("depth", Align::Right);
    let layers = |i: usize| joined(scene, &scene.colliders[i]);
    let has_layers = scene.colliders.iter().any(|collider| scene.layers_of(collider).next().is_some());
    let title = if has_layers { "layers" } else { "" };
    let header = [left("a"), left("b"), left(title), depth, left("normal"), left("points"), left("")];
    let mut table = Table::new(&header);
    let mut add = |contact: &Contact, names: [&str; 2], notes: Vec<String>| {
        let manifold = &contact.manifold;
        let mut points = points(&contact.points).map(Cell::new);
        let pair = [contact.a, contact.b];
        let between = if has_layers { pair.map(|i| text(&layers(i))).join("/") } else { String::new() };
        table.add([
            Cell::new(text(names[0])),
            Cell::new(text(names[1])),
            Cell::new(between),
            Cell::new(number(manifold.depth)).styled(colour(manifold.depth)),
            Cell::new(direction(manifold.normal)),
            points.next().unwrap_or(Cell::new("")),
            Cell::new(notes.join(", ")),
        ]);
        for below in points {
            let [a, b, layers, depth, normal, note] = [""; 6].map(Cell::new);
            table.add([a, b, layers, depth, normal, below, note]);
        }
    };
    let id = |i: usize| scene.colliders[i].id.as_str();
    // Without tiles each contact is a row, and no groups are needed in memory.
    if by == By::Shape || !scene.colliders.iter().any(|collider| collider.origin.is_tile) {
        for contact in contacts {
            add(contact, [id(contact.a), id(contact.b)], note(scene, contact));
        }
        return table.print(out, styled);
    }
    let groups = Groups::new(scene, by, contacts);
    for row in &groups.rows {
        let contact = &contacts[row.deepest];
        let mut notes = note(scene, contact);
        if row.pairs == 1 {
            add(contact, [id(contact.a), id(contact.b)], notes);
            continue;
        }
        notes
            .insert(0, format!("{} pairs, the deepest {} and {}", row.pairs, text(id(contact.a)), text(id(contact.b))));
        let [a, b] = [0, 1].map(|side| groups.name(row.groups[side], &row.members[side]));
        add(contact, [&a, &b], notes);
    }
    table.print(out, styled)
}

/// Prints one row per pair of groups.
pub(super) fn groups(out: &mut dyn Write, styled: bool, scene: &Scene, contacts: &[Contact], by: By) -> io::Result<()> {
    let (left, right) = (|title| (title, Align::Left), |title| (title, Align::Right));
    let groups = Groups::new(scene, by, contacts);
    let header =
        [left("a"), left("b"), right("pairs"), right("touching"), right("depth"), right("total"), left("deepest")];
    let mut table = Table::new(&header);
    for row in &groups.rows {
        let name = |side: usize| match groups.name(row.groups[side], &row.members[side]) {
            name if name.is_empty() => "no layer".to_owned(),
            name => text(&name),
        };
        let contact = &contacts[row.deepest];
        let [a, b] = [contact.a, contact.b].map(|i| text(&scene.colliders[i].id));
        table.add([
            Cell::new(name(0)),
            Cell::new(name(1)),
            Cell::new(row.pairs.to_string()),
            Cell::new(row.touching.to_string()),
            Cell::new(number(row.depth)).styled(colour(row.depth)),
            Cell::new(number(row.total)),
            Cell::new(format!("{a} and {b}")),
        ]);
    }
    table.print(out, styled)
}

/// Adds the facts that the depth does not show.
fn note(scene: &Scene, contact: &Contact) -> Vec<String> {
    let depth = contact.manifold.depth;
    let mut notes = Vec::new();
    if depth == 0.0 {
        notes.push("touch".to_owned());
    } else if depth < 0.0 {
        notes.push("apart".to_owned());
    }
    if scene.colliders[contact.a].sensor || scene.colliders[contact.b].sensor {
        notes.push("sensor".to_owned());
    }
    notes
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
