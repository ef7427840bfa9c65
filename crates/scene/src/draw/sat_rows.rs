//! Draws the axes of an explanation as rows, with both projections on one scale.
//!
//! The rows start with the deciding axis and are sorted by overlap. One scale for all rows makes
//! the overlaps comparable. Projections are computed from the support points relative to the centre
//! of the shapes, because large coordinates would cancel.

use carom::explain::{Axis, AxisSource, SatExplanation};
use carom::{DVec2, Placed};
use svg::node::element::{Group, Rectangle};

use super::marks::line;
use super::page::{DEPTH, FAINT, FIRST, GAP, INK, LETTERS, MARGIN, Page, SECOND, WIDTH, letters, number, short};
use super::pair;

/// Largest number of rows. Other axes are counted only.
const MOST: usize = 16;
/// Height of a row.
const ROW: f64 = 26.0;
/// Caption of the rows.
const MEANING: &str = "overlap: distance that b must move along the axis to separate the projections";
/// x coordinates of the start and end of the bars.
const BARS: [f64; 2] = [160.0, 400.0];

/// Axis with both projections, relative to the centre of the shapes. Far from the origin of the
/// scene the projections of [`Axis`] have fewer digits.
pub(super) struct Row<'a> {
    pub(super) axis: &'a Axis,
    pub(super) number: usize,
    pub(super) a: [f64; 2],
    pub(super) b: [f64; 2],
}

impl Row<'_> {
    /// Returns the interval of both projections, with the gap between them.
    pub(super) fn whole(&self) -> [f64; 2] {
        [self.a[0].min(self.b[0]), self.a[1].max(self.b[1])]
    }

    /// Returns the interval from the lower end of b's projection to the upper end of a's. Its
    /// length is that of the overlap or gap.
    pub(super) fn between(&self) -> [f64; 2] {
        [self.b[0].min(self.a[1]), self.b[0].max(self.a[1])]
    }
}

/// Returns the axes of the picture: the deciding axis first, then sorted by overlap.
pub(super) fn listed<'a>(explanation: &'a SatExplanation, [a, b]: [Placed<'_>; 2], centre: DVec2) -> Vec<Row<'a>> {
    let mut axes: Vec<&Axis> = explanation.axes().iter().collect();
    axes.sort_by(|x, y| y.is_minimum.cmp(&x.is_minimum).then(x.overlap.total_cmp(&y.overlap)));
    let interval =
        |shape: Placed<'_>, n: DVec2| [-n, n].map(|direction| (shape.support_point(direction) - centre).dot(n));
    let row = |(number, axis): (usize, &'a Axis)| Row {
        axis,
        number,
        a: interval(a, axis.normal),
        b: interval(b, axis.normal),
    };
    axes.into_iter().take(MOST).enumerate().map(row).collect()
}

/// Adds the rows.
pub(super) fn add(page: &mut Page, ids: [&str; 2], explanation: &SatExplanation, listed: &[Row<'_>]) {
    pair::heads(page, ids);
    // All rows have one scale. Each begins at the lower end of its two projections.
    let longest = listed.iter().map(|row| row.whole()[1] - row.whole()[0]).fold(0.0, f64::max);
    // The scale stays finite. Bars of a scene below 1e-290 are not visible.
    let scale = (BARS[1] - BARS[0]) / longest.max(1e-290);
    for row in listed {
        page.add(drawn(row, page.y + ROW * 0.5, scale));
        page.y += ROW;
    }
    let more = explanation.axes().len() - listed.len();
    if more > 0 {
        let text = format!("and {more} more axes");
        page.add(letters(&text, DVec2::new(MARGIN, page.y + ROW * 0.6), LETTERS, FAINT, "start"));
        page.y += ROW;
    }
    if listed.iter().any(|row| row.axis.overlap > 0.0) {
        page.add(letters(MEANING, DVec2::new(MARGIN, page.y + ROW * 0.7), LETTERS - 2.0, FAINT, "start"));
        page.y += ROW;
    }
}

/// Returns the name of an axis in both parts of the picture.
fn name(axis: &Axis) -> String {
    match axis.source {
        AxisSource::EdgeOfA(edge) => format!("a, edge {edge}"),
        AxisSource::EdgeOfB(edge) => format!("b, edge {edge}"),
        AxisSource::Nearest => "nearest".to_owned(),
        AxisSource::Union => "union".to_owned(),
    }
}

/// Returns the colour of the overlap or gap.
pub(super) fn between(axis: &Axis) -> &'static str {
    if axis.overlap < 0.0 { GAP } else { DEPTH }
}

fn drawn(row: &Row<'_>, y: f64, scale: f64) -> Group {
    let axis = row.axis;
    let strong = axis.is_minimum;
    let mut group = Group::new();
    if strong {
        let tint = Rectangle::new()
            .set("x", MARGIN - 8.0)
            .set("y", short(y - ROW * 0.5))
            .set("width", WIDTH - 2.0 * MARGIN + 16.0)
            .set("height", ROW)
            .set("rx", 4)
            .set("fill", between(axis))
            .set("fill-opacity", 0.09);
        group = group.add(tint);
    }
    let start = row.whole()[0];
    let x = |t: f64| BARS[0] + (t - start) * scale;
    let [from, to] = row.between();
    let wash = line(DVec2::new(x(from), y), DVec2::new(x(to), y), between(axis), 18.0);
    group = group.add(wash.set("stroke-opacity", 0.35));
    let wide = 5.0;
    for (interval, colour, up) in [(row.a, FIRST[0], -3.0), (row.b, SECOND[0], 3.0)] {
        group = group.add(line(DVec2::new(x(interval[0]), y + up), DVec2::new(x(interval[1]), y + up), colour, wide));
    }
    let (what, size) = if axis.overlap < 0.0 { ("gap", -axis.overlap) } else { ("overlap", axis.overlap) };
    let words = |text: &str, x: f64| {
        let colour = if strong { INK } else { FAINT };
        let weight = if strong { 600 } else { 400 };
        letters(text, DVec2::new(x, y + LETTERS * 0.36), LETTERS, colour, "start").set("font-weight", weight)
    };
    group
        .add(words(&format!("{} · {}", row.number + 1, name(axis)), MARGIN))
        .add(words(&format!("{what} {}", number(size)), BARS[1] + 12.0))
}
