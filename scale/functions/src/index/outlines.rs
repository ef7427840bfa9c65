//! Reads and checks the outlines of a batch of rows.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BinaryViewArray, BinaryViewBuilder};
use datafusion::error::Result;
use datafusion::logical_expr::ColumnarValue;

use crate::outline::{Bounds, Geometry, Ring, bounds_of_wkb, wkb_of_text};
use crate::sql::Geometries;

/// The kind of a geometry, as far as a batch is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Missing, or not valid.
    Invalid,
    /// A small ring, certainly simple.
    Ring,
    /// Any other valid outline.
    Other,
}

/// The outlines of a batch of rows: WKB, boxes, and which of them are valid.
///
/// ```
/// use std::sync::Arc;
///
/// use carom_functions::Outlines;
/// use datafusion::arrow::array::{ArrayRef, StringArray};
///
/// let bow_tie = "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))";
/// let rows: ArrayRef = Arc::new(StringArray::from(vec![Some("POINT (3 4)"), Some(bow_tie), None]));
/// let outlines = Outlines::read(&rows)?;
/// assert_eq!((outlines.count(), outlines.invalid_count()), (3, 2));
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outlines {
    wkb: BinaryViewArray,
    boxes: Vec<Bounds>,
    kinds: Vec<Kind>,
}

impl Outlines {
    /// Reads a column of geometries: WKB, WKT or GeoJSON. A missing one is not valid.
    ///
    /// # Errors
    /// If the column has another type.
    pub fn read(column: &ArrayRef) -> Result<Self> {
        let geometries = Geometries::new("outlines", &ColumnarValue::Array(Arc::clone(column)))?;
        let wkb = match geometries.wkb() {
            Some(wkb) => wkb.clone(),
            None => to_wkb(&geometries, column.len()),
        };
        let mut outlines = Self { boxes: Vec::with_capacity(wkb.len()), kinds: Vec::with_capacity(wkb.len()), wkb };
        let mut ring = Ring::default();
        for row in 0..outlines.wkb.len() {
            let kind = outlines.kind(row, &mut ring);
            let bounds = match kind {
                Kind::Invalid => None,
                Kind::Ring => Some(ring.bounds()),
                Kind::Other => bounds_of_wkb(outlines.wkb.value(row)).ok(),
            };
            outlines.kinds.push(if bounds.is_some() { kind } else { Kind::Invalid });
            // Nothing intersects the empty box.
            outlines.boxes.push(bounds.unwrap_or(Bounds::EMPTY));
        }
        Ok(outlines)
    }

    /// Checks a row. The ring of a small polygon stays in `ring`.
    fn kind(&self, row: usize, ring: &mut Ring) -> Kind {
        if self.wkb.is_null(row) {
            return Kind::Invalid;
        }
        let geometry = Geometry::Wkb(self.wkb.value(row));
        if geometry.read_simple(ring) {
            Kind::Ring
        } else if geometry.decode().is_ok() {
            Kind::Other
        } else {
            Kind::Invalid
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kinds.len()
    }

    /// Returns the number of rows that are missing or not valid.
    #[must_use]
    pub fn invalid_count(&self) -> usize {
        self.kinds.iter().filter(|&&kind| kind == Kind::Invalid).count()
    }

    /// Returns the box of a row; the empty box if it is not valid.
    pub(super) fn bounds(&self, row: usize) -> Bounds {
        self.boxes[row]
    }

    /// Returns false if a row is missing or not valid.
    pub(super) fn is_valid(&self, row: usize) -> bool {
        self.kinds[row] != Kind::Invalid
    }

    /// Returns true for a small ring that is certainly simple.
    pub(super) fn is_ring(&self, row: usize) -> bool {
        self.kinds[row] == Kind::Ring
    }

    /// Returns the WKB of a valid row.
    pub(super) fn wkb(&self, row: usize) -> &[u8] {
        self.wkb.value(row)
    }

    /// Returns a valid geometry, and true if it is a small ring that is certainly simple.
    pub(super) fn geometry(&self, row: usize) -> (Geometry<'_>, Option<bool>) {
        (Geometry::Wkb(self.wkb(row)), Some(self.is_ring(row)))
    }
}

/// Converts texts to WKB. Unreadable texts become nulls.
fn to_wkb(geometries: &Geometries, count: usize) -> BinaryViewArray {
    let mut out = BinaryViewBuilder::with_capacity(count);
    for row in 0..count {
        let wkb = match geometries.get(row) {
            Some(Geometry::Text(text)) => wkb_of_text(text).ok(),
            _ => None,
        };
        out.append_option(wkb);
    }
    out.finish()
}
