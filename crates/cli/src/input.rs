//! Reads the files of a command to one scene, by its options for input.
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use carom::decompose::FillRule;
use carom_scene::{Format, Options, Scene, TileMerge, merge_tiles};
use clap::ValueEnum;

use crate::error::CliError;
use crate::number_format;
use crate::progress::Progress;
use crate::read_files::ReadFiles;

/// Options for reading input. The same for every command.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// Format of the input [default: detected from the content]
    #[arg(long = "input-format", id = "input-format", value_name = "F")]
    format: Option<FormatName>,

    /// Treat every non-empty tile of this Tiled tile layer as solid; may be repeated
    #[arg(long, value_name = "LAYER")]
    solid: Vec<String>,

    /// Treat every non-empty tile of every Tiled tile layer as solid
    #[arg(long, conflicts_with = "solid")]
    solid_all: bool,

    /// Take the ids of GeoJSON features from this property, those of CSV rows from this column
    #[arg(long = "id", id = "id-property", value_name = "PROPERTY")]
    id_property: Option<String>,

    /// Replace curves of SVG by straight edges with a deviation of at most D × the larger side of
    /// the drawing [default: 0.0001]
    #[arg(long, value_name = "D", value_parser = share)]
    flatten: Option<f64>,

    #[command(flatten)]
    repair: RepairArgs,

    /// Report refused objects on stderr and continue with the others
    #[arg(long)]
    skip_invalid: bool,

    /// Merge flush tiles of each Tiled tile layer
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "rectangles"
    )]
    merge_tiles: Option<MergeForm>,

    /// Also name on stderr the parts of a file that no shape depends on
    #[arg(long)]
    verbose: bool,
}

/// Options for outlines that cross or overlap themselves.
#[derive(clap::Args)]
struct RepairArgs {
    /// Repair outlines of SVG, GeoJSON, CSV and Tiled that cross or overlap themselves, and report the
    /// changes on stderr
    #[arg(long)]
    repair: bool,

    /// Inside of outlines to repair; files with their own rule, such as SVG, keep it [default: evenodd]
    #[arg(long, value_enum, value_name = "RULE", requires = "repair")]
    fill_rule: Option<FillRuleName>,
}

impl RepairArgs {
    /// Returns the rule for formats without their own. `None`: outlines are not repaired.
    fn rule(&self) -> Option<FillRule> {
        let rule = match self.fill_rule {
            Some(FillRuleName::NonZero) => FillRule::NonZero,
            Some(FillRuleName::EvenOdd) | None => FillRule::EvenOdd,
        };
        self.repair.then_some(rule)
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum MergeForm {
    /// Rectangles
    Rectangles,
    /// Outlines with holes, one per connected area
    Outlines,
}

#[derive(Clone, Copy, ValueEnum)]
enum FillRuleName {
    /// Points around which the outlines turn in total
    #[value(name = "nonzero")]
    NonZero,
    /// Points around which the outlines turn an odd number of times
    #[value(name = "evenodd")]
    EvenOdd,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatName {
    /// carom's own JSON
    Scene,
    /// Tiled map, XML
    Tmx,
    /// Tiled map, JSON
    Tmj,
    /// GeoJSON
    Geojson,
    /// CSV with a column of geometries as WKT
    Csv,
    /// SVG drawing
    Svg,
    /// PNG image, as a mask of its solid pixels
    Png,
}

impl Input {
    /// Reads the scene. Several files make one scene.
    pub(crate) fn scene(&self, files: &[PathBuf], progress: &Progress) -> Result<Scene, CliError> {
        self.scene_and_files(files, progress, &mut ReadFiles::default())
    }

    /// Reads the scene, and adds all files before they are read: also tilesets, templates and images.
    pub(crate) fn scene_and_files(
        &self,
        files: &[PathBuf],
        progress: &Progress,
        read_files: &mut ReadFiles,
    ) -> Result<Scene, CliError> {
        let mut scenes = Vec::with_capacity(files.len());
        for file in files {
            progress.stage("reading");
            let scene = self.read(file, read_files)?;
            let refused = scene.skipped.iter().map(|refusal| format!("skipped {refusal}"));
            let repaired = scene.repaired.iter().map(|repair| format!("repaired {repair}"));
            for said in refused.chain(repaired).chain(scene.warnings.iter().cloned()) {
                progress.say(&number_format::text(&format!("carom: {}: {said}", name(file))));
            }
            if self.verbose && !scene.ignored.is_empty() {
                let ignored = scene.ignored.join(", ");
                progress
                    .say(&number_format::text(&format!("carom: {}: without effect on shapes: {ignored}", name(file))));
            }
            scenes.push((file.display().to_string(), scene));
        }
        let mut scene = carom_scene::merge(scenes)?;
        match self.merge_tiles {
            Some(MergeForm::Rectangles) => merge_tiles(&mut scene, TileMerge::Rectangles),
            Some(MergeForm::Outlines) => merge_tiles(&mut scene, TileMerge::Outlines),
            None => {}
        }
        Ok(scene)
    }

    fn read(&self, file: &Path, read_files: &mut ReadFiles) -> Result<Scene, CliError> {
        read_files.add(file);
        let format = self.format.map(|format| match format {
            FormatName::Scene => Format::Scene,
            FormatName::Tmx => Format::Tmx,
            FormatName::Tmj => Format::Tmj,
            FormatName::Geojson => Format::GeoJson,
            FormatName::Csv => Format::Csv,
            FormatName::Svg => Format::Svg,
            FormatName::Png => Format::Png,
        });
        let bytes = bytes(file)?;
        let options = Options {
            skip_invalid: self.skip_invalid,
            repair: self.repair.rule(),
            solid: self.solid.clone(),
            solid_all: self.solid_all,
            id_property: self.id_property.clone(),
            format,
            flatten_tolerance: self.flatten,
        };
        let folder = if is_stdin(file) { None } else { file.parent() }.unwrap_or(Path::new(""));
        let mut load = |path: &str| {
            let path = folder.join(path);
            read_files.add(&path);
            fs::read(path)
        };
        Ok(carom_scene::read(&name(file), &bytes, &options, &mut load)?)
    }
}

/// Reads a whole file, or stdin.
pub(crate) fn bytes(file: &Path) -> Result<Vec<u8>, CliError> {
    let bytes = if is_stdin(file) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    bytes.map_err(|error| CliError::at(name(file), format!("cannot be read: {error}")))
}

/// Returns the built-in scene of `carom` without a command.
pub(crate) fn example() -> Result<Scene, CliError> {
    let text = include_str!("../../../scenes/example.json");
    let options = Options { format: Some(Format::Scene), ..Options::default() };
    let mut load = |path: &str| Err(io::Error::other(format!("the built-in example refers to {path}")));
    Ok(carom_scene::read("example.json", text.as_bytes(), &options, &mut load)?)
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "a share of the drawing's size is above 0 and at most 1".to_owned())
}

pub(crate) fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Returns the name of the file in messages.
pub(crate) fn name(file: &Path) -> String {
    if is_stdin(file) { "stdin".to_owned() } else { file.display().to_string() }
}
