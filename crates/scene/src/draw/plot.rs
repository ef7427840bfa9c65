//! Draws line charts with logarithmic axes: cost against size.
//!
//! Input: panels with named lines. Output: an SVG with one chart per panel, powers of ten as grid
//! lines, and the names at the ends of the lines. A name at its line needs no legend. Names that
//! would overlap are moved apart.

use carom::DVec2;
use svg::node::element::{Group, Path};

use super::marks::{dot, line};
use super::page::{FAINT, INK, LETTERS, MARGIN, PAPER, Page, WIDTH, letters, number, short, width, xy};

/// Panel of a chart.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Title above the panel.
    pub title: String,
    /// Lines. The last is drawn on top.
    pub lines: Vec<Line>,
}

/// Line of a panel.
#[derive(Clone, Debug)]
pub struct Line {
    /// Name at the end of the line.
    pub name: String,
    /// Pairs of size and cost. Both are above 0. Sizes ascend.
    pub points: Vec<DVec2>,
}

/// Colours of the lines, distinct for colour-blind readers. Repeated from the start.
const COLOURS: [&str; 8] = ["#8794a3", "#b4610a", "#0f766e", "#a3123a", "#1d5fa8", "#7c3aed", "#4d7c0f", "#1f2933"];
/// Height of a panel without its labels.
const HEIGHT: f64 = 230.0;
/// Left edge of the panels, after the labels of the y axis.
const LEFT: f64 = MARGIN + 44.0;
/// Smallest distance between the names of lines.
const LEAST: f64 = LETTERS + 1.0;
/// Font size of the labels of the axes.
const SMALL: f64 = LETTERS - 2.0;

/// Draws panels below each other, with the same unit of cost.
///
/// ```
/// use carom::DVec2;
/// use carom_scene::draw::{Line, Panel, plot};
///
/// let grid = Line { name: "grid".into(), points: vec![DVec2::new(1e3, 12.0), DVec2::new(1e4, 14.5)] };
/// let svg = plot("Broad phases", "ns a box", &[Panel { title: "all move".into(), lines: vec![grid] }]);
/// assert!(svg.contains(">grid</text>") || svg.contains("grid\n"));
/// ```
#[must_use]
pub fn plot(title: &str, unit: &str, panels: &[Panel]) -> String {
    let mut page = Page::new(title, &format!("{unit}, against their number"));
    let mut called: Vec<&str> = Vec::new();
    for one in panels.iter().flat_map(|panel| &panel.lines) {
        if !called.contains(&one.name.as_str()) {
            called.push(&one.name);
        }
    }
    for panel in panels {
        page.y += LETTERS + 8.0;
        page.add(letters(&panel.title, DVec2::new(MARGIN, page.y), LETTERS, INK, "start").set("font-weight", 600));
        page.y += LETTERS;
        match Scale::new(panel, page.y) {
            Some(scale) => page.add(drawn(panel, &called, &scale)),
            None => {
                page.add(letters("nothing measured", DVec2::new(LEFT, page.y + HEIGHT * 0.5), LETTERS, FAINT, "start"));
            }
        }
        page.y += HEIGHT + LETTERS + 8.0;
    }
    page.finish()
}

/// Map from values to page positions.
struct Scale {
    /// Logarithms of the smallest and largest value of each axis.
    x: [f64; 2],
    y: [f64; 2],
    right: f64,
    top: f64,
}

impl Scale {
    /// Returns the smallest scale that contains all points, with whole powers of ten for the costs.
    /// `None` without points.
    fn new(panel: &Panel, top: f64) -> Option<Self> {
        let points =
            || panel.lines.iter().flat_map(|line| &line.points).filter(|p| p.x > 0.0 && p.y > 0.0 && p.is_finite());
        let around = |values: &mut dyn Iterator<Item = f64>| {
            values.fold(None, |range: Option<[f64; 2]>, v| {
                Some(range.map_or([v, v], |[low, high]| [low.min(v), high.max(v)]))
            })
        };
        let x = around(&mut points().map(|p| p.x.log10()))?;
        let y = around(&mut points().map(|p| p.y.log10()))?;
        let widest = panel.lines.iter().map(|line| width(&line.name, SMALL)).fold(0.0, f64::max);
        let x = if x[0] == x[1] { [x[0] - 0.5, x[1] + 0.5] } else { x };
        let (low, high) = (y[0].floor(), y[1].ceil());
        Some(Self { x, y: [low, high.max(low + 1.0)], right: WIDTH - MARGIN - widest - 10.0, top })
    }

