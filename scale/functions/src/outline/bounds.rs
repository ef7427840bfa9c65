//! Computes with axis-aligned boxes of outlines, in the coordinates of the map.
//!
//! Boxes decide most pairs before an exact query starts. Comparisons are exact; only
//! [`Bounds::grown`] rounds, and it rounds outward. So a box test never loses a pair.

/// The smallest box around an outline, boundary included.
///
/// ```
/// use carom_functions::Bounds;
///
/// let a = Bounds { min: [0.0, 0.0], max: [2.0, 1.0] };
/// let b = Bounds { min: [3.0, 0.0], max: [4.0, 1.0] };
/// assert!(!a.intersects(&b));
/// assert!(a.grown(1.0).intersects(&b));
/// assert_eq!(Bounds::EMPTY.grown(1.0), Bounds::EMPTY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest x and y.
    pub min: [f64; 2],
    /// Highest x and y.
    pub max: [f64; 2],
}

impl Bounds {
    /// The box of no points. Each [`extend`](Bounds::extend) makes it larger.
    pub const EMPTY: Self = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };

    /// Adds a point.
    pub fn extend(&mut self, point: [f64; 2]) {
        for (axis, value) in point.into_iter().enumerate() {
            self.min[axis] = self.min[axis].min(value);
            self.max[axis] = self.max[axis].max(value);
        }
    }

    /// Returns true if all four numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.min.iter().chain(&self.max).all(|value| value.is_finite())
    }

    /// Returns true if no point is in the box.
    pub(crate) fn is_empty(&self) -> bool {
        (0..2).any(|axis| self.min[axis] > self.max[axis])
    }

    /// Returns true if the boxes share a point. Touching counts.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// Returns true if `other` lies in this box, boundaries included.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.min[axis] && other.max[axis] <= self.max[axis])
    }

    /// Returns the box grown by `margin` on each side, rounded outward. The empty box stays empty.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        if margin == 0.0 || self.is_empty() {
            return *self;
        }
        Self {
            min: self.min.map(|value| (value - margin).next_down()),
            max: self.max.map(|value| (value + margin).next_up()),
        }
    }

    /// Returns width and height.
    #[must_use]
    pub fn size(&self) -> [f64; 2] {
        [self.max[0] - self.min[0], self.max[1] - self.min[1]]
    }
}
