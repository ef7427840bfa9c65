//! Draws the chart of `--plot`.
use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::series::Sample;

const WIDTH: u32 = 900;
const HEIGHT: u32 = 780;
/// Largest number of points of a line. More cannot be told apart.
const MOST_POINTS: usize = 2_000;

/// Colours that colour-blind readers can tell apart.
const COLOURS: [RGBColor; 3] = [RGBColor(29, 95, 168), RGBColor(180, 97, 10), RGBColor(15, 118, 110)];

/// Line of a chart: its name and its value in a sample.
type Line = (&'static str, fn(&Sample) -> f64);

const ENERGY: [Line; 3] = [
    ("total", |sample| sample.energy),
    ("kinetic", |sample| sample.kinetic),
    ("potential, zero at the origin", |sample| sample.potential),
];
const CONTACTS: [Line; 3] = [
    ("contacts after the step", |sample| sample.contacts as f64),
    ("contacts that began in it", |sample| sample.begins as f64),
    ("impacts inside the step", |sample| sample.impacts as f64),
];
const TESTS: [Line; 1] = [("pairs whose boxes overlapped", |sample| sample.tests as f64)];

/// Draws energy, contacts and tests below each other.
pub(super) fn svg(samples: &[Sample]) -> Result<String, String> {
    let mut svg = String::new();
    draw(&mut svg, samples).map_err(|error| format!("the plot cannot be drawn: {error}"))?;
    Ok(svg)
}

fn draw(svg: &mut String, samples: &[Sample]) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
    area.fill(&WHITE)?;
    let stride = samples.len().div_ceil(MOST_POINTS).max(1);
    // The last sample is always shown.
    let shown: Vec<&Sample> = samples.iter().step_by(stride).chain(samples.last()).collect();
    let panels = area.split_evenly((3, 1));
    let has_potential = samples.iter().any(|sample| sample.potential != 0.0);
    // Without gravity the three energies are one line.
    let energy = if has_potential { &ENERGY[..] } else { &ENERGY[1..2] };
    panel(&panels[0], "energy", energy, &shown)?;
    // The start has an energy, but no step has made contacts yet.
    let steps = if shown.len() > 1 { &shown[1..] } else { &shown[..] };
    panel(&panels[1], "contacts", &CONTACTS, steps)?;
    panel(&panels[2], "tests per step", &TESTS, steps)?;
    area.present()?;
    Ok(())
}

fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    title: &str,
    lines: &[Line],
    samples: &[&Sample],
) -> Result<(), Box<dyn Error>> {
    let end = samples.last().map_or(1.0, |sample| sample.time).max(f64::MIN_POSITIVE);
    let values = || lines.iter().flat_map(|(_, value)| samples.iter().map(|sample| value(sample)));
    let (low, high) = values().filter(|v| v.is_finite()).fold((0.0_f64, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
    let range = (high - low).max(high.abs().max(low.abs()) * 1e-9).max(f64::MIN_POSITIVE);
    // The names of the lines are above them.
    let (margin, names) = (range * 0.05, range * (0.12 + 0.14 * lines.len() as f64));
    let bottom = if low < 0.0 { low - margin } else { 0.0 };
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(10)
        .margin_right(24)
        .x_label_area_size(34)
        .y_label_area_size(76)
        .build_cartesian_2d(0.0..end, bottom..high + names)?;
    chart
        .configure_mesh()
        .x_desc("time in seconds")
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(227, 231, 236))
        .y_label_formatter(&|y| crate::number_format::short(*y))
        .x_label_formatter(&|x| crate::number_format::short(*x))
        .label_style(("sans-serif", 13))
        .draw()?;
    for ((name, value), colour) in lines.iter().zip(COLOURS) {
        let points = samples.iter().map(|sample| (sample.time, value(sample)));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(200, 205, 212))
        .label_font(("sans-serif", 13))
        .draw()?;
    Ok(())
}
