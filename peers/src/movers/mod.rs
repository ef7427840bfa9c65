//! Characters in a level: carom's mover beside rapier's character controller and Box2D's mover, with the same
//! recorded input.

mod carom;
pub(crate) mod level;
mod rapier;

use std::fmt::Write;

use serde_json::{Value, json};

use self::level::{Control, Level, SECONDS, TILES};
use crate::input::Vec2;
use crate::options::{Format, Options};
use crate::race::{Library, processor_time, progress};
use crate::{Page, box2d, machine};

/// Name of the row.
const ROW: &str = "movers";
const FRAMES: usize = 900;
const MOVERS: usize = 100;
/// Units per second, and per second squared.
const JUMP: f64 = 8.0;
const GRAVITY: f64 = 25.0;
/// A frame has lost motion if less than this share of the wanted motion along x was made.
const LOST: f64 = 0.5;

const WRITES: &str = "a String takes every text";

/// Movers of a library in the level.
pub(crate) trait Engine {
    /// Library and column.
    fn name(&self) -> (Library, &'static str);
    /// Puts the movers at their starts, in the air.
    fn reset(&mut self, starts: &[Vec2]);
    /// Moves one mover by a translation as far as the level allows: the timed work.
    fn move_by(&mut self, index: usize, translation: Vec2) -> Moved;
}

/// Result of a move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    /// The translation made.
    pub(crate) translation: Vec2,
    /// True if the mover stands on the ground afterward.
    pub(crate) grounded: bool,
}

/// State of a mover that the game keeps.
#[derive(Clone, Copy, Debug, Default)]
struct Walker {
    fall: f64,
    last: Moved,
}

/// Counts of an untimed run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    /// Frames on the ground, with a wanted motion along x, and no wall near.
    free: usize,
    /// Free frames that lost motion.
    lost: usize,
    /// Wanted and made motion along x in free frames.
    wanted: f64,
    made: f64,
    /// Frames on the ground.
    grounded: usize,
    /// Movers that end below their floor.
    fallen: usize,
}

struct Cell {
    library: Library,
    column: &'static str,
    nanoseconds: f64,
    tally: Tally,
}

/// Runs the row.
pub(crate) fn run(options: &Options) -> Page {
    if !ROW.contains(&options.row) {
        return Page { text: None, failures: Vec::new() };
    }
    let cells = progress(ROW, || race(FRAMES, MOVERS, options));
    let failures = failures(&cells);
    let text = match options.format {
        Format::Markdown => markdown(&cells, options),
        Format::Json => json(&cells, options).to_string(),
    };
    Page { text: Some(text), failures }
}

fn race(frames: usize, movers: usize, options: &Options) -> Vec<Cell> {
    let level = Level::random(options.seed);
    let starts = level::starts(movers, options.seed);
    let recording = level::recording(frames, movers, options.seed);
    let mut engines: [Box<dyn Engine>; 3] = [
        Box::new(rapier::Movers::new(&level)),
        Box::new(box2d::mover::Movers::new(&level)),
        Box::new(carom::Movers::new(&level, movers)),
    ];
    let tallies: Vec<Tally> =
        engines.iter_mut().map(|engine| tally(engine.as_mut(), &level, &starts, &recording)).collect();
    let mut times = vec![Vec::new(); engines.len()];
    for _ in 0..options.rounds {
        let mut round = vec![0.0; engines.len()];
        let mut walkers = vec![vec![Walker::default(); movers]; engines.len()];
        for engine in &mut engines {
            engine.reset(&starts);
        }
        // Interleaved frame by frame.
        for controls in &recording {
            for ((engine, walkers), time) in engines.iter_mut().zip(&mut walkers).zip(&mut round) {
                let start = processor_time();
                for (index, (walker, control)) in walkers.iter_mut().zip(controls).enumerate() {
                    walker.step(engine.as_mut(), index, control);
                }
                *time += processor_time() - start;
            }
        }
        let moves = (frames * movers) as f64;
        times.iter_mut().zip(round).for_each(|(times, round)| times.push(round / moves));
    }
    let cells = engines.iter().zip(times).zip(tallies).map(|((engine, mut times), tally)| {
        times.sort_by(f64::total_cmp);
        let (library, column) = engine.name();
        Cell { library, column, nanoseconds: times[times.len() / 2], tally }
    });
    cells.collect()
}

impl Walker {
    /// Moves by the input of a frame. The velocity is that of the translation made; a mover jumps from the ground.
    fn step(&mut self, engine: &mut dyn Engine, index: usize, control: &Control) {
        if self.last.grounded {
            self.fall = if control.jump { JUMP } else { 0.0 };
        }
        self.fall -= GRAVITY * SECONDS;
        self.last = engine.move_by(index, [control.speed * SECONDS, self.fall * SECONDS]);
        self.fall = self.last.translation[1] / SECONDS;
    }
}

