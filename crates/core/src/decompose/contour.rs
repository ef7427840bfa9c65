//! Computes contours of images: outlines of the solid pixels of a mask, and marching squares of an
//! alpha image.
//!
//! Input: a [`Mask`] or alpha samples. Output: one [`Contour`] per connected component, with an
//! outer ring and holes. The solid pixels are labelled (`connected_components.rs`), and each
//! boundary is traced once (`boundary_trace.rs`). Marching squares is the planar case of Lorensen
//! and Cline, *Marching cubes*, 1987.
//!
//! The textbook version of marching squares emits segments per cell and joins them by their ends:
//!
//! ```text
//! for each cell of four samples: emit 0, 1 or 2 segments, by a table of 16 cases
//! join segments with equal end points to rings
//! ```
//!
//! The join compares rounded points. Tracing visits the segments in order, so nothing is joined.
//! Ambiguous cells (two diagonal solid samples) are decided by the saddle of the bilinear surface,
//! in integers (Nielson and Hamann, *The asymptotic decider*, 1991).

use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use glam::DVec2;

use super::boundary_trace::{PixelEdge, trace_boundaries};
use super::connected_components::ConnectedComponents;
use super::simplify::simplify_rings;
use crate::error::Error;
use crate::math::lists::mapped;
use crate::math::mask::{Mask, check_data};
use crate::math::ring::edges;
use crate::math::vector::{check_size, cross, length};

/// Outline of one connected component of an image, as closed rings. The first point is not repeated
/// at the end.
///
/// [`trace_pixels`] and [`marching_squares`] document the positions of the points.
/// [`simplify_contours`] removes the points that are not needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contour {
    /// The outer ring, from +x toward +y (its shoelace area is positive).
    pub outer: Vec<DVec2>,
    /// The rings around the empty regions inside, in the opposite direction.
    pub holes: Vec<Vec<DVec2>>,
}

impl Contour {
    /// Returns all rings, the outer one first.
    pub fn rings(&self) -> impl Iterator<Item = &[DVec2]> {
        core::iter::once(&self.outer).chain(&self.holes).map(Vec::as_slice)
    }

    /// Returns the area inside the outer ring and outside the holes. For the result of
    /// [`trace_pixels`] it is exact: the number of pixels.
    ///
    /// ```
    /// use carom::{Mask, decompose::{Connectivity, trace_pixels}};
    ///
    /// let frame = Mask::from_rows(&["####", "#..#", "####"])?;
    /// assert_eq!(trace_pixels(&frame, Connectivity::Four)[0].area(), 10.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn area(&self) -> f64 {
        let mut area = 0.0;
        for ring in self.rings() {
            area += edges(ring).fold(0.0, |twice, [p, q]| twice + cross(p - ring[0], q - ring[0])) / 2.0;
        }
        area
    }

    /// Returns the total length of all rings.
    ///
    /// ```
    /// use carom::{Mask, decompose::{Connectivity, trace_pixels}};
    ///
    /// let frame = Mask::from_rows(&["####", "#..#", "####"])?;
    /// assert_eq!(trace_pixels(&frame, Connectivity::Four)[0].perimeter(), 14.0 + 6.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn perimeter(&self) -> f64 {
        let mut perimeter = 0.0;
        for ring in self.rings() {
            edges(ring).for_each(|[p, q]| perimeter += length(q - p));
        }
        perimeter
    }
}

/// Decides if two solid pixels are connected that share a corner, but no edge, while the other two
/// pixels at that corner are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Connectivity {
    /// Solid is 4-connected: the two pixels are connected only by a path over shared edges. Each
    /// ring is simple: it visits no point twice.
    #[default]
    Four,
    /// Solid is 8-connected: the two pixels are connected, so a line of one pixel width is one
    /// component. A ring may visit such a corner twice, but never crosses itself there.
    Eight,
}

