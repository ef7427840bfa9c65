//! Draws the legend and the scale bar.
//!
//! Each entry is a sample and a word. Only entries that occur in the picture are listed. The scale
//! bar has a length of 1, 2 or 5 times a power of ten in scene units, and both axes show their
//! direction.

use carom::DVec2;
use svg::node::element::{Element, Group, Rectangle};

use super::marks::{arrow, dot, line};
use super::page::{
    DEPTH, FAINT, GAP, INK, LETTERS, MARGIN, NO_CONTACT, NORMAL, PAPER, Page, WIDTH, letters, number, short, width,
};
use crate::YAxis;

/// Entry of the legend: a sample and its meaning.
#[derive(Clone, Copy)]
pub(super) enum Item {
    /// Shape with these colours.
    Swatch(&'static str, [&'static str; 2]),
    /// Line of this colour.
    Line(&'static str, &'static str),
    Sensor,
    Point,
    Touch,
    Depth,
    Gap,
    Normal,
}

/// Height of a line of the legend.
const LINE: f64 = 20.0;
/// Width of the sign in front of an entry.
const SAMPLE: f64 = 20.0;
/// Space between two entries of a line.
const SPACE: f64 = 12.0;

/// Adds the entries in lines, then the scale bar and the directions of the axes.
pub(super) fn legend(page: &mut Page, items: &[Item], scale: Option<(f64, YAxis)>) {
    let mut at = DVec2::new(MARGIN, page.y + LINE * 0.5);
    let mut next_position = |page: &mut Page, wide: f64| {
        if at.x + wide > WIDTH - MARGIN && at.x > MARGIN {
            at = DVec2::new(MARGIN, at.y + LINE);
        }
        let here = at;
        at.x += wide + SPACE;
        page.y = here.y + LINE * 0.5;
        here
    };
    for item in items {
        let text = item.text();
        let here = next_position(page, SAMPLE + 6.0 + width(text, LETTERS));
        page.add(item.sample(here));
        page.add(words(text, here + DVec2::new(SAMPLE + 6.0, 0.0)));
    }
    if let Some((scale, y)) = scale {
        let unit = round_length(90.0 / scale);
        let long = unit * scale;
        let text = format!("{} unit{}", number(unit), if unit == 1.0 { "" } else { "s" });
        let here = next_position(page, long + 6.0 + width(&text, LETTERS));
        page.add(bar(here, long));
        page.add(words(&text, here + DVec2::new(long + 6.0, 0.0)));
        let text = match y {
            YAxis::Up => "y up",
            YAxis::Down => "y down",
        };
        let here = next_position(page, 18.0 + width(text, LETTERS));
        page.add(axes(here, y));
        page.add(words(text, here + DVec2::new(18.0, 0.0)));
    }
}

fn words(text: &str, at: DVec2) -> svg::node::element::Text {
    letters(text, at + DVec2::new(0.0, LETTERS * 0.36), LETTERS, FAINT, "start")
}

/// Returns the largest of 1, 2, 5 × 10ⁿ that is not longer.
fn round_length(most: f64) -> f64 {
    let power = 10f64.powf(most.log10().floor());
    let step = [5.0, 2.0].into_iter().find(|step| step * power <= most);
    // Parsing returns the nearest number to the decimal power. `powf` may not.
    format!("{}e{}", step.unwrap_or(1.0), power.log10().round()).parse().unwrap_or(power)
}

fn bar(at: DVec2, long: f64) -> Group {
    let tick = |x: f64| line(at + DVec2::new(x, -4.0), at + DVec2::new(x, 4.0), INK, 1.2);
    Group::new().add(line(at, at + DVec2::new(long, 0.0), INK, 1.2)).add(tick(0.0)).add(tick(long))
}

fn axes(at: DVec2, y: YAxis) -> Group {
    let (up, from) = match y {
        YAxis::Up => (DVec2::NEG_Y, at + DVec2::new(2.0, 6.0)),
        YAxis::Down => (DVec2::Y, at + DVec2::new(2.0, -6.0)),
    };
    Group::new().add(arrow(from, up, 12.0, INK, 1.1)).add(arrow(from, DVec2::X, 12.0, INK, 1.1))
}

impl Item {
    fn text(self) -> &'static str {
        match self {
            Self::Swatch(text, _) | Self::Line(text, _) => text,
            Self::Sensor => "sensor",
            Self::Point => "contact",
            Self::Touch => "touching",
            Self::Depth => "depth",
            Self::Gap => "gap",
            Self::Normal => "normal, a to b",
        }
    }

    /// `at`: middle of the left edge.
    fn sample(self, at: DVec2) -> Element {
        let middle = at + DVec2::new(SAMPLE * 0.5, 0.0);
        let across = |colour: &str, width: f64| line(at, at + DVec2::new(SAMPLE, 0.0), colour, width);
        match self {
            Self::Swatch(_, colours) => swatch(at, colours).into(),
            Self::Line(_, colour) => across(colour, 1.6).into(),
            Self::Sensor => swatch(at, NO_CONTACT).set("stroke-dasharray", "4 3").set("fill-opacity", 0.12).into(),
            Self::Point => dot(middle, 3.2).set("fill", INK).into(),
            Self::Touch => dot(middle, 3.2).set("fill", PAPER).set("stroke", INK).set("stroke-width", 1.2).into(),
            Self::Depth => across(DEPTH, 3.2).into(),
            Self::Gap => across(GAP, 1.6).set("stroke-dasharray", "3 2.5").into(),
            Self::Normal => arrow(at, DVec2::X, SAMPLE, NORMAL, 1.8).into(),
        }
    }
}

fn swatch(at: DVec2, [stroke, fill]: [&str; 2]) -> Rectangle {
    Rectangle::new()
        .set("x", short(at.x))
        .set("y", short(at.y - 6.0))
        .set("width", SAMPLE)
        .set("height", 12)
        .set("rx", 2)
        .set("stroke", stroke)
        .set("stroke-width", 1.6)
        .set("fill", fill)
        .set("fill-opacity", 0.45)
}
