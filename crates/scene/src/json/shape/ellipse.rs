//! Reads and writes ellipses: polygons inscribed in them, given by their radii.
//!
//! A shape keeps only its vertices. So the writer searches for the radii and the deviation that
//! build the same polygon, and writes a polygon if there are none.

use carom::{Error, Shape, ShapeKind};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::number::Number;

/// Deviation of an ellipse without one, relative to the larger radius.
const DEVIATION: f64 = 1e-3;

#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an ellipse, such as {\"radius_x\": 2, \"radius_y\": 1, \"deviation\": 0.01}")]
pub(crate) struct Ellipse {
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30)))]
    radius_x: Number,
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30)))]
    radius_y: Number,
    /// Largest distance between the ellipse and the polygon, in scene units. Default: 1/1000 of the
    /// larger radius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 1e30)))]
    deviation: Option<Number>,
}

impl Ellipse {
    pub(super) fn build(&self) -> Result<Shape, Error> {
        let (x, y) = (self.radius_x.0, self.radius_y.0);
        Shape::ellipse(x, y, self.deviation.map_or(x.max(y) * DEVIATION, |deviation| deviation.0))
    }

    /// Returns the ellipse that builds this shape, if there is one. `Shape` keeps only the vertices.
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        let points = shape.points();
        let count = points.len();
        if shape.kind() != ShapeKind::ConvexPolygon || shape.radius() != 0.0 || count < 8 || !count.is_multiple_of(4) {
            return None;
        }
        let (x, y) = (points[0].x, points[count / 4].y);
        if points[0].y != 0.0 || points[count / 4].x != 0.0 || x <= 0.0 || y <= 0.0 {
            return None;
        }
        // The deviation of two vertices fewer needs this number, rounded up to a multiple of 4.
        let middle = x.max(y) * (1.0 - libm::cos(std::f64::consts::PI / (count - 2) as f64));
        let rounded = (0..17).map(|digits| format!("{middle:.digits$e}").parse().unwrap_or(middle));
        let candidate = |deviation| Self { radius_x: Number(x), radius_y: Number(y), deviation };
        let same = |ellipse: &Self| ellipse.build().is_ok_and(|built| built == *shape);
        std::iter::once(None).chain(rounded.map(|deviation| Some(Number(deviation)))).map(candidate).find(same)
    }
}
