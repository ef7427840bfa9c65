//! Serializes shapes, bit for bit.
//!
//! Input: a shape. Output: a code of its form, then its data. A composite is written as the data
//! that it was created from, and is created again when it is read. Exception: the convex parts of
//! concave polygons are stored, because computing them takes longest.
//!
//! Reading checks all values, and limits the nesting of compounds: bytes can come from a file or a
//! network.
//!
//! ```text
//! convex      0, convex shape
//! concave     1, rings, parts, radius
//! chain       2, points, flags (closed, one-sided), radius
//! compound    3, number of children, then shape and pose of each, radius; radii of all parts if it is not 0
//! mask        4, width, height, origin, scale, one bit per pixel in rows of whole bytes, radius
//! ```
//!
//! The radii of a compound are stored for each part: a child has its own radius, and sums of radii
//! may round differently.

use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::DVec2;
use smallvec::SmallVec;

use super::composite;
use crate::error::Error;
use crate::math::codec::{Reader, Writer};
use crate::math::mask::Mask;
use crate::math::vector::check_size;
use crate::query::outline::simple::is_simple;
use crate::shape::composite_parts::CompositeParts;
use crate::shape::composite_source::{CompositeSource, Concave, Pixels};
use crate::shape::convex::Convex;
use crate::shape::{Form, Shape};

const CONVEX: u8 = 0;
const CONCAVE: u8 = 1;
const CHAIN: u8 = 2;
const COMPOUND: u8 = 3;
const MASK: u8 = 4;

/// The largest nesting depth of compounds. Deeper nesting counts as damage, because the reader is
/// recursive.
const MAX_DEPTH: usize = 64;

impl Shape {
    /// Appends the shape to a writer.
    pub(crate) fn write(&self, out: &mut Writer) {
        let composite = match &self.0 {
            Form::Convex(convex) => {
                out.byte(CONVEX);
                return convex.write(out);
            }
            Form::Composite(composite) => composite,
        };
        match &composite.source {
            CompositeSource::Concave(concave) => {
                out.byte(CONCAVE);
                out.varint_u64(concave.rings.len() as u64);
                concave.rings().for_each(|ring| out.points(ring));
                out.varint_u64(composite.convexes().len() as u64);
                composite.convexes().iter().for_each(|part| part.write(out));
            }
            CompositeSource::Chain(chain) => {
                out.byte(CHAIN);
                out.points(&chain.points);
                out.byte(u8::from(chain.closed) | u8::from(chain.one_sided) << 1);
            }
            CompositeSource::Compound(compound) => {
                out.byte(COMPOUND);
                out.varint_u64(compound.children.len() as u64);
                for (child, pose) in &compound.children {
                    child.write(out);
                    out.pose(pose);
                }
            }
            CompositeSource::Mask(pixels) => write_pixels(pixels, out),
        }
        out.float(composite.radius);
        if composite.radius != 0.0 && matches!(composite.source, CompositeSource::Compound(_)) {
            // Children have their own radii, and radii added one by one may round differently:
            // store each part's radius.
            composite.convexes().iter().for_each(|part| out.float(part.radius));
        }
    }

