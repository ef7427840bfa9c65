//! From pixels to outlines: the loops around the solid pixels of a mask, and the contours of an alpha image between its pixels.

use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use glam::DVec2;

use super::boundary_trace::{Edge, trace_boundaries};
use super::connected_components::ConnectedComponents;
use super::simplify::simplify_rings;
use crate::error::Error;
use crate::math::mask::{Mask, check_data};
use crate::math::vector::{check_size, cross, length};

/// One connected piece of a picture as closed rings, without the first point repeated at the end.
///
/// [`trace_pixels`] and [`marching_squares`] say where the points lie; [`simplify_contours`] takes away those that are not needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contour {
    /// The outer ring, from +x toward +y (its shoelace area is positive).
    pub outer: Vec<DVec2>,
    /// The rings around what is missing inside, the other way round.
    pub holes: Vec<Vec<DVec2>>,
}

impl Contour {
    /// All rings, the outer one first.
    pub fn rings(&self) -> impl Iterator<Item = &[DVec2]> {
        core::iter::once(&self.outer).chain(&self.holes).map(Vec::as_slice)
    }

    /// The area inside the outer ring and outside the holes. Exact for what [`trace_pixels`] returns: the number of pixels.
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
        let twice = |ring: &[DVec2]| -> f64 { edges(ring).map(|(p, q)| cross(p - ring[0], q - ring[0])).sum() };
        self.rings().map(|ring| twice(ring) / 2.0).sum()
    }

    /// The length of all rings together.
    ///
    /// ```
    /// use carom::{Mask, decompose::{Connectivity, trace_pixels}};
    ///
    /// let frame = Mask::from_rows(&["####", "#..#", "####"])?;
    /// assert_eq!(trace_pixels(&frame, Connectivity::Four)[0].perimeter(), 14.0 + 6.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn perimeter(&self) -> f64 {
        self.rings().flat_map(edges).map(|(p, q)| length(q - p)).sum()
    }
}

/// The edges of a closed ring.
fn edges(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// What becomes of two solid pixels that share a corner and no edge, where the other two pixels at that corner are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Connectivity {
    /// They belong together only if a way over shared edges joins them (solid is 4-connected). Every ring is simple: it visits no point
    /// twice.
    #[default]
    Four,
    /// They belong together (solid is 8-connected): a line one pixel wide stays in one piece. A ring visits such a corner twice where it
    /// must, and never crosses itself there.
    Eight,
}

/// The outlines of a mask's solid pixels, along the edges of the pixels, exactly.
///
/// Points are the corners of pixels, in the mask's own frame, and only those where the ring turns. The areas of all contours add up to
/// [`Mask::count`]. Rings of one outline or of several touch at single points at most: where pixels meet at a corner; `diagonals` says
/// whether those belong together. Contours come in the order of their first pixels, by row and then column; a ring begins at a corner of
/// its lowest row of edges along +x.
///
/// The time is linear in pixels / 64, in the number of runs of pixels in a row, and in the length of the rings.
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
    // Where both pixels belong to one piece, going on along the other one keeps the ring from visiting the corner twice, or is what Join
    // asks for.
    let own = Cell::new(0);
    let joined = |_, across| join || pieces.piece_of(across) == own.get();
    let mut outlines = Collector::new(&pieces);
    trace_boundaries(mask, joined, |edge| {
        if edge.turned {
            outlines.push(&edge, corner_of(&edge));
            own.set(outlines.piece);
        }
    });
    outlines.done()
}

/// The outlines of what is at least `threshold` in an alpha image, between the pixels (marching squares).
///
/// `alpha` holds one byte per pixel, row after row, and is taken as samples at the pixels' centres `(x + ½, y + ½)`. A ring passes between
/// each two neighbours of which one reaches the threshold and the other does not, where the straight line between the two values passes
/// `threshold − ½`: so whole numbers never lie on the ring, no two rings touch, and every ring is simple. Around the image everything is 0
/// (or −1 for the threshold 0, which every pixel reaches), so that rings close at its border. Where two pixels that reach the threshold
/// meet at a corner, they are joined exactly if the bilinear surface through the four values is above `threshold − ½` at its saddle (the
/// asymptotic decider of Nielson and Hamann 1991).
///
/// A ring has one point for every edge between two pixels that it crosses; [`simplify_contours`] takes away those that are not needed.
///
/// # Errors
/// What [`Mask::from_alpha`] refuses.
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
    let joined = |corner| image.joined_at(corner);
    let pieces = ConnectedComponents::new(&mask, joined);
    let mut outlines = Collector::new(&pieces);
    trace_boundaries(&mask, |corner, _| joined(corner), |edge| outlines.push(&edge, image.crossing(&edge)));
    Ok(outlines.done())
}

