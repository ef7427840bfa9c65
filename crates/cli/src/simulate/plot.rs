//! `--plot`: energy, contacts and tests over time, as a picture or as numbers.
use std::path::PathBuf;

use super::series::{self, Sample};
use crate::error::CliError;

/// File of the plot. The suffix chooses the format.
#[derive(Clone)]
pub(super) struct Plot {
    path: PathBuf,
    form: PlotForm,
}

#[derive(Clone, Copy)]
enum PlotForm {
    #[cfg(feature = "plot")]
    Svg,
    #[cfg(feature = "plot")]
    Png,
    Numbers,
}

impl Plot {
    /// Parses the argument for clap. Refuses other suffixes before the work begins.
    pub(super) fn parse(path: &str) -> Result<Self, String> {
        let path = PathBuf::from(path);
        let suffix = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let form = match suffix.as_ref().and_then(|suffix| suffix.to_str()) {
            #[cfg(feature = "plot")]
            Some("svg") => PlotForm::Svg,
            #[cfg(feature = "plot")]
            Some("png") => PlotForm::Png,
            Some("csv" | "ndjson") => PlotForm::Numbers,
            #[cfg(not(feature = "plot"))]
            Some("svg" | "png") => {
                return Err("this carom was built without the feature `plot`: choose .csv or .ndjson".to_owned());
            }
            _ => return Err("plots are .svg or .png, their numbers .csv or .ndjson: choose one of these".to_owned()),
        };
        Ok(Self { path, form })
    }

    pub(super) fn save(&self, samples: &[Sample]) -> Result<(), CliError> {
        match self.form {
            PlotForm::Numbers => series::save(&self.path, samples),
            #[cfg(feature = "plot")]
            form => {
                let fail = |reason: String| CliError::at(self.path.display(), reason);
                let svg = super::chart::svg(samples).map_err(fail)?;
                let bytes =
                    if matches!(form, PlotForm::Png) { crate::render::png(&svg).map_err(fail)? } else { svg.into() };
                crate::render::write(&self.path, &bytes)
            }
        }
    }
}
