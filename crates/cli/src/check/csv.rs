//! Rows of `--format csv`. Every row has the same columns, so vectors are split into numbers.
use std::io::{self, Write};

use carom_scene::Scene;
use carom_scene::draw::{Contact, Hit};
use serde::Serialize;

use super::by::JsonRow;
use crate::json_number::{pair, plain};
use crate::layers::joined;

/// Writes a header and the rows.
pub(super) fn write<R: Serialize + Default>(out: &mut dyn Write, rows: &mut dyn Iterator<Item = R>) -> io::Result<()> {
    // The header comes from a row. Without rows, it comes from the default row.
    let mut text = Vec::new();
    let first = rows.next();
    write_one(&mut text, first.as_ref().unwrap_or(&R::default()))?;
    let header = text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| end + 1);
    out.write_all(if first.is_some() { &text } else { &text[..header] })?;
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    for row in rows {
        writer.serialize(&row).map_err(io_error)?;
    }
    writer.flush()
}

/// Writes a header and a row.
pub(super) fn write_one(out: &mut dyn Write, row: &impl Serialize) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.serialize(row).map_err(io_error)?;
    writer.flush()
}

/// Returns the error of the output with its kind: a closed reader is no failure. `io::Error::from` hides the kind.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// One contact, with its deepest point and the number of its points.
#[derive(Default, Serialize)]
pub(super) struct ContactLine<'s> {
    a: &'s str,
    b: &'s str,
    depth: f64,
    normal_x: f64,
    normal_y: f64,
    mtv_x: f64,
    mtv_y: f64,
    point_x: Option<f64>,
    point_y: Option<f64>,
    points: usize,
    sensor: bool,
    layers_a: String,
    layers_b: String,
}

pub(super) fn contact<'s>(scene: &'s Scene, contact: &Contact) -> ContactLine<'s> {
    let (a, b) = (&scene.colliders[contact.a], &scene.colliders[contact.b]);
    let manifold = &contact.manifold;
    let ([normal_x, normal_y], [mtv_x, mtv_y]) = (pair(manifold.normal), pair(manifold.mtv()));
    // Of equal depths the first.
    let deepest = contact.points.iter().rev().max_by(|p, q| p.depth.total_cmp(&q.depth));
    let point = deepest.map(|point| pair(point.position()));
    ContactLine {
        a: &a.id,
        b: &b.id,
        depth: plain(manifold.depth),
        normal_x,
        normal_y,
        mtv_x,
        mtv_y,
        point_x: point.map(|p| p[0]),
        point_y: point.map(|p| p[1]),
        points: contact.points.len(),
        sensor: a.sensor || b.sensor,
        layers_a: joined(scene, a),
        layers_b: joined(scene, b),
    }
}

/// One hit of `--sweep`.
#[derive(Default, Serialize)]
pub(super) struct HitLine<'s> {
    time: f64,
    a: &'s str,
    b: &'s str,
    normal_x: f64,
    normal_y: f64,
    point_x: f64,
    point_y: f64,
    initial_depth: Option<f64>,
    layers_a: String,
    layers_b: String,
}

pub(super) fn hit<'s>(scene: &'s Scene, hit: &Hit) -> HitLine<'s> {
    let (a, b) = (&scene.colliders[hit.a], &scene.colliders[hit.b]);
    let ([normal_x, normal_y], [point_x, point_y]) = (pair(hit.impact.normal), pair(hit.impact.point));
    HitLine {
        time: plain(hit.impact.time),
        a: &a.id,
        b: &b.id,
        normal_x,
        normal_y,
        point_x,
        point_y,
        initial_depth: hit.impact.initial_depth.map(plain),
        layers_a: joined(scene, a),
        layers_b: joined(scene, b),
    }
}

/// One row of `--by`.
#[derive(Default, Serialize)]
pub(super) struct GroupLine<'r> {
    a: &'r str,
    b: &'r str,
    pairs: usize,
    touching: usize,
    depth: f64,
    total: f64,
    deepest_a: &'r str,
    deepest_b: &'r str,
}

pub(super) fn group<'r>(row: &'r JsonRow<'_>) -> GroupLine<'r> {
    let [deepest_a, deepest_b] = row.deepest;
    let (pairs, touching, depth, total) = (row.pairs, row.touching, row.depth, row.total);
    GroupLine { a: &row.a, b: &row.b, pairs, touching, depth, total, deepest_a, deepest_b }
}

/// One difference of `--baseline`.
#[derive(Default, Serialize)]
pub(super) struct DifferenceLine<'r> {
    pub(super) change: &'r str,
    pub(super) a: &'r str,
    pub(super) b: &'r str,
    pub(super) depth: Option<f64>,
    pub(super) before: Option<f64>,
}
