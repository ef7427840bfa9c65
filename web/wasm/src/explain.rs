//! Exports explanations, casts and other queries of two shapes. The input is both placed shapes.

use alloc::vec::Vec;

use carom::explain::{AxisSource, GjkPoint, ImpactMethod, explain_gjk, explain_time_of_impact};
use carom::query::{Impact, manifolds_within, overlap_region};
use carom::{DVec2, Pose, Shape, Sweep, contains, explain_sat, time_of_impact};

use crate::export;
use crate::failure::Failure;
use crate::pairs::{Pair, push, write_manifold};
use crate::shape_input::Reader;

/// Two shapes and their motions: dx, dy, rotation of each.
struct Motions {
    pair: Pair,
    motions: [[f64; 3]; 2],
}

impl Motions {
    fn read(input: &[f64]) -> Result<Self, Failure> {
        let mut reader = Reader::new(input);
        let motions = [reader.numbers()?, reader.numbers()?];
        Ok(Self { motions, pair: Pair::read(&mut reader)? })
    }

    fn sweeps(&self) -> Result<[Sweep<'_>; 2], Failure> {
        let [[ax, ay, turn_a], [bx, by, turn_b]] = self.motions;
        Ok([
            self.pair.a().sweep([ax, ay])?.with_rotation(turn_a)?,
            self.pair.b().sweep([bx, by])?.with_rotation(turn_b)?,
        ])
    }
}

/// NaN stands for an absent number.
pub(crate) fn optional(number: Option<f64>) -> f64 {
    number.unwrap_or(f64::NAN)
}

/// Returns the numbers of an impact: time, normal, point, initial depth or NaN, parts.
fn impact_numbers(impact: &Impact) -> [f64; 8] {
    let ([nx, ny], [x, y]) = (impact.normal.to_array(), impact.point.to_array());
    [impact.time, nx, ny, x, y, optional(impact.initial_depth), impact.part_a.into(), impact.part_b.into()]
}

fn write_vertex(output: &mut Vec<f64>, point: &GjkPoint) {
    push(output, point.difference());
    push(output, point.point_a);
    push(output, point.point_b);
    output.extend([point.vertex_a, point.vertex_b].map(f64::from));
}

fn write_vertices(output: &mut Vec<f64>, points: &[GjkPoint]) {
    output.push(points.len() as f64);
    for point in points {
        write_vertex(output, point);
    }
}

/// Appends the number of points, then the points.
pub(crate) fn write_ring(output: &mut Vec<f64>, points: &[DVec2]) {
    output.push(points.len() as f64);
    for &point in points {
        push(output, point);
    }
}

/// Returns half the longer side of the box of a shape without rotation: the radius of a circle.
fn half_extent(shape: &Shape) -> f64 {
    shape.placed(Pose::IDENTITY).aabb().size().max_element() / 2.0
}