    /// Reads a shape that [`write`](Self::write) wrote; returns an error for other data.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, Error> {
        Self::read_within(from, MAX_DEPTH)
    }

    fn read_within(from: &mut Reader<'_>, depth: usize) -> Result<Self, Error> {
        let invalid =
            |from: &Reader<'_>, error: &Error| from.invalid_data(&alloc::format!("the shape is invalid: {error}"));
        let shape = match from.byte()? {
            CONVEX => return Ok(Convex::read(from)?.into()),
            CONCAVE => return read_concave(from),
            CHAIN => {
                let (points, flags) = (from.points()?, from.byte()?);
                Self::new_chain(points, flags & 1 != 0, flags & 2 != 0).map_err(|e| invalid(from, &e))?
            }
            COMPOUND => {
                let Some(depth) = depth.checked_sub(1) else {
                    return Err(from.invalid_data("compounds are nested too deeply"));
                };
                let children = from.list(10, |from| Ok((Self::read_within(from, depth)?, from.pose()?)))?;
                Self::compound(children).map_err(|e| invalid(from, &e))?
            }
            MASK => Self::from_pixels(read_pixels(from)?).map_err(|e| invalid(from, &e))?,
            _ => return Err(from.invalid_data("the kind of a shape is unknown")),
        };
        let radius = read_radius(from)?;
        match &shape.0 {
            Form::Composite(composite) if radius != 0.0 && matches!(composite.source, CompositeSource::Compound(_)) => {
                let mut parts = composite.convexes().to_vec();
                for part in &mut parts {
                    part.radius = read_radius(from)?;
                }
                Ok(Self(Form::Composite(Arc::new(composite.with_parts(parts, radius)))))
            }
            _ => shape.rounded(radius).map_err(|e| invalid(from, &e)),
        }
    }

    /// Returns the address of the data that all clones of a composite share; `None` for a convex
    /// shape.
    pub(crate) fn shared_address(&self) -> Option<usize> {
        self.as_composite().map(|composite| Arc::as_ptr(composite) as usize)
    }
}

fn read_radius(from: &mut Reader<'_>) -> Result<f64, Error> {
    let radius = from.float()?;
    check_size("radius", radius).map_err(|_| from.invalid_data("a radius is out of range"))
}

fn read_concave(from: &mut Reader<'_>) -> Result<Shape, Error> {
    let (mut points, mut rings) = (Vec::new(), SmallVec::new());
    for _ in 0..from.count(1)? {
        let start = points.len();
        points.extend(from.points()?);
        rings.push(start..points.len());
    }
    let parts = from.list(1, Convex::read)?;
    if parts.is_empty() || rings.is_empty() {
        return Err(from.invalid_data("a polygon has no rings or no parts"));
    }
    let radius = read_radius(from)?;
    let source = Concave { points, rings };
    // If a ring may touch itself, the parts decide.
    let outline = source.outline(false).filter(is_simple).or_else(|| source.outline(true));
    let Some(outline) = outline else {
        return Err(from.invalid_data("a ring of a polygon has no edges"));
    };
    let parts = CompositeParts::new(parts, Vec::new());
    Ok(composite(CompositeSource::Concave(source), radius, Some(outline), Some(parts)))
}

fn write_pixels(pixels: &Pixels, out: &mut Writer) {
    out.byte(MASK);
    let (width, height) = (pixels.mask.width(), pixels.mask.height());
    out.varint_u64(width.into());
    out.varint_u64(height.into());
    for k in pixels.origin {
        // Zigzag encoding: small numbers of either sign are short.
        out.varint_u64((k << 1 ^ k >> 63) as u64);
    }
    out.point(pixels.scale);
    for y in 0..height {
        for x in (0..width).step_by(8) {
            let bits = (x..width.min(x + 8)).map(|column| u8::from(pixels.mask.get(column, y)) << (column - x));
            out.byte(bits.sum());
        }
    }
}

fn read_pixels(from: &mut Reader<'_>) -> Result<Pixels, Error> {
    let (width, height) = (from.varint_u32()?, from.varint_u32()?);
    let mut origin = [0; 2];
    for k in &mut origin {
        let bits = from.varint_u64()?;
        *k = (bits >> 1) as i64 ^ -((bits & 1) as i64);
        // Farther out a coordinate is not exact.
        if k.unsigned_abs() > 1 << 53 {
            return Err(from.invalid_data("a mask is out of range"));
        }
    }
    let scale = from.point()?;
    let row = width.div_ceil(8) as usize;
    let bits = from.take(row.saturating_mul(height as usize))?;
    let solid = |x: u32, y: u32| bits[row * y as usize + x as usize / 8] >> (x % 8) & 1 != 0;
    let mask = Mask::from_fn(width, height, solid).map_err(|_| from.invalid_data("the size of a mask is invalid"))?;
    if scale.cmpgt(DVec2::ZERO).all() {
        Ok(Pixels { mask, origin, scale })
    } else {
        Err(from.invalid_data("pixels have no area"))
    }
}
