//! Lines over a logarithmic scale both ways: what something costs against how much of it there is.
use carom::DVec2;
use svg::node::element::{Group, Path};

use super::marks::{dot, line};
use super::page::{FAINT, INK, LETTERS, MARGIN, PAPER, Page, WIDTH, letters, number, short, width, xy};

/// One panel of a picture.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What is shown, above the panel.
    pub title: String,
    /// The lines, the ones to be seen best last.
    pub lines: Vec<Line>,
}

/// One line of a panel.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is called, at its end.
    pub name: String,
    /// How many, and what one of them costs: both above 0, in ascending order.
    pub points: Vec<DVec2>,
}

/// The colours of lines, told apart by those who see red and green alike; then from the start.
const COLOURS: [&str; 8] = ["#8794a3", "#b4610a", "#0f766e", "#a3123a", "#1d5fa8", "#7c3aed", "#4d7c0f", "#1f2933"];
const HEIGHT: f64 = 230.0;
const LEFT: f64 = MARGIN + 44.0;
/// Names at the ends of lines keep this far from each other.
const LEAST: f64 = LETTERS + 1.0;
const SMALL: f64 = LETTERS - 2.0;

/// The picture: a panel below another, with one unit of cost for all.
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
    let mut page = Page::new(title, &format!("{unit}, against how many"));
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

/// From numbers to places.
struct Scale {
    /// Logarithms of the least and the greatest number each way.
    x: [f64; 2],
    y: [f64; 2],
    right: f64,
    top: f64,
}

impl Scale {
    /// The least that holds every point, with whole powers of ten above and below the costs; none without points.
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

    fn place(&self, p: DVec2) -> DVec2 {
        let part = |v: f64, [low, high]: [f64; 2]| (v.log10() - low) / (high - low);
        DVec2::new(LEFT + (self.right - LEFT) * part(p.x, self.x), self.top + HEIGHT * (1.0 - part(p.y, self.y)))
    }
}

/// Who is called alike has the same colour in all panels.
fn drawn(panel: &Panel, called: &[&str], scale: &Scale) -> Group {
    let mut group = grid(Group::new(), scale);
    let mut names = Vec::new();
    for one in &panel.lines {
        let colour = COLOURS[called.iter().position(|&name| name == one.name).unwrap_or(0) % COLOURS.len()];
        let points: Vec<DVec2> =
            one.points.iter().filter(|p| p.x > 0.0 && p.y > 0.0 && p.is_finite()).map(|&p| scale.place(p)).collect();
        let Some(&last) = points.last() else { continue };
        let way: Vec<String> = points.iter().map(|&p| xy(p)).collect();
        group = group.add(
            Path::new()
                .set("d", format!("M{}", way.join("L")))
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

/// Lines at the powers of ten, with their numbers, and where the counts are.
fn grid(mut group: Group, scale: &Scale) -> Group {
    let [low, high] = scale.y.map(|y| y as i32);
    for power in low..=high {
        let at = scale.place(DVec2::new(10f64.powf(scale.x[0]), 10f64.powi(power)));
        group = group.add(line(at, DVec2::new(scale.right, at.y), "#e3e7ec", 1.0));
        group =
            group.add(letters(&thousands(10f64.powi(power)), at + DVec2::new(-6.0, SMALL * 0.36), SMALL, FAINT, "end"));
    }
    for power in scale.x[0].ceil() as i32..=scale.x[1].floor() as i32 {
        let count = 10f64.powi(power);
        let at = DVec2::new(scale.place(DVec2::new(count, 1.0)).x, scale.top + HEIGHT);
        group = group.add(line(at, at + DVec2::new(0.0, 4.0), FAINT, 1.0));
        group = group.add(letters(&thousands(count), at + DVec2::new(0.0, LETTERS + 4.0), SMALL, FAINT, "middle"));
    }
    group
}

/// 1k, 1M.
fn thousands(count: f64) -> String {
    match count {
        c if c >= 1e6 => format!("{}M", short(c / 1e6)),
        c if c >= 1e3 => format!("{}k", short(c / 1e3)),
        c => number(c),
    }
}

/// Moves names apart, downward from the highest, and up again where they leave the panel.
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