    fn point_on_page(&self, p: DVec2) -> DVec2 {
        let part = |v: f64, [low, high]: [f64; 2]| (v.log10() - low) / (high - low);
        DVec2::new(LEFT + (self.right - LEFT) * part(p.x, self.x), self.top + HEIGHT * (1.0 - part(p.y, self.y)))
    }
}

/// Lines with equal names have equal colours in all panels.
fn drawn(panel: &Panel, called: &[&str], scale: &Scale) -> Group {
    let mut group = grid(Group::new(), scale);
    let mut names = Vec::new();
    for one in &panel.lines {
        let colour = COLOURS[called.iter().position(|&name| name == one.name).unwrap_or(0) % COLOURS.len()];
        let points: Vec<DVec2> = one
            .points
            .iter()
            .filter(|p| p.x > 0.0 && p.y > 0.0 && p.is_finite())
            .map(|&p| scale.point_on_page(p))
            .collect();
        let Some(&last) = points.last() else { continue };
        let vertices: Vec<String> = points.iter().map(|&p| xy(p)).collect();
        group = group.add(
            Path::new()
                .set("d", format!("M{}", vertices.join("L")))
                .set("fill", "none")
                .set("stroke", colour)
                .set("stroke-width", 2),
        );
        for &p in &points {
            group = group.add(dot(p, 3.0).set("fill", colour).set("stroke", PAPER).set("stroke-width", 1));
        }
        names.push((last.y, one.name.as_str(), colour));
    }
    for (y, name, colour) in spread(names, scale.top) {
        let at = DVec2::new(scale.right + 8.0, y + SMALL * 0.36);
        group = group.add(letters(name, at, SMALL, colour, "start"));
    }
    group
}

/// Draws grid lines at the powers of ten with their numbers, and marks at the sizes.
fn grid(mut group: Group, scale: &Scale) -> Group {
    let [low, high] = scale.y.map(|y| y as i32);
    for power in low..=high {
        let at = scale.point_on_page(DVec2::new(10f64.powf(scale.x[0]), 10f64.powi(power)));
        group = group.add(line(at, DVec2::new(scale.right, at.y), "#e3e7ec", 1.0));
        group =
            group.add(letters(&thousands(10f64.powi(power)), at + DVec2::new(-6.0, SMALL * 0.36), SMALL, FAINT, "end"));
    }
    for power in scale.x[0].ceil() as i32..=scale.x[1].floor() as i32 {
        let count = 10f64.powi(power);
        let at = DVec2::new(scale.point_on_page(DVec2::new(count, 1.0)).x, scale.top + HEIGHT);
        group = group.add(line(at, at + DVec2::new(0.0, 4.0), FAINT, 1.0));
        group = group.add(letters(&thousands(count), at + DVec2::new(0.0, LETTERS + 4.0), SMALL, FAINT, "middle"));
    }
    group
}

/// Formats a size, for example 1k or 1M.
fn thousands(count: f64) -> String {
    match count {
        c if c >= 1e6 => format!("{}M", short(c / 1e6)),
        c if c >= 1e3 => format!("{}k", short(c / 1e3)),
        c => number(c),
    }
}

/// Separates overlapping names: downwards from the highest, and upwards from the end of the panel.
fn spread<'a>(mut names: Vec<(f64, &'a str, &'static str)>, top: f64) -> Vec<(f64, &'a str, &'static str)> {
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    for n in 1..names.len() {
        names[n].0 = names[n].0.max(names[n - 1].0 + LEAST);
    }
    let mut most = top + HEIGHT;
    for name in names.iter_mut().rev() {
        name.0 = name.0.min(most);
        most = name.0 - LEAST;
    }
    names
}