export! {
    /// Writes the number of manifolds, then each of them.
    fn pair_manifolds(buffers, margin: f64) {
        let pair = Pair::read(&mut Reader::new(&buffers.input))?;
        let mut found = Vec::new();
        manifolds_within(pair.a(), pair.b(), margin, &mut found);
        buffers.write(&[found.len() as f64]);
        for manifold in &found {
            write_manifold(&mut buffers.output, manifold);
        }
        Ok(true)
    }

    /// Returns 1 if the first shape contains the second one.
    fn pair_contains(buffers) {
        let pair = Pair::read(&mut Reader::new(&buffers.input))?;
        Ok(contains(pair.a(), pair.b()))
    }

    /// Returns 1 if a placed shape contains a point.
    fn contains_point(buffers, x: f64, y: f64) {
        let (shape, pose) = Reader::new(&buffers.input).placed()?;
        Ok(shape.placed(pose).contains_point([x, y])?)
    }

    /// Writes the first contact of two motions. Returns 0 if there is none.
    fn pair_time_of_impact(buffers) {
        let motions = Motions::read(&buffers.input)?;
        let [a, b] = motions.sweeps()?;
        let found = time_of_impact(a, b);
        buffers.write(&found.map_or([0.0; 8], |impact| impact_numbers(&impact)));
        Ok(found.is_some())
    }

    /// Writes the axes of the separating axis test.
    fn pair_explain(buffers) {
        let pair = Pair::read(&mut Reader::new(&buffers.input))?;
        let why = explain_sat(pair.a(), pair.b());
        let [part_a, part_b] = why.parts();
        let deciding = why.axes().iter().position(|axis| axis.is_minimum).unwrap_or(0);
        let bools = [why.intersects(), why.overlaps()].map(f64::from);
        buffers.write(&[
            bools[0],
            bools[1],
            optional(why.depth()),
            why.distance(),
            deciding as f64,
            part_a.into(),
            part_b.into(),
            why.axes().len() as f64,
        ]);
        for axis in why.axes() {
            let (source, edge) = match axis.source {
                AxisSource::EdgeOfA(edge) => (0.0, edge),
                AxisSource::EdgeOfB(edge) => (1.0, edge),
                AxisSource::Nearest => (2.0, 0),
                AxisSource::Union => (3.0, 0),
            };
            push(&mut buffers.output, axis.normal);
            buffers.output.extend([source, edge.into()]);
            buffers.output.extend(axis.projection_a);
            buffers.output.extend(axis.projection_b);
            buffers.output.extend([axis.overlap, f64::from(axis.is_minimum)]);
        }
        Ok(true)
    }

    /// Writes the iterations of GJK.
    fn pair_explain_gjk(buffers) {
        let pair = Pair::read(&mut Reader::new(&buffers.input))?;
        let why = explain_gjk(pair.a(), pair.b());
        let [part_a, part_b] = why.parts();
        let bools = [why.contains_origin(), why.intersects()].map(f64::from);
        buffers.write(&[bools[0], bools[1], why.radius(), why.distance(), part_a.into(), part_b.into()]);
        let output = &mut buffers.output;
        write_vertices(output, why.simplex());
        write_ring(output, why.difference());
        output.push(why.steps().len() as f64);
        for step in why.steps() {
            write_vertices(output, step.simplex());
            push(output, step.direction);
            write_vertex(output, &step.support);
            output.extend([step.upper_bound, step.lower_bound]);
        }
        Ok(true)
    }

    /// Writes the steps of a time of impact.
    fn pair_explain_time_of_impact(buffers) {
        let motions = Motions::read(&buffers.input)?;
        let [a, b] = motions.sweeps()?;
        let why = explain_time_of_impact(a, b);
        let method = match why.method() {
            ImpactMethod::Start => 0.0,
            ImpactMethod::Clip => 1.0,
            _ => 2.0,
        };
        let [part_a, part_b] = why.parts();
        buffers.write(&[method, part_a.into(), part_b.into(), f64::from(why.impact().is_some())]);
        let output = &mut buffers.output;
        output.extend(why.impact().map_or([0.0; 8], |impact| impact_numbers(&impact)));
        output.push(why.steps().len() as f64);
        for step in why.steps() {
            output.extend([step.time, step.gap]);
            push(output, step.normal);
            push(output, step.point_a);
            push(output, step.point_b);
        }
        Ok(true)
    }

    /// Writes the area, whether there is a centroid, the centroid, and the pieces of the common region. A deviation of
    /// NaN is the default.
    fn pair_overlap_region(buffers, deviation: f64) {
        let pair = Pair::read(&mut Reader::new(&buffers.input))?;
        let default = || half_extent(&pair.a.0).min(half_extent(&pair.b.0)) / 1000.0;
        let deviation = if deviation.is_nan() { default() } else { deviation };
        let region = overlap_region(pair.a(), pair.b(), deviation);
        let [x, y] = region.centroid().unwrap_or_default().to_array();
        let pieces = region.pieces().count();
        buffers.write(&[region.area(), f64::from(region.centroid().is_some()), x, y, pieces as f64]);
        for piece in region.pieces() {
            write_ring(&mut buffers.output, piece);
        }
        Ok(true)
    }
}
