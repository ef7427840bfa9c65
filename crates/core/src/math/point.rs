//! Converts the caller's points and vectors to `DVec2`.
//!
//! Games use the vector type of their engine. A trait with exact conversions accepts all of them,
//! without a conversion at each call. Slices of `DVec2` are borrowed, not copied.

use alloc::borrow::Cow;

use glam::{DVec2, Vec2};

/// A point or vector that can be passed to carom.
///
/// Implemented for `[x, y]` and `(x, y)` of `f64`, `f32` or `i32`, and for [`DVec2`] and `Vec2` of
/// glam 0.33. The features `mint`, `glam-034` and `nalgebra` add the two-dimensional vectors and
/// points of these crates. All conversions are exact. Results are [`DVec2`]; its `to_array` and
/// `into` convert back.
///
/// Implement it for your own vector type:
///
/// ```
/// use carom::{DVec2, IntoPoint, Shape, intersects};
///
/// #[derive(Clone, Copy)]
/// struct Tile(i16, i16);
///
/// impl IntoPoint for Tile {
///     fn into_point(self) -> DVec2 {
///         DVec2::new(f64::from(self.0), f64::from(self.1))
///     }
/// }
///
/// let ball = Shape::circle(0.5)?;
/// assert!(intersects(ball.at(Tile(3, 0))?, ball.at([4, 0])?));
/// assert!(intersects(ball.at((3.0_f32, 0.0))?, ball.at([4.0, 0.0])?));
/// # Ok::<(), carom::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a point or vector that carom takes",
    label = "expected `[x, y]`, `(x, y)`, `carom::DVec2` or another type that implements `carom::IntoPoint`",
    note = "the features `mint`, `glam-034` and `nalgebra` of carom add the vector types of these crates",
    note = "otherwise pass `[x, y]` with both numbers of type `f64`, `f32` or `i32`, or implement `carom::IntoPoint`"
)]
pub trait IntoPoint: Copy {
    /// Returns the point.
    fn into_point(self) -> DVec2;

    /// Returns all points of a slice, borrowed if they need no conversion.
    fn into_points(points: &[Self]) -> Cow<'_, [DVec2]> {
        points.iter().map(|p| p.into_point()).collect()
    }
}

impl IntoPoint for DVec2 {
    #[inline(always)]
    fn into_point(self) -> DVec2 {
        self
    }

    fn into_points(points: &[Self]) -> Cow<'_, [DVec2]> {
        points.into()
    }
}

/// Implements [`IntoPoint`] for types by the pattern that destructures them.
macro_rules! into_point {
    ($($pattern:pat => $type:ty, $x:expr, $y:expr;)*) => {$(
        impl IntoPoint for $type {
            #[inline(always)]
            fn into_point(self) -> DVec2 {
                let $pattern = self;
                DVec2::new(f64::from($x), f64::from($y))
            }
        }
    )*};
}

into_point! {
    [x, y] => [f64; 2], x, y;
    [x, y] => [f32; 2], x, y;
    [x, y] => [i32; 2], x, y;
    (x, y) => (f64, f64), x, y;
    (x, y) => (f32, f32), x, y;
    (x, y) => (i32, i32), x, y;
    v => Vec2, v.x, v.y;
}

#[cfg(feature = "glam-034")]
into_point! {
    v => glam_034::DVec2, v.x, v.y;
    v => glam_034::Vec2, v.x, v.y;
}

#[cfg(feature = "mint")]
into_point! {
    v => mint::Point2<f64>, v.x, v.y;
    v => mint::Point2<f32>, v.x, v.y;
    v => mint::Point2<i32>, v.x, v.y;
    v => mint::Vector2<f64>, v.x, v.y;
    v => mint::Vector2<f32>, v.x, v.y;
    v => mint::Vector2<i32>, v.x, v.y;
}

#[cfg(feature = "nalgebra")]
into_point! {
    v => nalgebra::Point2<f64>, v.x, v.y;
    v => nalgebra::Point2<f32>, v.x, v.y;
    v => nalgebra::Point2<i32>, v.x, v.y;
    v => nalgebra::Vector2<f64>, v.x, v.y;
    v => nalgebra::Vector2<f32>, v.x, v.y;
    v => nalgebra::Vector2<i32>, v.x, v.y;
}
