//! Runs `check --sweep` and `check --contains`.
use std::process::ExitCode;

use carom_scene::{Scene, draw};
use serde::Serialize;

use super::{Args, csv, print, sentences};
use crate::error::CliError;
use crate::layers::LayerSet;
use crate::stats::{self, Counts, Stopwatch};
use crate::{containment, output, pipeline, sweep as hits_of};

/// Runs `--sweep`: reports the pairs that touch during the motion.
pub(super) fn sweep(
    args: &Args,
    scene: &Scene,
    layers: Option<&[LayerSet; 2]>,
    mut watch: Stopwatch,
) -> Result<ExitCode, CliError> {
    let sweeps = hits_of::sweeps(scene)?;
    let allowed = |a: usize, b: usize| pipeline::wanted(&scene.colliders[a], &scene.colliders[b], layers);
    let (hits, candidates) = watch.time("sweep", || hits_of::hits(scene, &sweeps, args.broad, allowed));
    if let Some(picture) = &args.render {
        watch.time("picture", || picture.save(&draw::motions(scene, &sweeps, &hits, &draw::Options::default())))?;
    }
    let shapes = scene.colliders.len();
    let rows = || hits.iter().map(|hit| hits_of::Row::new(scene, hit));
    if args.count {
        #[derive(Serialize)]
        struct Count {
            shapes: usize,
            hits: usize,
        }
        print::one(args.format, hits.len(), &Count { shapes, hits: hits.len() })?;
    } else if !args.quiet {
        let report = hits_of::Report { shapes, hits: rows().collect() };
        print::rows(args.format, &mut rows(), &mut hits.iter().map(|hit| csv::hit(scene, hit)), &report, |out| {
            if !hits.is_empty() {
                hits_of::table(out, output::styled(), scene, &hits)?;
                writeln!(out)?;
            }
            writeln!(out, "{}", sentences::tally(shapes, hits.len(), "hit"))
        })?;
    }
    if args.stats {
        let counts =
            Counts { shapes, broad: String::from("of swept boxes"), candidates, found: ("contacts", hits.len()) };
        stats::print(&counts, &watch);
    }
    Ok(ExitCode::from(u8::from(args.deny && !hits.is_empty())))
}

/// Runs `--contains`: reports which shape contains which.
pub(super) fn contains(args: &Args, scene: &Scene, layers: Option<&[LayerSet; 2]>) -> Result<ExitCode, CliError> {
    let allowed = |a: usize, b: usize| pipeline::wanted(&scene.colliders[a], &scene.colliders[b], layers);
    let pairs = containment::pairs(scene, args.broad, allowed);
    if let Some(picture) = &args.render {
        picture.save(&draw::contained(scene, &pairs, &draw::Options::default()))?;
    }
    let shapes = scene.colliders.len();
    let rows = || pairs.iter().map(|&pair| containment::Row::new(scene, pair));
    if args.count {
        #[derive(Serialize)]
        struct Count {
            shapes: usize,
            contained: usize,
        }
        print::one(args.format, pairs.len(), &Count { shapes, contained: pairs.len() })?;
    } else if !args.quiet {
        let report = containment::Report { shapes, contained: rows().collect() };
        print::rows(args.format, &mut rows(), &mut rows(), &report, |out| {
            if !pairs.is_empty() {
                containment::table(out, output::styled(), scene, &pairs)?;
                writeln!(out)?;
            }
            writeln!(out, "{}", sentences::tally(shapes, pairs.len(), "contained"))
        })?;
    }
    Ok(ExitCode::from(u8::from(args.deny && !pairs.is_empty())))
}
