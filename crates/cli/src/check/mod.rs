//! `carom check`: lists the pairs of shapes that intersect.
pub(crate) mod by;

use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use carom_scene::draw::Contact;
use carom_scene::{Scene, draw};
use clap::ValueEnum;
use serde::Serialize;

use by::By;

use crate::broad_phase::BroadPhaseArg;
use crate::error::CliError;
use crate::input::{self, Input};
use crate::layers::LayerSet;
use crate::pipeline::{self, CheckOptions, Search};
use crate::progress::Progress;
use crate::render::Picture;
use crate::stats::{self, Counts, Stopwatch};
use crate::stream::{self, Form, Tally, Unread};
use crate::threads::Threads;
use crate::{containment, messages, output, report_table, sweep};

/// List the pairs of shapes that intersect: normal, depth, contact points.
///
/// Shapes are closed: two shapes that share a single point intersect, with depth 0. Layers, masks
/// and groups of the scene apply. Sensors are marked.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 done; 1 --deny found a contact; 2 bad input or arguments.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Scenes to check: carom's JSON, Tiled maps (.tmx, .tmj), GeoJSON, SVG, PNG; `-` is stdin.
    /// Several files make one scene
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Output format of the contacts
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

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

    /// Motion for --sweep: translation and rotation in degrees; may be repeated
    #[arg(long = "move", num_args = 2, value_names = ["ID", "DX,DY[,DEGREES]"], requires = "sweep", allow_hyphen_values = true)]
    moves: Vec<String>,

    /// List the pairs of which one shape contains the other
    #[arg(long, conflicts_with_all = ["sweep", "margin", "overlaps", "min_depth"])]
    contains: bool,

    /// Broad phase; the result is the same for each
    #[arg(long, value_enum, default_value_t = BroadPhaseArg::Auto)]
    broad: BroadPhaseArg,

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

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Table with six digits
    Table,
    /// One object with all contacts, all digits; written while contacts are computed
    Json,
    /// One contact per line, all digits; written while contacts are computed
    Ndjson,
}

