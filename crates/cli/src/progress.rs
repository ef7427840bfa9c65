//! Progress bar on stderr, for runs longer than a second.
use std::io::Write as _;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time before the bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Progress of the run. Shown only after [`PATIENCE`], and only on a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    running: Option<Sender<()>>,
    timer: Option<JoinHandle<()>>,
    is_quiet: bool,
}

impl Progress {
    pub(crate) fn start() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let (running, stopped) = mpsc::channel::<()>();
        let late = bar.clone();
        let timer = thread::spawn(move || {
            if stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                // indicatif draws nothing if stderr is not a terminal.
                late.set_draw_target(ProgressDrawTarget::stderr());
                late.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Self { bar, running: Some(running), timer: Some(timer), is_quiet: false }
    }

    /// Prints no lines if `is_quiet`.
    pub(crate) fn quiet(mut self, is_quiet: bool) -> Self {
        self.is_quiet = is_quiet;
        self
    }

    /// Prints a line on stderr above the bar.
    pub(crate) fn say(&self, line: &str) {
        if self.is_quiet {
            return;
        }
        self.bar.suspend(|| {
            // The run continues even if the line cannot be printed.
            let _ = writeln!(anstream::stderr(), "{line}");
        });
    }

    /// Starts a stage of unknown length.
    pub(crate) fn stage(&self, name: &'static str) {
        self.bar.unset_length();
        self.bar.set_style(style("{spinner} {msg}"));
        self.bar.set_message(name);
    }

    /// Starts a stage of `steps` steps.
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
            // The timer thread does not panic. If it did, only the bar would be missing.
            let _ = timer.join();
        }
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates above are constants that parse")
}
