//! Says the size of a large file before it is written.
use std::io::Write as _;
use std::path::Path;

/// Size in bytes above which it is said.
const LARGE: u64 = 100_000_000;

/// Prints the size of a file on stderr, if it is above 100 MB.
pub(crate) fn announce(path: &Path, bytes: u64) {
    if let Some(text) = announcement(path, bytes) {
        // The file is written even if the line cannot be printed.
        let _ = writeln!(anstream::stderr(), "{text}");
    }
}

fn announcement(path: &Path, bytes: u64) -> Option<String> {
    let megabytes = bytes / 1_000_000;
    (bytes > LARGE).then(|| format!("carom: {}: about {megabytes} MB will be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::announcement;
    use std::path::Path;

    #[test]
    fn only_large_files_are_announced() {
        let said = |bytes| announcement(Path::new("a.svg"), bytes);
        assert_eq!(said(100_000_000), None);
        assert_eq!(said(2_345_678_901).as_deref(), Some("carom: a.svg: about 2345 MB will be written"));
    }
}