impl Format {
    /// Returns the JSON form, or `None` for a table.
    fn form(self) -> Option<Form> {
        match self {
            Self::Table => None,
            Self::Json => Some(Form::Object),
            Self::Ndjson => Some(Form::Lines),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.threads.run(|| check(args))
}

fn check(args: &Args) -> Result<ExitCode, CliError> {
    let mut watch = Stopwatch::new();
    let progress = Progress::start();
    let mut scene = watch.time("read", || args.input.scene(&args.files, &progress))?;
    if args.sweep || args.contains {
        sweep::set_motions(&mut scene, &args.moves)?;
        let layers = args.between.as_deref().map(|names| between(&scene, names)).transpose()?;
        drop(progress);
        return if args.sweep {
            run_sweep(args, &scene, layers.as_ref(), watch)
        } else {
            run_contains(args, &scene, layers.as_ref())
        };
    }
    let question = CheckOptions {
        broad: args.broad,
        margin: args.margin,
        between: args.between.as_deref().map(|names| between(&scene, names)).transpose()?,
        min_depth: args.min_depth.unwrap_or(f64::NEG_INFINITY),
        overlaps: args.overlaps,
    };
    let search = Search::new(&scene, &question, &mut watch, &progress);
    let found = match args.format.form() {
        Some(form) if args.render.is_none() && matches!(args.by, None | Some(By::Shape)) => {
            // A progress bar on the terminal would mix with the data.
            let progress = (!io::stdout().is_terminal()).then_some(progress);
            let unread = if args.stats {
                Unread::Count
            } else if args.deny {
                Unread::UntilMet
            } else {
                Unread::Stop
            };
            stream::run(&scene, &search, form, unread, &mut watch, progress.as_ref())?
        }
        form => collected(args, &scene, &search, form, &mut watch, progress)?,
    };
    if args.stats {
        let auto = if matches!(args.broad, BroadPhaseArg::Auto) {
            format!(" (picked by auto: {})", search.broad.reason)
        } else {
            String::new()
        };
        let counts = Counts {
            shapes: scene.colliders.len(),
            broad: format!("{}{auto}", search.broad.strategy),
            candidates: search.candidates(),
            contacts: found.contacts,
        };
        stats::print(&counts, &watch);
    }
    Ok(ExitCode::from(u8::from(args.deny && found.met)))
}

/// Prints tables and draws pictures. Both need all contacts in memory, for widths and labels.
fn collected(
    args: &Args,
    scene: &Scene,
    search: &Search<'_>,
    form: Option<Form>,
    watch: &mut Stopwatch,
    progress: Progress,
) -> Result<Tally, CliError> {
    let contacts = search.contacts(watch, &progress);
    if let Some(picture) = &args.render {
        progress.stage("drawing");
        watch.time("picture", || picture.save(&draw::scene(scene, &contacts, &draw::Options::default())))?;
    }
    drop(progress);
    watch.time("print", || match form {
        Some(form) => match args.by {
            None | Some(By::Shape) => stream::all(scene, search.candidates(), &contacts, form),
            Some(by) => {
                let groups = by::Groups::new(scene, by, &contacts);
                let (rows, report) = (groups.json(&contacts), groups.report(search.candidates(), &contacts));
                print_rows(args.format, rows.into_iter(), &report, |_| Ok(()))
            }
        },
        None => print_table(scene, &contacts, args.by.unwrap_or(By::TileLayer)),
    })?;
    Ok(Tally::of(&contacts))
}

/// Runs `--sweep`: reports the pairs that touch during the motion.
fn run_sweep(
    args: &Args,
    scene: &Scene,
    layers: Option<&[LayerSet; 2]>,
    mut watch: Stopwatch,
) -> Result<ExitCode, CliError> {
    let sweeps = sweep::sweeps(scene)?;
    let allowed = |a: usize, b: usize| pipeline::wanted(&scene.colliders[a], &scene.colliders[b], layers);
    let (hits, candidates) = watch.time("sweep", || sweep::hits(scene, &sweeps, args.broad, allowed));
    if let Some(picture) = &args.render {
        watch.time("picture", || picture.save(&draw::motions(scene, &sweeps, &hits, &draw::Options::default())))?;
    }
    let rows = || hits.iter().map(|hit| sweep::Row::new(scene, hit));
    print_rows(args.format, rows(), &sweep::Report { shapes: scene.colliders.len(), hits: rows().collect() }, |out| {
        if !hits.is_empty() {
            sweep::table(out, output::styled(), scene, &hits)?;
            writeln!(out)?;
        }
        writeln!(out, "{}", messages::tally(scene.colliders.len(), hits.len(), "hit"))
    })?;
    if args.stats {
        let counts = Counts {
            shapes: scene.colliders.len(),
            broad: String::from("of swept boxes"),
            candidates,
            contacts: hits.len(),
        };
        stats::print(&counts, &watch);
    }
    Ok(ExitCode::from(u8::from(args.deny && !hits.is_empty())))
}

/// Runs `--contains`: reports which shape contains which.
fn run_contains(args: &Args, scene: &Scene, layers: Option<&[LayerSet; 2]>) -> Result<ExitCode, CliError> {
    let allowed = |a: usize, b: usize| pipeline::wanted(&scene.colliders[a], &scene.colliders[b], layers);
    let pairs = containment::pairs(scene, args.broad, allowed);
    if let Some(picture) = &args.render {
        picture.save(&draw::scene(scene, &[], &draw::Options::default()))?;
    }
    let rows = || pairs.iter().map(|&pair| containment::Row::new(scene, pair));
    print_rows(
        args.format,
        rows(),
        &containment::Report { shapes: scene.colliders.len(), contained: rows().collect() },
        |out| {
            if !pairs.is_empty() {
                containment::table(out, output::styled(), scene, &pairs)?;
                writeln!(out)?;
            }
            writeln!(out, "{}", messages::tally(scene.colliders.len(), pairs.len(), "contained"))
        },
    )?;
    Ok(ExitCode::from(u8::from(args.deny && !pairs.is_empty())))
}

/// Prints a table, one object, or one row per line.
fn print_rows<R: Serialize>(
    format: Format,
    mut rows: impl Iterator<Item = R>,
    report: &impl Serialize,
    table: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CliError> {
    output::print(|out| match format {
        Format::Table => table(out),
        Format::Json => {
            serde_json::to_writer(&mut *out, report)?;
            writeln!(out)
        }
        Format::Ndjson => rows.try_for_each(|row| {
            serde_json::to_writer(&mut *out, &row)?;
            writeln!(out)
        }),
    })
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
    print_table(&scene, &contacts, By::TileLayer)?;
    let hint =
        "This is the built-in example. `carom check FILE` checks a scene of yours, `carom --help` lists the rest.";
    // The contacts are printed. A failure to print the hint is no error.
    let _ = writeln!(anstream::stderr(), "{hint}");
    Ok(ExitCode::SUCCESS)
}

fn print_table(scene: &Scene, contacts: &[Contact], by: By) -> Result<(), CliError> {
    output::print(|out| {
        if !contacts.is_empty() {
            let print = match by {
                By::Shape | By::TileLayer => report_table::contacts,
                By::Object | By::Layer => report_table::groups,
            };
            print(out, output::styled(), scene, contacts, by)?;
            writeln!(out)?;
        }
        writeln!(out, "{}", messages::summary(scene.colliders.len(), contacts))
    })
}

/// Returns the two sets of `--between`.
fn between(scene: &Scene, names: &[String]) -> Result<[LayerSet; 2], CliError> {
    Ok([LayerSet::new(scene, &names[0])?, LayerSet::new(scene, &names[1])?])
}

fn margin(text: &str) -> Result<f64, String> {
    let margin = finite(text)?;
    if (0.0..=1e30).contains(&margin) { Ok(margin) } else { Err("a margin is a number from 0 to 1e30".to_owned()) }
}

fn finite(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| "a finite number is expected".to_owned())
}