/// Traces the outlines of a mask's solid pixels, exactly along the edges of the pixels.
///
/// - Points are corners of pixels, in the mask's own frame, and only those where the ring turns.
/// - The areas of all contours add up to [`Mask::count`].
/// - Rings touch themselves or each other only at single points: at a corner that two solid pixels
///   share. `diagonals` decides if these are connected.
/// - Contours are sorted by their first pixels: by row, then column. A ring begins at a corner of
///   its lowest row of edges along +x.
///
/// The time is linear in pixels / 64, in the number of runs of solid pixels, and in the length of
/// the rings.
///
/// ```
/// use carom::{DVec2, Mask, decompose::{Connectivity, trace_pixels}};
///
/// let mask = Mask::from_rows(&["##.", "##.", "..#"])?;
/// let apart = trace_pixels(&mask, Connectivity::Four);
/// assert_eq!(apart.len(), 2);
/// assert_eq!(apart[1].outer, [[2.0, 2.0], [3.0, 2.0], [3.0, 3.0], [2.0, 3.0]].map(DVec2::from));
/// assert_eq!(trace_pixels(&mask, Connectivity::Eight).len(), 1);
/// # Ok::<(), carom::Error>(())
/// ```
#[must_use]
pub fn trace_pixels(mask: &Mask, diagonals: Connectivity) -> Vec<Contour> {
    let join = diagonals == Connectivity::Eight;
    let pieces = ConnectedComponents::new(mask, |_| join);
    // If both pixels belong to one component, the ring continues along the other pixel: then it
    // visits the corner only once. With `Eight` it always does.
    let own = Cell::new(0);
    let joined = |_, across| join || pieces.component_of(across) == own.get();
    let mut outlines = Collector::new(&pieces);
    trace_boundaries(mask, joined, |edge| {
        if edge.turned {
            outlines.push(&edge, corner_of(&edge));
            own.set(outlines.component);
        }
    });
    outlines.done()
}

/// Traces the contours of an alpha image between the pixels (marching squares). Solid is a value of
/// at least `threshold`.
///
/// - `alpha` contains one byte per pixel, row by row: the samples at the pixel centres
///   `(x + ½, y + ½)`.
/// - A ring passes between each two neighbouring pixels of which exactly one is solid. It passes
///   where the linear interpolation of the two values is `threshold − ½`. No sample has this value,
///   so no two rings touch, and every ring is simple.
/// - Outside of the image all values are 0 (or −1 if the threshold is 0), so rings close at the
///   border.
/// - Two solid pixels that share only a corner may be connected. They are, if the saddle of the
///   bilinear surface through the four values is above `threshold − ½`. (Nielson and Hamann, *The
///   asymptotic decider*, 1991.)
///
/// A ring has one point for each pair of neighbours between which it passes. [`simplify_contours`]
/// removes the points that are not needed.
///
/// # Errors
/// The same as [`Mask::from_alpha`].
///
/// ```
/// use carom::{DVec2, decompose::marching_squares};
///
/// let dot = marching_squares(3, 3, &[0, 0, 0, 0, 255, 0, 0, 0, 0], 128)?;
/// assert_eq!(dot.len(), 1);
/// assert_eq!(dot[0].outer, [[1.5, 1.0], [2.0, 1.5], [1.5, 2.0], [1.0, 1.5]].map(DVec2::from));
/// # Ok::<(), carom::Error>(())
/// ```
pub fn marching_squares(width: u32, height: u32, alpha: &[u8], threshold: u8) -> Result<Vec<Contour>, Error> {
    check_data(width, height, alpha.len())?;
    let image = Image { width, height, alpha, threshold: i64::from(threshold) };
    let mask = Mask::from_alpha(width, height, alpha, threshold)?;
    let joined = |corner| image.is_connected_at(corner);
    let pieces = ConnectedComponents::new(&mask, joined);
    let mut outlines = Collector::new(&pieces);
    trace_boundaries(&mask, |corner, _| joined(corner), |edge| outlines.push(&edge, image.crossing(&edge)));
    Ok(outlines.done())
}

/// Simplifies contours: removes points, so that each old ring and its new ring are within
/// `deviation` of each other. Rings do not cross, and no ring moves into or out of another one.
///
/// The area that is added or removed is at most `deviation` times the old
/// [`perimeter`](Contour::perimeter), in total. The reason: a new edge and the points that it
/// replaces enclose a strip. It is nowhere wider than `deviation`, and not longer than the path
/// along the points. A deviation of 0.75 pixels removes the steps of a diagonal in the result of
/// [`trace_pixels`]; 1 pixel removes those of most slopes.
///
/// # Errors
/// A deviation that is negative, not finite or above 1e30.
///
/// ```
/// use carom::{Mask, decompose::{Connectivity, simplify_contours, trace_pixels}};
///
/// let stairs = trace_pixels(&Mask::from_fn(20, 20, |x, y| x <= y)?, Connectivity::Four);
/// let slope = simplify_contours(&stairs, 1.0)?;
/// assert_eq!((stairs[0].outer.len(), slope[0].outer.len()), (42, 3));
/// assert!((slope[0].area() - stairs[0].area()).abs() <= 1.0 * stairs[0].perimeter());
/// # Ok::<(), carom::Error>(())
/// ```
pub fn simplify_contours(contours: &[Contour], deviation: f64) -> Result<Vec<Contour>, Error> {
    let deviation = check_size("deviation", deviation)?;
    // Simplifies all rings together, because they must not cross each other.
    let rings: Vec<&[DVec2]> = mapped(contours.iter().flat_map(Contour::rings), |ring| ring);
    let mut rings = simplify_rings(&rings, deviation)?.into_iter();
    let mut next = || rings.next().unwrap_or_default();
    Ok(mapped(contours, |contour| Contour { outer: next(), holes: mapped(&contour.holes, |_| next()) }))
}

