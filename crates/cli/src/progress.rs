//! A progress bar on stderr, for runs that take more than a second.
use std::io::Write as _;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// What the run is doing, shown only once [`PATIENCE`] is over and only on a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    running: Option<Sender<()>>,
    timer: Option<JoinHandle<()>>,
}

impl Progress {
    pub(crate) fn start() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let (running, stopped) = mpsc::channel::<()>();
        let late = bar.clone();
        let timer = thread::spawn(move || {
            if stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                // indicatif draws nothing on a stderr that is no terminal.
                late.set_draw_target(ProgressDrawTarget::stderr());
                late.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Self { bar, running: Some(running), timer: Some(timer) }
    }

    /// Prints a line on stderr without tearing the bar.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| {
            // A line that cannot be shown must not stop a run that goes on in spite of it.
            let _ = writeln!(anstream::stderr(), "{line}");
        });
    }

    /// A stage whose length nobody knows.
    pub(crate) fn stage(&self, name: &'static str) {
        self.bar.unset_length();
        self.bar.set_style(style("{spinner} {msg}"));
        self.bar.set_message(name);
    }

    /// A stage of `steps` steps.
    pub(crate) fn counted(&self, name: &'static str, steps: usize) {
        self.bar.set_length(steps as u64);
        self.bar.set_position(0);
        self.bar.reset_eta();
        self.bar.set_style(style("{msg} {wide_bar} {human_pos}/{human_len} {eta}"));
        self.bar.set_message(name);
    }

    pub(crate) fn advance(&self, steps: usize) {
        self.bar.inc(steps as u64);
    }
}

impl Drop for Progress {
    /// Clears the bar, so that data and messages start on an empty line.
    fn drop(&mut self) {
        drop(self.running.take());
        if let Some(timer) = self.timer.take() {
            // The timer cannot panic; had it, the bar would merely be missing.
            let _ = timer.join();
        }
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates above are constants that parse")
}
