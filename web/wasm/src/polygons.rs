//! Exports parts, decompositions and outlines.

use alloc::vec::Vec;

use carom::Shape;
use carom::decompose::{Connectivity, PolygonWithHoles, simplify_contours, trace_pixels};

use crate::explain::write_ring;
use crate::export;
use crate::pairs::push;
use crate::shape_input::Reader;

export! {
    /// Writes the number of convex parts of the placed shape, then radius and points of each.
    fn shape_parts(buffers) {
        let (shape, pose) = Reader::new(&buffers.input).placed()?;
        let parts = shape.parts();
        buffers.write(&[parts.len() as f64]);
        for (part, local) in shape.parts() {
            buffers.output.push(part.radius());
            let points: Vec<_> = part.placed(local).points().map(|point| pose.transform_point(point)).collect();
            write_ring(&mut buffers.output, &points);
        }
        Ok(true)
    }

    /// Writes the number of convex polygons that make up the rings of the input, then each.
    fn polygon_decompose(buffers, optimal: u32) {
        let (outer, holes) = Reader::new(&buffers.input).rings()?;
        let polygon = PolygonWithHoles::new(&outer, &holes)?;
        let best;
        let parts = if optimal == 0 {
            polygon.convex_parts()
        } else {
            best = polygon.optimal_convex_parts()?;
            &best
        };
        buffers.write(&[parts.len() as f64]);
        for part in parts.iter() {
            buffers.output.push(part.len() as f64);
            for &vertex in part {
                push(&mut buffers.output, polygon.points()[vertex as usize]);
            }
        }
        Ok(true)
    }

    /// Writes the number of outlines of the mask of the input, then the number of rings of each, and the rings.
    fn mask_outlines(buffers, deviation: f64) {
        let mask = Reader::new(&buffers.input).mask()?;
        let traced = trace_pixels(&mask, Connectivity::Four);
        let outlines = if deviation == 0.0 { traced } else { simplify_contours(&traced, deviation)? };
        buffers.write(&[outlines.len() as f64]);
        for outline in &outlines {
            buffers.output.push((1 + outline.holes.len()) as f64);
            outline.rings().for_each(|ring| write_ring(&mut buffers.output, ring));
        }
        Ok(true)
    }

    /// Writes the points of an ellipse.
    fn ellipse_points(buffers, radius_x: f64, radius_y: f64, deviation: f64) {
        let ellipse = Shape::ellipse(radius_x, radius_y, deviation)?;
        buffers.output.clear();
        write_ring(&mut buffers.output, ellipse.points());
        Ok(true)
    }
}