/// Samples that [`marching_squares`] interpolates.
struct Image<'a> {
    width: u32,
    height: u32,
    alpha: &'a [u8],
    threshold: i64,
}

impl Image<'_> {
    fn at(&self, [x, y]: [u32; 2]) -> i64 {
        if x < self.width && y < self.height {
            i64::from(self.alpha[y as usize * self.width as usize + x as usize])
        } else {
            // Always below the threshold.
            0.min(self.threshold - 1)
        }
    }

    /// Returns true if two diagonal solid pixels at a corner are connected: the saddle of the
    /// surface through the four samples is above the threshold.
    fn is_connected_at(&self, [x, y]: [u32; 2]) -> bool {
        let (left, low) = (x.wrapping_sub(1), y.wrapping_sub(1));
        let (a, b, c, d) = (self.at([left, low]), self.at([x, low]), self.at([left, y]), self.at([x, y]));
        // The saddle value is (a d − b c) / (a + d − b − c). A negative denominator reverses the
        // comparison.
        let (above, sum) = (a * d - b * c, a + d - b - c);
        let difference = 2 * above - (2 * self.threshold - 1) * sum;
        if sum > 0 { difference > 0 } else { difference < 0 }
    }

    /// Returns the point where the ring passes between the solid and the empty pixel of an edge.
    fn crossing(&self, edge: &PixelEdge) -> DVec2 {
        let (solid, empty) = (self.at(edge.solid), self.at(edge.empty()));
        // Fraction of the distance between the centres, from the solid pixel. Numerator and
        // denominator are doubled, so the numerator is an odd integer: the fraction is never 0 and
        // never 1.
        let part = (2 * (solid - self.threshold) + 1) as f64 / (2 * (solid - empty)) as f64;
        let ([x, y], [dx, dy]) = (edge.solid, edge.outward());
        DVec2::new(f64::from(x) + 0.5 + f64::from(dx) * part, f64::from(y) + 0.5 + f64::from(dy) * part)
    }
}

fn corner_of(edge: &PixelEdge) -> DVec2 {
    let [x, y] = edge.corner();
    DVec2::new(f64::from(x), f64::from(y))
}

/// Rings with fewer points are copied to an exact capacity; larger ones are moved and shrunk.
const SMALL: usize = 1024;

const NONE: u32 = u32::MAX;

/// Collects the traced rings, each into the contour of its component.
struct Collector<'a> {
    components: &'a ConnectedComponents<'a>,
    /// Index of the contour of each component; `NONE` before its first ring.
    contour_of: Vec<u32>,
    done: Vec<Contour>,
    /// The ring that is traced now, and its component.
    ring: Vec<DVec2>,
    component: usize,
}

impl<'a> Collector<'a> {
    fn new(pieces: &'a ConnectedComponents<'a>) -> Self {
        Self {
            components: pieces,
            contour_of: vec![NONE; pieces.len()],
            done: Vec::new(),
            ring: Vec::new(),
            component: 0,
        }
    }

    fn push(&mut self, edge: &PixelEdge, point: DVec2) {
        if edge.first {
            self.finish_ring();
            self.component = self.components.component_of(edge.solid);
        }
        self.ring.push(point);
    }

    /// Stores the current ring. The first ring of a component is the outer one: it begins below the
    /// first pixel of the component, where the component has no pixels.
    fn finish_ring(&mut self) {
        if self.ring.is_empty() {
            return;
        }
        let ring = if self.ring.len() < SMALL {
            let exact = self.ring.as_slice().to_vec();
            self.ring.clear();
            exact
        } else {
            let mut own = core::mem::take(&mut self.ring);
            own.shrink_to_fit();
            own
        };
        let outline = &mut self.contour_of[self.component];
        if *outline == NONE {
            *outline = self.done.len() as u32;
            self.done.push(Contour { outer: ring, holes: Vec::new() });
        } else {
            self.done[*outline as usize].holes.push(ring);
        }
    }

    fn done(mut self) -> Vec<Contour> {
        self.finish_ring();
        self.done
    }
}
