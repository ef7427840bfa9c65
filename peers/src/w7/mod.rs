//! W7, outlines of maps: real maps and random stars, beside GEOS, geo, `i_overlay` and parry.

mod engines;
mod exact;
mod geos;
mod input;
mod outlines;
mod report;
mod truth;

use std::fmt;
use std::io;

use crate::Page;
use crate::options::{Format, Options};
use crate::race::{Library, median, progress};
use geos::Geos;
use input::{Input, stars};
use outlines::Outlines;
use truth::Truth;

/// Names of the rows. The first two are also the names of the files, with `.bin`.
const ROWS: [(&str, Source); 3] = [
    ("W7 us-atlas counties", Source::Map("counties.bin")),
    ("W7 world-atlas countries", Source::Map("countries.bin")),
    ("W7 nested stars", Source::Stars),
];

/// Stars that are in memory at once. Each such set is measured by itself.
const SET: usize = 1_000;
/// Records for each star: 10 000 stars by default.
const RECORDS_PER_STAR: usize = 100;

/// Another library that takes this many times as long as the fastest is left out after its first round.
const SLOW: f64 = 25.0;

#[derive(Clone, Copy)]
enum Source {
    Map(&'static str),
    Stars,
}

/// Question about each pair, or about each point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// True if the two share a point.
    Intersects,
    /// True if their interiors share a point.
    Overlaps,
    /// True if the second is in the first.
    Contains,
    /// Their distance; 0 if they intersect.
    Distance,
    /// True if a point is in the closed outline.
    Point,
}

const QUESTIONS: [Question; 5] =
    [Question::Intersects, Question::Overlaps, Question::Contains, Question::Distance, Question::Point];

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Intersects => "intersects",
            Self::Overlaps => "overlaps",
            Self::Contains => "contains",
            Self::Distance => "distance",
            Self::Point => "point",
        })
    }
}

/// Nanoseconds of one round, and its answers: 0 or 1, or distances.
struct Round {
    /// From points to outlines.
    build: f64,
    /// All pairs, for outlines that were just built.
    first: f64,
    /// All pairs again: the median of several times.
    again: f64,
    answers: Vec<f64>,
}

/// Library that answers questions.
trait Runner {
    /// Takes the input of all further questions.
    fn load(&mut self, _input: &Input) -> io::Result<()> {
        Ok(())
    }

    /// Measures a round. `None` if the library has no such call.
    fn answer(&mut self, input: &Input, question: Question) -> io::Result<Option<Round>>;
}

/// Rust libraries need no preparation.
impl<F: Fn(&Input, Question) -> Option<Round>> Runner for F {
    fn answer(&mut self, input: &Input, question: Question) -> io::Result<Option<Round>> {
        Ok(self(input, question))
    }
}

type Contestant = (Library, Box<dyn Runner>);

/// Returns the Rust libraries, in the order of the columns.
fn rust_libraries() -> Vec<Contestant> {
    vec![
        (Library::Geo, Box::new(|input: &Input, question| Some(engines::geo(input, question)))),
        (Library::IOverlay, Box::new(engines::i_overlay)),
        (Library::Parry, Box::new(engines::parry)),
        (Library::Carom, Box::new(|input: &Input, question| Some(engines::carom(input, question)))),
    ]
}

/// Measurements of a library for one question: sums over the sets.
struct Cell {
    contestant: Library,
    /// Nanoseconds: build, first and again of [`Round`], the medians of the rounds.
    medians: [f64; 3],
    /// The same, the fastest rounds.
    quickest: [f64; 3],
    /// Outlines, questions about them, and answers: fewer if the library was left out or reached its limit.
    outlines: usize,
    query_count: usize,
    answers: usize,
    wrong: usize,
    left_out: bool,
}

/// Result for an input.
#[derive(Default)]
struct Row {
    name: &'static str,
    outlines: usize,
    /// Outlines that carom refuses. Nobody gets them.
    refused: usize,
    vertices: usize,
    pairs: usize,
    points: usize,
    /// Pairs that were decided exactly.
    decided: usize,
    /// In the order of [`QUESTIONS`].
    questions: Vec<Vec<Cell>>,
}

