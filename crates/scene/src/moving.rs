//! Defines the path of a moving collider, and its position at a time.
//!
//! ```text
//! distance = speed · time
//! closed path: distance mod length            (round and round)
//! open path:   distance mod (2 · length), mirrored at the length      (there and back)
//! ```
//!
//! The position is a function of the time, not of the last position. So it has no drift, and a
//! replay can start at any time. The edge of a distance is found by binary search in the sums of
//! the edge lengths.

use std::fmt;
use std::sync::Arc;

use carom::DVec2;

/// Largest magnitude of a coordinate or a speed.
const MOST: f64 = 1e30;

/// Path along which a collider moves at a constant speed, as a platform does.
///
/// Only the differences of the points count: the collider is at its own position at time 0. A path
/// that ends at its first point is closed, and the collider goes round. It goes along any other
/// path there and back.
///
/// ```
/// use carom_scene::Moving;
///
/// let lift = Moving::new([[0.0, 0.0].into(), [0.0, 3.0].into()], 2.0)?;
/// assert_eq!([1.0, 2.0, 3.0].map(|time| lift.offset(time).y), [2.0, 2.0, 0.0]);
/// assert!(Moving::new([[1.0, 1.0].into()], 2.0).is_err());
/// # Ok::<(), carom_scene::InvalidPath>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Moving {
    path: Arc<[DVec2]>,
    /// Length of the path up to each point.
    lengths: Arc<[f64]>,
    speed: f64,
}

/// Error of a path or its speed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPath(String);

impl fmt::Display for InvalidPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidPath {}

impl Moving {
    /// Creates a path with a speed in units per second.
    ///
    /// # Errors
    /// Fewer than two different points. A coordinate or speed that is not finite or above 1e30 in
    /// magnitude. A speed that is not above 0.
    pub fn new(path: impl Into<Arc<[DVec2]>>, speed: f64) -> Result<Self, InvalidPath> {
        let path = path.into();
        if let Some(point) = path.iter().find(|p| !(p.x.abs() <= MOST && p.y.abs() <= MOST)) {
            return Err(InvalidPath(format!("the point {point} of a path is beyond 1e30, the largest magnitude")));
        }
        if !(speed > 0.0 && speed <= MOST) {
            return Err(InvalidPath(format!("the speed along a path is above 0 and at most 1e30, not {speed}")));
        }
        let mut length = 0.0;
        let sum = path.windows(2).map(|ends| {
            length += (ends[1] - ends[0]).length();
            length
        });
        let lengths: Arc<[f64]> = std::iter::once(0.0).chain(sum).collect();
        if lengths.last().is_none_or(|&length| length == 0.0) {
            return Err(InvalidPath("a path has at least two different points".to_owned()));
        }
        Ok(Self { path, lengths, speed })
    }

    /// Returns the points as given.
    #[must_use]
    pub fn path(&self) -> &[DVec2] {
        &self.path
    }

    /// Returns the speed in units per second.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns true if the path ends at its first point.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.path.first() == self.path.last()
    }

    /// Returns the translation from the start, `time` seconds after it.
    #[must_use]
    pub fn offset(&self, time: f64) -> DVec2 {
        let last = self.path.len() - 1;
        let (length, distance) = (self.lengths[last], self.speed * time);
        let at = if self.is_closed() {
            distance.rem_euclid(length)
        } else {
            let at = distance.rem_euclid(2.0 * length);
            if at > length { 2.0 * length - at } else { at }
        };
        let edge = self.lengths.partition_point(|&before| before <= at).clamp(1, last) - 1;
        let (from, to) = (self.path[edge], self.path[edge + 1]);
        let (before, after) = (self.lengths[edge], self.lengths[edge + 1]);
        let part = if after > before { (at - before) / (after - before) } else { 0.0 };
        from + (to - from) * part - self.path[0]
    }
}

#[cfg(test)]
mod tests {
    use super::Moving;
    use carom::DVec2;

    fn path(points: &[[f64; 2]]) -> Vec<DVec2> {
        points.iter().map(|&p| p.into()).collect()
    }

    /// The positions of a clock hand on paper: edges of length 3, 4 and (closed) 5, at speed 2.
    #[test]
    fn open_paths_go_there_and_back_and_closed_ones_round() {
        let open = Moving::new(path(&[[1.0, 1.0], [4.0, 1.0], [4.0, 5.0]]), 2.0).unwrap();
        let at = |time: f64| open.offset(time).to_array();
        assert_eq!(
            [0.0, 1.0, 1.5, 2.5, 3.5, 4.5, 5.5, 6.0, 7.0, 8.0].map(at),
            [
                [0.0, 0.0],
                [2.0, 0.0],
                [3.0, 0.0],
                [3.0, 2.0],
                [3.0, 4.0],
                [3.0, 2.0],
                [3.0, 0.0],
                [2.0, 0.0],
                [0.0, 0.0],
                [2.0, 0.0],
            ]
        );
        let round = Moving::new(path(&[[0.0, 0.0], [3.0, 0.0], [3.0, 4.0], [0.0, 0.0]]), 2.0).unwrap();
        assert_eq!(round.offset(3.5).to_array(), [3.0, 4.0]);
        assert_eq!(round.offset(6.0).to_array(), [0.0, 0.0]);
        assert_eq!(round.offset(7.0).to_array(), [2.0, 0.0]);
        assert!(round.is_closed() && !open.is_closed());
    }

    #[test]
    fn repeated_points_change_nothing() {
        let plain = Moving::new(path(&[[0.0, 0.0], [2.0, 0.0]]), 1.0).unwrap();
        let doubled = Moving::new(path(&[[0.0, 0.0], [0.0, 0.0], [2.0, 0.0], [2.0, 0.0]]), 1.0).unwrap();
        for i in 0..50 {
            let time = f64::from(i) * 0.1;
            assert_eq!(plain.offset(time), doubled.offset(time), "{time}");
        }
    }

    #[test]
    fn invalid_paths_are_refused() {
        for (points, speed) in [
            (path(&[]), 1.0),
            (path(&[[1.0, 2.0]]), 1.0),
            (path(&[[1.0, 2.0], [1.0, 2.0]]), 1.0),
            (path(&[[0.0, 0.0], [1e31, 0.0]]), 1.0),
            (path(&[[0.0, 0.0], [f64::NAN, 0.0]]), 1.0),
            (path(&[[0.0, 0.0], [1.0, 0.0]]), 0.0),
            (path(&[[0.0, 0.0], [1.0, 0.0]]), -1.0),
            (path(&[[0.0, 0.0], [1.0, 0.0]]), f64::NAN),
            (path(&[[0.0, 0.0], [1.0, 0.0]]), f64::INFINITY),
        ] {
            assert!(Moving::new(points, speed).is_err());
        }
    }
}
