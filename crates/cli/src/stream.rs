//! Writes contacts as JSON while they are computed. At most one round of contacts is in memory.
use std::io::{self, Write};
use std::ops::ControlFlow;

use carom_scene::Scene;
use carom_scene::draw::Contact;
use rayon::prelude::*;

use crate::error::CliError;
use crate::output;
use crate::pipeline::{CHUNK, Search};
use crate::progress::Progress;
use crate::report_json::Row;
use crate::stats::Stopwatch;

/// The two JSON forms of the contacts. Both are contracts.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// One object with all contacts.
    Object,
    /// One contact per line.
    Lines,
}

/// End of the search after the reader of standard output has closed it.
#[derive(Clone, Copy)]
pub(crate) enum Unread {
    /// Immediately.
    Stop,
    /// At the next pair that intersects, because the exit code depends on it.
    UntilMet,
    /// After the last pair, because all contacts are counted.
    Count,
}

/// Summary of the printed contacts.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) contacts: usize,
    /// Contacts with depth 0.
    pub(crate) touching: usize,
    /// Contacts with a depth below 0.
    pub(crate) near_misses: usize,
    /// True if a pair intersects. Near misses do not.
    pub(crate) met: bool,
}

impl Tally {
    pub(crate) fn of(contacts: &[Contact]) -> Self {
        let mut tally = Self::default();
        tally.add(contacts);
        tally
    }

    fn add(&mut self, contacts: &[Contact]) {
        let count = |is_it: &dyn Fn(f64) -> bool| contacts.iter().filter(|c| is_it(c.manifold.depth)).count();
        self.contacts += contacts.len();
        self.touching += count(&|depth| depth == 0.0);
        self.near_misses += count(&|depth| depth < 0.0);
        self.met = self.met || contacts.iter().any(|contact| contact.manifold.depth >= 0.0);
    }
}

/// Counts the contacts of a search without printing them. `until_met`: stops at the first pair that
/// intersects.
pub(crate) fn count(search: &Search<'_>, until_met: bool, watch: &mut Stopwatch, progress: &Progress) -> Tally {
    let mut tally = Tally::default();
    search.rounds(watch, Some(progress), |found, _| {
        for contacts in found {
            tally.add(contacts);
        }
        if until_met && tally.met { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    tally
}

/// Prints the contacts of a search, one round at a time.
pub(crate) fn run(
    scene: &Scene,
    search: &Search<'_>,
    form: Form,
    unread: Unread,
    watch: &mut Stopwatch,
    progress: Option<&Progress>,
) -> Result<Tally, CliError> {
    let mut tally = Tally::default();
    output::print(|out| {
        let mut writer = Writer::new(scene, form, out);
        let mut written = writer.begin(search.candidates());
        search.rounds(watch, progress, |found, watch| {
            for contacts in found {
                tally.add(contacts);
            }
            if written.is_ok() {
                written = watch.time("print", || writer.round(found));
            }
            let go_on = match (&written, unread) {
                (Ok(()), _) => true,
                (Err(error), _) if error.kind() != io::ErrorKind::BrokenPipe => false,
                (_, Unread::Stop) => false,
                (_, Unread::UntilMet) => !tally.met,
                (_, Unread::Count) => true,
            };
            if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written.and_then(|()| watch.time("print", || writer.end()))
    })?;
    Ok(tally)
}

/// Prints contacts that are in memory.
pub(crate) fn all(scene: &Scene, candidates: usize, contacts: &[Contact], form: Form) -> Result<(), CliError> {
    output::print(|out| {
        let mut writer = Writer::new(scene, form, out);
        writer.begin(candidates)?;
        contacts.chunks(CHUNK).try_for_each(|chunk| writer.round(&[chunk]))?;
        writer.end()
    })
}

/// Writes contacts in one of the two forms.
struct Writer<'w> {
    scene: &'w Scene,
    form: Form,
    out: &'w mut dyn Write,
    /// Text of a round, one buffer per chunk.
    texts: Vec<Vec<u8>>,
    is_first: bool,
}

impl<'w> Writer<'w> {
    fn new(scene: &'w Scene, form: Form, out: &'w mut dyn Write) -> Self {
        Self { scene, form, out, texts: Vec::new(), is_first: true }
    }

    fn begin(&mut self, candidates: usize) -> io::Result<()> {
        match self.form {
            Form::Object => {
                write!(self.out, r#"{{"shapes":{},"candidates":{candidates},"contacts":["#, self.scene.colliders.len())
            }
            Form::Lines => Ok(()),
        }
    }

    /// Formats all chunks on all threads, then writes them in order.
    fn round(&mut self, chunks: &[impl AsRef<[Contact]> + Sync]) -> io::Result<()> {
        let (scene, form) = (self.scene, self.form);
        self.texts.resize_with(self.texts.len().max(chunks.len()), Vec::new);
        let texts = &mut self.texts[..chunks.len()];
        texts
            .par_iter_mut()
            .zip(chunks)
            .try_for_each(|(text, contacts)| format(text, scene, contacts.as_ref(), form))?;
        for text in texts.iter().filter(|text| !text.is_empty()) {
            // In an object, each contact except the first follows a comma.
            let skipped = usize::from(self.is_first && matches!(self.form, Form::Object));
            self.out.write_all(&text[skipped..])?;
            self.is_first = false;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        match self.form {
            Form::Object => self.out.write_all(b"]}\n"),
            Form::Lines => Ok(()),
        }
    }
}

/// Overwrites `text` with contacts. In an object a comma precedes each. In lines a line break
/// follows each.
fn format(text: &mut Vec<u8>, scene: &Scene, contacts: &[Contact], form: Form) -> io::Result<()> {
    text.clear();
    for contact in contacts {
        if matches!(form, Form::Object) {
            text.push(b',');
        }
        serde_json::to_writer(&mut *text, &Row::new(scene, contact))?;
        if matches!(form, Form::Lines) {
            text.push(b'\n');
        }
    }
    Ok(())
}