/// The contours with fewer points: none of the old rings lies farther than `deviation` from its new one, nor the new from the old, and
/// rings neither cross nor change places.
///
/// The area that is won and lost, added up, is at most `deviation` times the [`perimeter`](Contour::perimeter) of the contour as it was: an
/// edge and the points that it replaces enclose a strip that is nowhere higher than `deviation`, and not longer than the way along the
/// points. Three quarters of a pixel take the steps out of a diagonal that [`trace_pixels`] returns, one pixel out of most slopes.
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
    // All rings at once: they must not cross each other.
    let rings: Vec<&[DVec2]> = contours.iter().flat_map(Contour::rings).collect();
    let mut rings = simplify_rings(&rings, deviation)?.into_iter();
    let mut next = || rings.next().unwrap_or_default();
    Ok(contours
        .iter()
        .map(|contour| Contour { outer: next(), holes: contour.holes.iter().map(|_| next()).collect() })
        .collect())
}

/// The samples that [`marching_squares`] interpolates.
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
            // Below the threshold in any case.
            0.min(self.threshold - 1)
        }
    }

    /// At a corner with two solid pixels across from each other: is the surface between the four centres above the threshold at its saddle?
    fn joined_at(&self, [x, y]: [u32; 2]) -> bool {
        let (left, low) = (x.wrapping_sub(1), y.wrapping_sub(1));
        let [a, b, c, d] = [[left, low], [x, low], [left, y], [x, y]].map(|pixel| self.at(pixel));
        // The saddle is (a d − b c) / (a + d − b − c); a denominator below zero turns both sides over.
        let (above, sum) = (a * d - b * c, a + d - b - c);
        let difference = 2 * above - (2 * self.threshold - 1) * sum;
        if sum > 0 { difference > 0 } else { difference < 0 }
    }

    /// Where the ring passes between the solid and the empty pixel of an edge.
    fn crossing(&self, edge: &Edge) -> DVec2 {
        let (solid, empty) = (self.at(edge.solid), self.at(edge.empty()));
        // Of the way between the centres, the part on the solid side; both numbers are odd halves, doubled: never 0, never 1.
        let part = (2 * (solid - self.threshold) + 1) as f64 / (2 * (solid - empty)) as f64;
        let [x, y] = edge.solid.map(|c| f64::from(c) + 0.5);
        let [dx, dy] = edge.outward();
        DVec2::new(x + f64::from(dx) * part, y + f64::from(dy) * part)
    }
}

fn corner_of(edge: &Edge) -> DVec2 {
    let [x, y] = edge.corner();
    DVec2::new(f64::from(x), f64::from(y))
}

/// Larger rings are not copied but handed over.
const SMALL: usize = 1024;

const NONE: u32 = u32::MAX;

/// Collects rings as they are walked, each into the outline of its piece.
struct Collector<'a> {
    pieces: &'a ConnectedComponents<'a>,
    /// The outline of each piece, once there is one.
    of_piece: Vec<u32>,
    done: Vec<Contour>,
    /// The ring that is being walked, and the piece it belongs to.
    ring: Vec<DVec2>,
    piece: usize,
}

impl<'a> Collector<'a> {
    fn new(pieces: &'a ConnectedComponents<'a>) -> Self {
        Self { pieces, of_piece: vec![NONE; pieces.len()], done: Vec::new(), ring: Vec::new(), piece: 0 }
    }

    fn push(&mut self, edge: &Edge, point: DVec2) {
        if edge.first {
            self.finish_ring();
            self.piece = self.pieces.piece_of(edge.solid);
        }
        self.ring.push(point);
    }

    /// The first ring of a piece begins below the piece's first pixel, where there is nothing of it: it is the outer one.
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
        let outline = &mut self.of_piece[self.piece];
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