/// Runs the selected rows.
pub(crate) fn run(options: &Options) -> Page {
    let selected: Vec<(&'static str, Source)> =
        ROWS.into_iter().filter(|(name, _)| name.contains(&options.row)).collect();
    if selected.is_empty() {
        return Page { text: None, failures: Vec::new() };
    }
    match rows(&selected, options) {
        Ok((version, rows)) => Page {
            failures: rows.iter().flat_map(failures).collect(),
            text: Some(match options.format {
                Format::Markdown => report::markdown(&rows, &version, options),
                Format::Json => report::json(&rows, &version, options).to_string(),
            }),
        },
        Err(error) => Page { text: None, failures: vec![format!("W7: {error}")] },
    }
}

fn rows(selected: &[(&'static str, Source)], options: &Options) -> io::Result<(String, Vec<Row>)> {
    geos::fetch()?;
    let geos = Geos::start()?;
    let version = geos.version.clone();
    let mut contestants = rust_libraries();
    contestants.insert(0, (Library::Geos, Box::new(geos)));
    let rows = selected.iter().map(|&(name, source)| progress(name, || row(name, source, &mut contestants, options)));
    Ok((version, rows.collect::<io::Result<_>>()?))
}

fn row(name: &'static str, source: Source, contestants: &mut [Contestant], options: &Options) -> io::Result<Row> {
    let mut row = Row { name, questions: QUESTIONS.map(|_| cells(contestants)).into(), ..Row::default() };
    match source {
        Source::Map(file) => row.add(&geos::map(file)?, contestants, options.seed, options.rounds)?,
        Source::Stars => {
            let stars_in_all = (options.records / RECORDS_PER_STAR).max(1);
            let sets = stars_in_all.div_ceil(SET);
            for set in 0..sets {
                let count = SET.min(stars_in_all - set * SET);
                let seed = options.seed.wrapping_add(set as u64);
                row.add(&stars(count, seed), contestants, seed, options.rounds.div_ceil(sets))?;
            }
        }
    }
    Ok(row)
}

fn cells(contestants: &[Contestant]) -> Vec<Cell> {
    let cell = |&(library, _): &Contestant| {
        let ([medians, quickest], [outlines, query_count, answers, wrong]) = ([[0.0; 3]; 2], [0; 4]);
        Cell { contestant: library, medians, quickest, outlines, query_count, answers, wrong, left_out: false }
    };
    contestants.iter().map(cell).collect()
}

impl Row {
    /// Measures all questions about a set of outlines, and adds the figures to the row.
    fn add(&mut self, outlines: &Outlines, contestants: &mut [Contestant], seed: u64, rounds: usize) -> io::Result<()> {
        let accepted = outlines.filtered(|i| engines::shape(outlines, i).is_ok());
        let input = Input::new(accepted, seed);
        self.refused += outlines.len() - input.outlines.len();
        self.outlines += input.outlines.len();
        self.vertices += input.outlines.point_count();
        self.pairs += input.pairs.len();
        self.points += input.points.len();
        for (_, runner) in &mut *contestants {
            runner.load(&input)?;
        }
        let mut truth = Truth::new(&input, seed);
        for (question, cells) in QUESTIONS.into_iter().zip(&mut self.questions) {
            measure(question, &input, &mut truth, contestants, cells, rounds)?;
        }
        self.decided += truth.decided();
        Ok(())
    }
}

/// Runs all libraries in turn, `rounds` times.
fn measure(
    question: Question,
    input: &Input,
    truth: &mut Truth<'_>,
    contestants: &mut [Contestant],
    cells: &mut [Cell],
    rounds: usize,
) -> io::Result<()> {
    let mut times: Vec<[Vec<f64>; 3]> = cells.iter().map(|_| [const { Vec::new() }; 3]).collect();
    let mut answers: Vec<Option<Vec<f64>>> = cells.iter().map(|_| None).collect();
    for _ in 0..rounds {
        for (i, (_, runner)) in contestants.iter_mut().enumerate() {
            if cells[i].left_out {
                continue;
            }
            match runner.answer(input, question)? {
                None => cells[i].left_out = true,
                Some(round) => {
                    let parts = [round.build, round.first, round.again];
                    times[i].iter_mut().zip(parts).for_each(|(times, time)| times.push(time));
                    answers[i] = Some(round.answers);
                }
            }
        }
        let once = |times: &[Vec<f64>; 3]| times[2].first().copied();
        let fastest = times.iter().filter_map(once).fold(f64::INFINITY, f64::min);
        for (cell, times) in cells.iter_mut().zip(&times).filter(|(cell, _)| cell.contestant != Library::Carom) {
            cell.left_out |= once(times).is_some_and(|time| time > SLOW * fastest);
        }
    }
    let given: Vec<(Library, &[f64])> =
        cells.iter().zip(&answers).filter_map(|(cell, answers)| Some((cell.contestant, answers.as_deref()?))).collect();
    let wrong = truth.wrong(question, &given);
    let counts: Vec<(usize, usize)> = given.iter().map(|(_, answers)| answers.len()).zip(wrong).collect();
    let took_part = cells.iter_mut().zip(times).filter(|(_, times)| !times[0].is_empty());
    for ((cell, times), (answers, wrong)) in took_part.zip(counts) {
        for (part, times) in times.iter().enumerate() {
            cell.medians[part] += median(times);
            cell.quickest[part] += times.iter().copied().fold(f64::INFINITY, f64::min);
        }
        cell.outlines += input.outlines.len();
        cell.query_count += input.query_count(question);
        cell.answers += answers;
        cell.wrong += wrong;
    }
    Ok(())
}

/// Returns the wrong answers of carom.
fn failures(row: &Row) -> Vec<String> {
    let of_question = |(question, cells): (Question, &Vec<Cell>)| {
        let ours = cells.iter().find(|cell| cell.contestant == Library::Carom && cell.wrong > 0)?;
        Some(format!("{}, {question}: {} of {} answers of carom are wrong", row.name, ours.wrong, ours.answers))
    };
    QUESTIONS.into_iter().zip(&row.questions).filter_map(of_question).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_libraries_agree_on_some_stars() {
        let options = Options { rounds: 1, records: 1_200, seed: 7, ..Options::default() };
        let row = row("stars", Source::Stars, &mut rust_libraries(), &options).unwrap();
        assert_eq!((row.outlines, row.refused, row.points), (12, 0, 96));
        assert!(row.decided > 6, "{} of {} pairs were decided exactly", row.decided, row.pairs);
        for (question, cells) in QUESTIONS.into_iter().zip(&row.questions) {
            for cell in cells.iter().filter(|cell| cell.answers > 0) {
                // f32 moves vertices.
                let excused = if cell.contestant == Library::Parry { cell.answers / 4 } else { 0 };
                assert!(cell.wrong <= excused, "{question}: {} of {} wrong", cell.wrong, cell.contestant);
            }
        }
    }

    #[test]
    fn geos_agrees_too() {
        let selected = [("W7 nested stars", Source::Stars), ("W7 us-atlas counties", Source::Map("counties.bin"))];
        let options = Options { rounds: 1, records: 4_000, ..Options::default() };
        let (version, rows) = rows(&selected, &options).unwrap();
        assert!(version.starts_with("GEOS 3.14"), "{version}");
        for row in rows {
            for (question, cells) in QUESTIONS.into_iter().zip(&row.questions) {
                let wrong = |library| cells.iter().find(|cell| cell.contestant == library).unwrap().wrong;
                assert_eq!(wrong(Library::Carom), 0, "{}, {question}", row.name);
                assert_eq!(wrong(Library::Geos), 0, "{}, {question}", row.name);
            }
        }
    }
}
