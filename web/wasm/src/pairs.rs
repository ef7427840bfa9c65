//! Exports the queries of two shapes. The input is both placed shapes.

use alloc::vec::Vec;

use carom::query::collide_within;
use carom::{DVec2, Manifold, Pose, Shape, collide, distance, intersects, overlaps};

use crate::export;
use crate::failure::Failure;
use crate::shape_input::Reader;

/// Two shapes with their poses.
pub(crate) struct Pair {
    pub(crate) a: (Shape, Pose),
    pub(crate) b: (Shape, Pose),
}

impl Pair {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        Ok(Self { a: reader.placed()?, b: reader.placed()? })
    }

    pub(crate) fn a(&self) -> carom::Placed<'_> {
        self.a.0.placed(self.a.1)
    }

    pub(crate) fn b(&self) -> carom::Placed<'_> {
        self.b.0.placed(self.b.1)
    }
}

/// Appends a manifold: normal, depth, parts, count of points, then per point position, both surface points, depth.
pub(crate) fn write_manifold(output: &mut Vec<f64>, manifold: &Manifold) {
    push(output, manifold.normal);
    let points = manifold.points();
    output.extend([manifold.depth, manifold.part_a.into(), manifold.part_b.into(), points.len() as f64]);
    for point in points {
        push(output, point.position());
        push(output, point.on_a);
        push(output, point.on_b);
        output.push(point.depth);
    }
}

/// Appends both coordinates.
pub(crate) fn push(output: &mut Vec<f64>, point: DVec2) {
    output.extend(point.to_array());
}

export! {
    /// Returns 1 if two shapes intersect.
    fn pair_intersects(buffers) {
        let pair = Pair::read(&mut Reader::new(&buffers.input))?;
        Ok(intersects(pair.a(), pair.b()))
    }

    /// Returns 1 if the interiors of two shapes overlap.
    fn pair_overlaps(buffers) {
        let pair = Pair::read(&mut Reader::new(&buffers.input))?;
        Ok(overlaps(pair.a(), pair.b()))
    }

    /// Writes the deepest manifold. Returns 0 if the gap is above the margin.
    fn pair_collide(buffers, margin: f64) {
        let pair = Pair::read(&mut Reader::new(&buffers.input))?;
        let (a, b) = (pair.a(), pair.b());
        let found = if margin == 0.0 { collide(a, b) } else { collide_within(a, b, margin) };
        buffers.output.clear();
        if let Some(manifold) = &found {
            write_manifold(&mut buffers.output, manifold);
        }
        Ok(found.is_some())
    }

    /// Writes the distance, both closest points and their parts.
    fn pair_distance(buffers) {
        let pair = Pair::read(&mut Reader::new(&buffers.input))?;
        let found = distance(pair.a(), pair.b());
        let ([ax, ay], [bx, by]) = (found.point_a.to_array(), found.point_b.to_array());
        buffers.write(&[found.distance, ax, ay, bx, by, found.part_a.into(), found.part_b.into()]);
        Ok(true)
    }
}
