//! Remembers the files that a command read, and finds out whether they changed since.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Modification time and size. `None` if the file cannot be read, for example while it is replaced.
type Stamp = Option<(SystemTime, u64)>;

/// The files that were read, each with its stamp from before it was read.
///
/// A stamp from afterwards would miss a change between the reading and the stamp.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ReadFiles(BTreeMap<PathBuf, Stamp>);

impl ReadFiles {
    /// Adds a file that is about to be read. A file that is read twice keeps its first stamp.
    pub(crate) fn add(&mut self, file: &Path) {
        if !self.0.contains_key(file) {
            self.0.insert(file.to_owned(), stamp(file));
        }
    }

    /// Returns the same files with the stamps that they have now.
    pub(crate) fn as_of_now(&self) -> Self {
        Self(self.0.keys().map(|file| (file.clone(), stamp(file))).collect())
    }
}

fn stamp(file: &Path) -> Stamp {
    fs::metadata(file).and_then(|data| Ok((data.modified()?, data.len()))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that changed after it was read first differs, also if it was read a second time after the change.
    #[test]
    fn a_change_after_the_first_reading_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("level.json");
        fs::write(&file, "1").unwrap();
        let mut read = ReadFiles::default();
        read.add(&file);
        assert_eq!(read.as_of_now(), read);
        fs::write(&file, "22").unwrap();
        read.add(&file);
        assert_ne!(read.as_of_now(), read);
        let read = read.as_of_now();
        fs::remove_file(&file).unwrap();
        assert_ne!(read.as_of_now(), read);
    }
}
