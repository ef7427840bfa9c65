//! Writes rows as JSON or CSV while they are computed. At most one round of rows is in memory.
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

/// Text before, between and after the rows of a result.
pub(crate) enum Form {
    /// One JSON object with all rows. The text ends with the opening bracket of their list.
    Object(String),
    /// One row per line.
    Lines,
    /// One row per line, after this header.
    Csv(String),
}

impl Form {
    /// Returns the object of `--format json`, whose list of rows has the key `rows`.
    pub(crate) fn object(shapes: usize, candidates: usize, rows: &str) -> Self {
        Self::Object(format!(r#"{{"shapes":{shapes},"candidates":{candidates},"{rows}":["#))
    }
}

/// End of the search after the reader of standard output has closed it.
#[derive(Clone, Copy)]
pub(crate) enum Unread {
    /// Immediately.
    Stop,
    /// At the next pair that intersects, because the exit code depends on it.
    UntilContact,
    /// After the last pair, because all rows are counted.
    Count,
}

/// A row of a result.
pub(crate) trait Counted: Clone + Send + Sync {
    /// Returns the depth of a contact. `None`: the pair intersects, and no contact was computed.
    fn depth(&self) -> Option<f64>;
}

impl Counted for Contact {
    fn depth(&self) -> Option<f64> {
        Some(self.manifold.depth)
    }
}

/// Summary of the printed rows.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) rows: usize,
    /// Contacts with depth 0.
    pub(crate) touching: usize,
    /// Contacts with a depth below 0.
    pub(crate) near_misses: usize,
    /// True if a pair intersects. Near misses do not.
    pub(crate) has_contact: bool,
}

impl Tally {
    pub(crate) fn of(rows: &[impl Counted]) -> Self {
        let mut tally = Self::default();
        tally.add(rows);
        tally
    }

    fn add(&mut self, rows: &[impl Counted]) {
        let count = |is_it: &dyn Fn(f64) -> bool| rows.iter().filter(|row| row.depth().is_some_and(is_it)).count();
        self.rows += rows.len();
        self.touching += count(&|depth| depth == 0.0);
        self.near_misses += count(&|depth| depth < 0.0);
        self.has_contact = self.has_contact || rows.iter().any(|row| row.depth().is_none_or(|depth| depth >= 0.0));
    }
}

/// Computes and writes the rows of one kind of result.
pub(crate) struct Rows<'r, R> {
    /// Returns the row of a candidate, or `None` if it is not reported.
    pub(crate) row: &'r (dyn Fn([u32; 2]) -> Option<R> + Sync),
    /// Appends the text of a row, without a line break.
    pub(crate) write: &'r (dyn Fn(&mut Vec<u8>, &R) -> io::Result<()> + Sync),
}

impl<R: Counted> Rows<'_, R> {
    /// Counts the rows of a search without printing them. `until_contact`: stops at the first pair that
    /// intersects.
    pub(crate) fn count(
        &self,
        search: &Search<'_>,
        until_contact: bool,
        watch: &mut Stopwatch,
        progress: &Progress,
    ) -> Tally {
        let mut tally = Tally::default();
        search.rounds(self.row, watch, Some(progress), &mut |found, _| {
            for rows in found {
                tally.add(rows);
            }
            if until_contact && tally.has_contact { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        tally
    }

    /// Prints the rows of a search, one round at a time.
    pub(crate) fn run(
        &self,
        search: &Search<'_>,
        form: Form,
        unread: Unread,
        watch: &mut Stopwatch,
        progress: Option<&Progress>,
    ) -> Result<Tally, CliError> {
        let mut tally = Tally::default();
        output::print(|out| {
            let mut writer = Writer::new(form, self.write, out);
            let mut written = writer.begin();
            search.rounds(self.row, watch, progress, &mut |found, watch| {
                for rows in found {
                    tally.add(rows);
                }
                if written.is_ok() {
                    written = watch.time("print", || writer.round(found));
                }
                let go_on = match (&written, unread) {
                    (Ok(()), _) => true,
                    (Err(error), _) if error.kind() != io::ErrorKind::BrokenPipe => false,
                    (_, Unread::Stop) => false,
                    (_, Unread::UntilContact) => !tally.has_contact,
                    (_, Unread::Count) => true,
                };
                if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            written.and_then(|()| watch.time("print", || writer.end()))
        })?;
        Ok(tally)
    }
}

/// Appends the JSON of a contact.
pub(crate) fn write_contact(text: &mut Vec<u8>, scene: &Scene, contact: &Contact) -> io::Result<()> {
    Ok(serde_json::to_writer(text, &Row::new(scene, contact))?)
}

/// Prints contacts that are in memory as JSON.
pub(crate) fn all(scene: &Scene, contacts: &[Contact], form: Form) -> Result<(), CliError> {
    output::print(|out| {
        let write = |text: &mut Vec<u8>, contact: &Contact| write_contact(text, scene, contact);
        let mut writer = Writer::new(form, &write, out);
        writer.begin()?;
        contacts.chunks(CHUNK).try_for_each(|chunk| writer.round(&[chunk]))?;
        writer.end()
    })
}

/// Writes rows in one of the forms.
struct Writer<'w, R> {
    form: Form,
    write: &'w (dyn Fn(&mut Vec<u8>, &R) -> io::Result<()> + Sync),
    out: &'w mut dyn Write,
    /// Text of a round, one buffer per chunk.
    texts: Vec<Vec<u8>>,
    is_first: bool,
}

impl<'w, R: Counted> Writer<'w, R> {
    fn new(form: Form, write: &'w (dyn Fn(&mut Vec<u8>, &R) -> io::Result<()> + Sync), out: &'w mut dyn Write) -> Self {
        Self { form, write, out, texts: Vec::new(), is_first: true }
    }

    fn begin(&mut self) -> io::Result<()> {
        match &self.form {
            Form::Object(head) => self.out.write_all(head.as_bytes()),
            Form::Csv(header) => writeln!(self.out, "{header}"),
            Form::Lines => Ok(()),
        }
    }

    /// Formats all chunks on all threads, then writes them in order.
    fn round(&mut self, chunks: &[impl AsRef<[R]> + Sync]) -> io::Result<()> {
        let (write, form) = (self.write, &self.form);
        self.texts.resize_with(self.texts.len().max(chunks.len()), Vec::new);
        let texts = &mut self.texts[..chunks.len()];
        texts.par_iter_mut().zip(chunks).try_for_each(|(text, rows)| format(text, rows.as_ref(), write, form))?;
        for text in texts.iter().filter(|text| !text.is_empty()) {
            let skipped = match form {
                // In an object, each row except the first follows a comma.
                Form::Object(_) => usize::from(self.is_first),
                Form::Csv(_) | Form::Lines => 0,
            };
            self.out.write_all(&text[skipped..])?;
            self.is_first = false;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        match self.form {
            Form::Object(_) => self.out.write_all(b"]}\n"),
            Form::Lines | Form::Csv(_) => Ok(()),
        }
    }
}

/// Overwrites `text` with rows. In an object a comma precedes each. In lines a line break follows
/// each.
fn format<R>(
    text: &mut Vec<u8>,
    rows: &[R],
    write: &(dyn Fn(&mut Vec<u8>, &R) -> io::Result<()> + Sync),
    form: &Form,
) -> io::Result<()> {
    text.clear();
    let is_object = matches!(form, Form::Object(_));
    for row in rows {
        if is_object {
            text.push(b',');
        }
        write(text, row)?;
        if !is_object {
            text.push(b'\n');
        }
    }
    Ok(())
}
