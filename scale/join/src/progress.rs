//! Shows a progress bar on stderr: rows read and pairs found. Silent if stderr is not a terminal.
//!
//! In a join of the engine, the number of rows comes from the metrics of the plan's leaves. So it counts the rows
//! before the join.

use std::sync::Arc;
use std::time::Duration;

use datafusion::physical_plan::ExecutionPlan;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar of one phase.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Shows a phase whose length is not known.
    pub(crate) fn phase(name: &'static str) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(name);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar }
    }

    /// Shows the join of this number of rows.
    pub(crate) fn rows(total: u64) -> Self {
        let bar = ProgressBar::new(total);
        let template = "{prefix} [{bar:30}] {human_pos} of {human_len} rows, {per_sec}, {elapsed} {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix("join");
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar }
    }

    /// Updates the rows that the plan has read, and the pairs written.
    pub(crate) fn update(&self, plan: &Arc<dyn ExecutionPlan>, pairs: u64) {
        self.bar.set_position(rows_read(plan));
        self.bar.set_message(format!("{pairs} pairs"));
    }

    /// Updates the number of rows read, and the pairs written.
    pub(crate) fn update_counts(&self, rows: u64, pairs: u64) {
        self.bar.set_position(rows);
        self.bar.set_message(format!("{rows} rows, {:.0}/s, {pairs} pairs", self.bar.per_sec()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the rows that the leaves of a plan have returned.
fn rows_read(plan: &Arc<dyn ExecutionPlan>) -> u64 {
    let children = plan.children();
    if children.is_empty() {
        return plan.metrics().and_then(|metrics| metrics.output_rows()).unwrap_or(0) as u64;
    }
    children.into_iter().map(rows_read).sum()
}
