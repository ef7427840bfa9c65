//! `carom check`: lists the pairs of shapes that intersect.
mod baseline;
mod by;
mod contact_table;
mod csv;
mod moving;
mod pairs;
mod print;
mod relations;
#[cfg(test)]
mod schema;
mod sentences;
mod watch;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use carom_scene::draw::Contact;
use carom_scene::{Scene, draw};
use clap::ValueEnum;

use baseline::Baseline;
use by::By;

use crate::broad_phase::BroadPhaseArg;
use crate::error::CliError;
use crate::input::{self, Input};
use crate::layers::LayerSet;
use crate::pipeline::{CheckOptions, Search};
use crate::progress::Progress;
use crate::render::Picture;
use crate::stats::Stopwatch;
use crate::stream::{Rows, Tally};
use crate::sweep;
use crate::threads::Threads;

/// List the pairs of shapes that intersect: normal, depth, contact points.
///
/// Shapes are closed: two shapes that share a single point intersect, with depth 0. Layers, masks
/// and groups of the scene apply. Sensors are marked.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 done; 1 --deny found a contact; 2 bad input or arguments.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Scenes to check: carom's JSON, Tiled maps (.tmx, .tmj), GeoJSON, CSV with WKT, SVG, PNG; `-`
    /// is stdin. Several files make one scene
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Output format of the contacts
    #[arg(long, value_enum, default_value_t = CheckFormat::Table)]
    format: CheckFormat,

    /// Also report pairs that are at most D apart; their depth is below 0
    #[arg(long, value_name = "D", default_value = "0", value_parser = margin, allow_negative_numbers = true)]
    margin: f64,

    /// Report only depths above 0: touching does not count
    #[arg(long, conflicts_with = "margin")]
    overlaps: bool,

    /// Report only contacts with a depth of at least D
    #[arg(long, value_name = "D", value_parser = finite, allow_negative_numbers = true)]
    min_depth: Option<f64>,

    /// Report only pairs with one shape on each of these layers (names or numbers) or in each of
    /// these files
    #[arg(long, num_args = 2, value_names = ["LAYER", "LAYER"])]
    between: Option<Vec<String>>,

    /// Sum up contacts [default: tile-layer for tables, shape for JSON]
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["sweep", "contains"])]
    by: Option<By>,

    /// Report the first contact of moving shapes, ordered by time. Shapes with a `motion`, or one
    /// of --move, move while time goes from 0 to 1
    #[arg(long, conflicts_with_all = ["margin", "overlaps", "min_depth"])]
    sweep: bool,

    #[command(flatten)]
    motions: sweep::MotionArgs,

    /// List only which pairs intersect, without contacts: faster
    #[arg(long, conflicts_with_all = NO_CONTACTS)]
    pairs: bool,

    /// List the pairs with their relation, as on maps: touching at points or along a border,
    /// overlapping, containing, within, equal
    #[arg(long, conflicts_with_all = NO_CONTACTS)]
    relations: bool,

    /// Add the length of the common border to --relations
    #[arg(long, requires = "relations")]
    lengths: bool,

    /// Add the area of the intersection to --relations
    #[arg(long, requires = "relations")]
    areas: bool,

    /// List the pairs of which one shape contains the other
    #[arg(long, conflicts_with_all = ["sweep", "margin", "overlaps", "min_depth"])]
    contains: bool,

    /// Broad phase; the result is the same for each
    #[arg(long, value_enum, default_value_t = BroadPhaseArg::Auto)]
    broad: BroadPhaseArg,

    /// Report only new, gone and changed pairs since a former JSON result
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sweep", "contains", "by", "watch"])]
    baseline: Option<PathBuf>,

    /// Largest change of a depth that --baseline and --watch do not report
    #[arg(long, value_name = "D", default_value = "0", value_parser = margin, allow_negative_numbers = true)]
    tolerance: f64,

    /// Check again when an input file changes, and print the difference
    #[arg(long, conflicts_with_all = ["sweep", "contains", "by", "deny", "quiet", "count"])]
    watch: bool,

    /// Print no data and no messages, only errors
    #[arg(long)]
    quiet: bool,

    /// Print only counts
    #[arg(long, conflicts_with_all = ["by", "quiet", "baseline"])]
    count: bool,

    /// Draw the scene and the contacts; the suffix .svg or .png chooses the format
    #[arg(long, value_name = "OUT", value_parser = Picture::parse)]
    render: Option<Picture>,

    /// Print the numbers of shapes, candidates and contacts and the time of each stage on stderr
    #[arg(long)]
    stats: bool,

    /// Exit with 1 if a reported pair intersects (near misses of --margin do not)
    #[arg(long)]
    deny: bool,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    input: Input,
}

/// Options that need contacts, or list something else. `--pairs` and `--relations` exclude them.
const NO_CONTACTS: [&str; 8] = ["sweep", "contains", "margin", "min_depth", "by", "baseline", "watch", "render"];