/// Runs the recording once without a clock, and counts.
fn tally(engine: &mut dyn Engine, level: &Level, starts: &[Vec2], recording: &[Vec<Control>]) -> Tally {
    engine.reset(starts);
    let (mut tally, mut positions) = (Tally::default(), starts.to_vec());
    let mut walkers = vec![Walker::default(); starts.len()];
    for controls in recording {
        for (index, (walker, control)) in walkers.iter_mut().zip(controls).enumerate() {
            let walks = walker.last.grounded && !control.jump && control.speed != 0.0;
            let is_free = walks && level.is_free(index, positions[index][0]);
            walker.step(engine, index, control);
            let made = walker.last.translation;
            positions[index] = [positions[index][0] + made[0], positions[index][1] + made[1]];
            tally.grounded += usize::from(walker.last.grounded);
            if is_free {
                let (wanted, made) = (control.speed.abs() * SECONDS, made[0] * control.speed.signum());
                tally.free += 1;
                tally.lost += usize::from(made < LOST * wanted);
                tally.wanted += wanted;
                tally.made += made;
            }
        }
    }
    tally.fallen =
        positions.iter().enumerate().filter(|(index, position)| position[1] < level::floor_of(*index)).count();
    tally
}

/// Returns the promises that carom's mover broke.
fn failures(cells: &[Cell]) -> Vec<String> {
    let ours = cells.iter().filter(|cell| cell.library == Library::Carom);
    ours.filter(|cell| cell.tally.lost + cell.tally.fallen > 0)
        .map(|cell| {
            let Tally { free, lost, fallen, .. } = cell.tally;
            format!("{ROW}: {lost} of {free} frames of carom lost motion, {fallen} movers left their floors")
        })
        .collect()
}

/// Returns the time of the best other library relative to carom's.
fn lead(cells: &[Cell]) -> f64 {
    let least = |ours: bool| {
        let cells = cells.iter().filter(|cell| (cell.library == Library::Carom) == ours);
        cells.map(|cell| cell.nanoseconds).fold(f64::INFINITY, f64::min)
    };
    least(false) / least(true)
}

fn markdown(cells: &[Cell], options: &Options) -> String {
    let (processor, rounds, seed) = (machine::processor(), options.rounds, options.seed);
    let mut text = format!(
        "## Movers\n\n{MOVERS} capsules walk and jump for {FRAMES} frames in a level of {TILES} square tiles with slopes, \
         stairs and walls, \
         with the same recorded input. Processor time, median of rounds interleaved frame by frame.\n\n\
         {processor}; {rounds} rounds, seed {seed}.\n\n\
         | library | ns per move | moves per second | free frames that lost motion | motion made in free frames \
         | frames on the ground |\n\
         |---|--:|--:|--:|--:|--:|\n"
    );
    for Cell { column, nanoseconds, tally, .. } in cells {
        let Tally { free, lost, wanted, made, grounded, .. } = *tally;
        let (percent, moves) = (|part: f64, whole: f64| 100.0 * part / whole, (FRAMES * MOVERS) as f64);
        writeln!(
            text,
            "| {column} | {nanoseconds:.0} | {:.0} | {lost} of {free} ({:.2} %) | {:.1} % | {:.1} % |",
            1e9 / nanoseconds,
            percent(lost as f64, free as f64),
            percent(made, wanted),
            percent(grounded as f64, moves),
        )
        .expect(WRITES);
    }
    writeln!(text, "\nBest other library ÷ carom: {:.2}.", lead(cells)).expect(WRITES);
    text
}

fn json(cells: &[Cell], options: &Options) -> Value {
    let cell = |c: &Cell| {
        json!({
            "library": c.library.to_string(), "call": c.column, "ns_median": c.nanoseconds,
            "frames_free": c.tally.free, "frames_lost": c.tally.lost, "frames_grounded": c.tally.grounded,
            "motion_wanted": c.tally.wanted, "motion_made": c.tally.made, "movers_fallen": c.tally.fallen,
        })
    };
    json!({
        "workload": ROW, "processor": machine::processor(), "rounds": options.rounds, "seed": options.seed,
        "tiles": TILES, "movers": MOVERS, "frames": FRAMES, "best_library_to_carom": lead(cells),
        "calls": cells.iter().map(cell).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// carom keeps all movers on their floors and loses no motion. Of another library at most one mover of 40 leaves
    /// its floor (rapier at seed 3), so that all do the same work.
    #[test]
    fn movers_stay_on_their_floors() {
        for seed in 1..4 {
            let cells = race(400, 40, &Options { rounds: 1, seed, ..Options::default() });
            assert!(failures(&cells).is_empty(), "{:?}", failures(&cells));
            for Cell { library, column, tally, .. } in &cells {
                let most = usize::from(*library != Library::Carom);
                assert!(tally.fallen <= most, "{column} at seed {seed}: {} left their floors", tally.fallen);
                assert!(tally.free > 3_000 && tally.grounded > 8_000, "{column} at seed {seed}: {tally:?}");
            }
        }
    }

    #[test]
    fn the_level_has_ten_thousand_square_tiles_first() {
        let level = Level::random(1);
        assert_eq!(TILES, 10_000);
        assert!(
            level.pieces[..TILES]
                .iter()
                .all(|(form, _)| matches!(form, crate::worlds::scene::Form::Rectangle([0.5, 0.5])))
        );
        assert!(level.pieces.len() > TILES + 500);
    }
}
