//! Places the cells and objects of a map by its orientation, as the TMX format defines it.
//!
//! Input: columns and rows of cells, and the coordinates of objects. Output: positions on the screen, in
//! pixels, with y down. A cell has a box of the map's tile size; tiles are aligned with its bottom left.
//!
//! ```text
//! orthogonal   box at (column · w, row · h)
//! isometric    top corner of the diamond at ((column − row) · w/2 + rows · w/2, (column + row) · h/2)
//! staggered    rows (axis y) or columns (axis x) overlap by half a cell; each second one is shifted
//! hexagonal    the same, with sides of the length s along the axis: step (h − s)/2 + s
//! ```
//!
//! Objects of isometric maps have coordinates along the axes of the cells, in units of the cell height.
//! Objects of all other maps have screen coordinates.
use carom::DVec2;

/// The grid of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// Size of the box of a cell.
    pub(super) cell: DVec2,
    pub(super) orientation: Orientation,
}

/// The arrangement of the cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Orientation {
    Orthogonal,
    Isometric {
        /// Number of rows of the map: the origin is that far to the right.
        rows: f64,
    },
    /// Staggered and hexagonal maps.
    Staggered(Stagger),
}

/// The shift of each second row or column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stagger {
    /// True if columns are shifted down (`staggeraxis="x"`), false if rows are shifted to the right.
    pub(super) columns: bool,
    /// True if the even ones are shifted.
    pub(super) even: bool,
    /// Length of the side of a hexagon along the axis. `None` for diamonds.
    pub(super) side: Option<f64>,
}

/// Attributes of a map that decide its grid, as written.
pub(super) struct Written<'t> {
    pub(super) orientation: &'t str,
    pub(super) cell: DVec2,
    pub(super) rows: f64,
    pub(super) side: f64,
    pub(super) axis: &'t str,
    pub(super) index: &'t str,
}

impl Grid {
    /// Reads the grid of a map.
    pub(super) fn new(written: &Written<'_>) -> Result<Self, String> {
        let cell = written.cell;
        let orientation = match written.orientation {
            "orthogonal" => Orientation::Orthogonal,
            "isometric" => Orientation::Isometric { rows: written.rows },
            "staggered" => Orientation::Staggered(written.stagger(None)?),
            "hexagonal" => Orientation::Staggered(written.stagger(Some(written.side))?),
            other => {
                return Err(format!(
                    "maps of orientation \"{other}\" are not read: only orthogonal, isometric, staggered and hexagonal \
                     ones are"
                ));
            }
        };
        Ok(Self { cell, orientation })
    }

    /// Returns true if the tiles of the map are turned by multiples of 60°.
    pub(super) fn is_hexagonal(&self) -> bool {
        matches!(self.orientation, Orientation::Staggered(Stagger { side: Some(_), .. }))
    }

    /// Returns the bottom left of the box of a cell.
    pub(super) fn bottom_left(&self, column: i64, row: i64) -> DVec2 {
        let (at, half) = (DVec2::new(column as f64, row as f64), self.cell * 0.5);
        match self.orientation {
            Orientation::Orthogonal => DVec2::new(at.x, at.y + 1.0) * self.cell,
            Orientation::Isometric { rows } => DVec2::new(at.x - at.y + rows - 1.0, at.x + at.y + 2.0) * half,
            Orientation::Staggered(stagger) => {
                let (cell, inset, step) = self.staggered(stagger);
                let shifted = |i: i64| if (i & 1 == 0) == stagger.even { 1.0 } else { 0.0 };
                let top_left = if stagger.columns {
                    DVec2::new(at.x * step.x, at.y * cell.y + shifted(column) * inset.y)
                } else {
                    DVec2::new(at.x * cell.x + shifted(row) * inset.x, at.y * step.y)
                };
                top_left + DVec2::new(0.0, cell.y)
            }
        }
    }

    /// Returns the outline of a cell relative to the bottom left of its box. `None` for a rectangle.
    pub(super) fn cell_outline(&self) -> Option<Vec<DVec2>> {
        let (cell, inset) = match self.orientation {
            Orientation::Orthogonal => return None,
            Orientation::Isometric { .. } => (self.cell, self.cell * 0.5),
            Orientation::Staggered(stagger) => {
                let (cell, inset, _) = self.staggered(stagger);
                (cell, inset)
            }
        };
        // Clockwise on the screen, from the left. The two corners of a side of length 0 are equal.
        let mut corners: Vec<DVec2> = vec![
            DVec2::new(0.0, cell.y - inset.y),
            DVec2::new(0.0, inset.y),
            DVec2::new(inset.x, 0.0),
            DVec2::new(cell.x - inset.x, 0.0),
            DVec2::new(cell.x, inset.y),
            DVec2::new(cell.x, cell.y - inset.y),
            DVec2::new(cell.x - inset.x, cell.y),
            DVec2::new(inset.x, cell.y),
        ];
        corners.dedup();
        Some(corners.into_iter().map(|p| p - DVec2::new(0.0, cell.y)).collect())
    }

    /// Returns the box of a staggered cell, the distance of its corners from the corners of the box, and
    /// the step from cell to cell. Tiled rounds sizes down to even numbers, and halves down to whole ones.
    fn staggered(&self, stagger: Stagger) -> (DVec2, DVec2, DVec2) {
        let cell = (self.cell * 0.5).floor() * 2.0;
        let side = stagger.side.unwrap_or(0.0);
        let sides = if stagger.columns { DVec2::new(side, 0.0) } else { DVec2::new(0.0, side) };
        let inset = ((cell - sides) * 0.5).floor();
        (cell, inset, inset + sides)
    }

    /// Returns the screen position of an object.
    pub(super) fn position(&self, p: DVec2) -> DVec2 {
        match self.orientation {
            Orientation::Isometric { rows } => self.vector(p) + DVec2::new(rows * self.cell.x * 0.5, 0.0),
            _ => p,
        }
    }

    /// Returns the screen vector between two points of an object.
    pub(super) fn vector(&self, v: DVec2) -> DVec2 {
        match self.orientation {
            Orientation::Isometric { .. } => {
                DVec2::new((v.x - v.y) * self.cell.x / (2.0 * self.cell.y), (v.x + v.y) * 0.5)
            }
            _ => v,
        }
    }

    /// Returns true if objects are drawn along the axes of the cells.
    pub(super) fn is_isometric(&self) -> bool {
        matches!(self.orientation, Orientation::Isometric { .. })
    }
}

impl Written<'_> {
    fn stagger(&self, side: Option<f64>) -> Result<Stagger, String> {
        let either = |name: &str, value: &str, [default, other]: [&str; 2]| match value {
            "" => Ok(false),
            value if value == default => Ok(false),
            value if value == other => Ok(true),
            value => Err(format!("{name}=\"{value}\": expected {default} or {other}")),
        };
        let columns = either("staggeraxis", self.axis, ["y", "x"])?;
        let even = either("staggerindex", self.index, ["odd", "even"])?;
        let size = if columns { self.cell.x } else { self.cell.y };
        if let Some(side) = side
            && !(0.0..=size).contains(&side)
        {
            return Err(format!("hexsidelength {side}: expected 0 to {size}, the size of a tile along the axis"));
        }
        Ok(Stagger { columns, even, side })
    }
}