#[derive(Clone, Copy, ValueEnum)]
enum CheckFormat {
    /// Table with six digits
    Table,
    /// One object with all contacts, all digits; written while contacts are computed
    Json,
    /// One contact per line, all digits; written while contacts are computed
    Ndjson,
    /// Comma-separated values with a header, all digits
    Csv,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.threads.run(&|| check(args))
}

fn check(args: &Args) -> Result<ExitCode, CliError> {
    if args.watch {
        return watch::run(args);
    }
    let mut watch = Stopwatch::new();
    let progress = Progress::start().quiet(args.quiet);
    let mut scene = watch.time("read", || args.input.scene(&args.files, &progress))?;
    if args.sweep || args.contains {
        sweep::set_motions(&mut scene, &args.motions)?;
        let layers = args.between.as_deref().map(|names| between(&scene, names)).transpose()?;
        drop(progress);
        return if args.sweep {
            moving::sweep(args, &scene, layers.as_ref(), watch)
        } else {
            moving::contains(args, &scene, layers.as_ref())
        };
    }
    let question = args.question(&scene)?;
    let search = Search::new(&scene, &question, &mut watch, &progress);
    let found = if args.lists_pairs() {
        pairs::run(args, &scene, &search, &mut watch, progress)?
    } else if let Some(baseline) = &args.baseline {
        let baseline = Baseline::read(baseline)?;
        let contacts = search.contacts(&mut watch, &progress);
        args.draw(&scene, &contacts, &progress, &mut watch)?;
        drop(progress);
        let difference = baseline.compare(&scene, &contacts, args.tolerance);
        difference.print(args, search.candidates())?;
        Tally { has_contact: difference.is_worse(), ..Tally::of(&contacts) }
    } else if args.render.is_none() && (args.quiet || args.count) {
        let until_contact = args.quiet && !args.stats;
        let rows = Rows { row: &|pair| search.contact(pair), write: &|_, _| Ok(()) };
        let tally = rows.count(&search, until_contact, &mut watch, &progress);
        drop(progress);
        if args.count {
            print::count(args, scene.colliders.len(), search.candidates(), &tally)?;
        }
        tally
    } else {
        print::contacts(args, &scene, &search, &mut watch, progress)?
    };
    if args.stats {
        print::stats(args, &scene, &search, &found, &watch);
    }
    Ok(ExitCode::from(u8::from(args.deny && found.has_contact)))
}

impl Args {
    /// Returns the options of the search.
    fn question(&self, scene: &Scene) -> Result<CheckOptions, CliError> {
        Ok(CheckOptions {
            broad: self.broad,
            margin: self.margin,
            between: self.between.as_deref().map(|names| between(scene, names)).transpose()?,
            min_depth: self.min_depth.unwrap_or(f64::NEG_INFINITY),
            overlaps: self.overlaps,
        })
    }

    /// Returns true if only pairs are listed, without contacts.
    fn lists_pairs(&self) -> bool {
        self.pairs || self.relations
    }

    /// Draws the picture of `--render`.
    fn draw(
        &self,
        scene: &Scene,
        contacts: &[Contact],
        progress: &Progress,
        watch: &mut Stopwatch,
    ) -> Result<(), CliError> {
        let Some(picture) = &self.render else { return Ok(()) };
        progress.stage("drawing");
        watch.time("picture", || picture.save(&draw::scene(scene, contacts, &draw::Options::default())))
    }
}

/// Runs `carom` without a command: checks the built-in example.
pub(crate) fn example() -> Result<ExitCode, CliError> {
    let scene = input::example()?;
    let question = CheckOptions {
        broad: BroadPhaseArg::Auto,
        margin: 0.0,
        between: None,
        min_depth: f64::NEG_INFINITY,
        overlaps: false,
    };
    let (mut watch, progress) = (Stopwatch::new(), Progress::start());
    let contacts = Search::new(&scene, &question, &mut watch, &progress).contacts(&mut watch, &progress);
    drop(progress);
    print::table(&scene, &contacts, By::TileLayer)?;
    let hint =
        "This is the built-in example. `carom check FILE` checks a scene of yours, `carom --help` lists the rest.";
    // The contacts are printed. A failure to print the hint is no error.
    let _ = writeln!(anstream::stderr(), "{hint}");
    Ok(ExitCode::SUCCESS)
}

/// Returns the two sets of `--between`.
fn between(scene: &Scene, names: &[String]) -> Result<[LayerSet; 2], CliError> {
    Ok([LayerSet::new(scene, &names[0])?, LayerSet::new(scene, &names[1])?])
}

fn margin(text: &str) -> Result<f64, String> {
    let margin = finite(text)?;
    if (0.0..=1e30).contains(&margin) { Ok(margin) } else { Err("a number from 0 to 1e30 is expected".to_owned()) }
}

fn finite(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| "a finite number is expected".to_owned())
}
