//! Finds the files of an input: a path, a glob, or an address of an object store.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::datasource::listing::ListingTableUrl;
use datafusion::prelude::SessionContext;
use futures::{StreamExt as _, TryStreamExt as _};
use glob::{MatchOptions, Pattern};
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt as _};
use url::Url;

use super::sizes::Sizes;
use crate::error::Failure;

/// Parts of a text file that are read for the sizes of its rows, at first and at a time.
const SAMPLES: u64 = 16;

/// Bytes of such a part.
const SAMPLE_BYTES: u64 = 64 << 10;

/// Bytes that are read at once to find the end of a long line.
const READ_ON_BYTES: u64 = 1 << 20;

/// Bytes of a line that are counted, at most. A batch has one row of this size.
const LINE_BYTES: u64 = 4 << 20;

/// Bytes that the long lines of a file together may have without smaller batches: two batches.
const FEW_LONG_BYTES: u64 = 2 * LINE_BYTES;

/// Long parts from which on their share of the file is sure enough.
const SURE_PARTS: u64 = 4;

/// Parts of a text file that are read, at most.
const MOST_PARTS: u64 = 4096;

/// A file as the user named it, and as the engine reads it.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    /// The name for messages.
    pub(crate) name: String,
    /// The address: `file://` for a path.
    pub(super) url: Url,
    /// The coordinate reference system, if the file is GeoJSON, or CSV with EWKT.
    pub(super) crs: Option<String>,
}

/// Returns the files that a path, a glob or an address names, sorted by name.
pub(super) async fn files(session: &SessionContext, input: &str) -> Result<Vec<SourceFile>, Failure> {
    let files = if input.contains("://") {
        objects(session, input).await.map_err(|reason| Failure::input(format!("{input}: {reason}")))?
    } else {
        paths(input)?.iter().map(|path| SourceFile::of_path(path)).collect::<Result<_, _>>()?
    };
    if files.is_empty() {
        return Err(Failure::input(format!("{input}: no such file")));
    }
    Ok(files)
}

impl SourceFile {
    pub(super) fn of_path(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let absolute = std::path::absolute(path).map_err(|error| Failure::input(format!("{name}: {error}")))?;
        match Url::from_file_path(&absolute) {
            Ok(url) => Ok(Self { name, url, crs: None }),
            Err(()) => Err(Failure::input(format!("{name}: not a path"))),
        }
    }

    /// Returns the suffix of the file without the dot.
    pub(super) fn suffix(&self) -> &str {
        Path::new(self.url.path()).extension().and_then(|suffix| suffix.to_str()).unwrap_or_default()
    }

    /// Returns true if the file is on this machine.
    pub(super) fn is_local(&self) -> bool {
        self.url.scheme() == "file"
    }

    /// Returns the store and the path in it.
    pub(super) fn object(&self, session: &SessionContext) -> Result<(Arc<dyn ObjectStore>, ObjectPath), String> {
        opened(session, &self.url)
    }

    /// Adds the sizes of the lines in parts of the file, at equal distances. A part without the end of a line is long.
    pub(super) async fn sample(&self, session: &SessionContext, sizes: &mut Sizes) -> Result<(), String> {
        let (store, path) = self.object(session)?;
        let size = store.head(&path).await.map_err(|error| error.to_string())?.size;
        let mut long = LongLines::default();
        let mut step = (size / SAMPLES).max(SAMPLE_BYTES);
        let mut parts = SAMPLES;
        let mut starts: Vec<u64> = (0..parts).map(|i| i * step).filter(|&start| start < size).collect();
        loop {
            for starts in starts.chunks(SAMPLES as usize) {
                long.read(store.as_ref(), &path, size, starts, sizes).await?;
            }
            // Each part stands for the bytes up to the next one. A few long parts can be one line, which counts as
            // `step` bytes for each. So more parts are read, in the middle between all others.
            let is_unclear = long.parts < SURE_PARTS && long.parts * step > FEW_LONG_BYTES;
            if !is_unclear || parts >= MOST_PARTS {
                break;
            }
            starts = (0..parts).map(|i| i * step + step / 2).collect();
            (parts, step) = (2 * parts, step / 2);
        }
        let long_bytes = (long.parts * step).min(size);
        // If all long lines fit into a few batches, they do not make all others small.
        if long_bytes > FEW_LONG_BYTES {
            sizes.add_rows(long.longest, long_bytes.div_ceil(long.longest));
        }
        Ok(())
    }

    /// Returns the path of a local file, or that of a copy in `temp`.
    pub(super) async fn local(&self, session: &SessionContext, temp: &Path) -> Result<PathBuf, Failure> {
        if self.is_local()
            && let Ok(path) = self.url.to_file_path()
        {
            return Ok(path);
        }
        self.copied(session, temp).await.map_err(|reason| Failure::input(format!("{}: {reason}", self.name)))
    }

    async fn copied(&self, session: &SessionContext, temp: &Path) -> Result<PathBuf, String> {
        let (store, path) = self.object(session)?;
        let mut file = tempfile::NamedTempFile::new_in(temp).map_err(|error| error.to_string())?;
        let mut parts = store.get(&path).await.map_err(|error| error.to_string())?.into_stream();
        while let Some(part) = parts.next().await {
            let part = part.map_err(|error| error.to_string())?;
            file.write_all(&part).map_err(|error| error.to_string())?;
        }
        // The directory itself is deleted at the end of the run.
        let (_, path) = file.keep().map_err(|error| error.to_string())?;
        Ok(path)
    }
}

/// Parts of a text file without the end of a line.
#[derive(Default)]
struct LongLines {
    parts: u64,
    /// Bytes of the longest line, at most [`LINE_BYTES`].
    longest: u64,
}

impl LongLines {
    /// Reads parts of a file of `size` bytes, counts those without the end of a line, and adds the others to `sizes`.
    async fn read(
        &mut self,
        store: &dyn ObjectStore,
        path: &ObjectPath,
        size: u64,
        starts: &[u64],
        sizes: &mut Sizes,
    ) -> Result<(), String> {
        let parts: Vec<_> = starts.iter().map(|&start| start..(start + SAMPLE_BYTES).min(size)).collect();
        let texts = store.get_ranges(path, &parts).await.map_err(|error| error.to_string())?;
        for (text, part) in texts.iter().zip(parts) {
            if text.contains(&b'\n') {
                sizes.add_sample(text);
                continue;
            }
            self.parts += 1;
            if self.longest < LINE_BYTES {
                let end = line_end(store, path, part.end, size.min(part.start + LINE_BYTES)).await?;
                self.longest = self.longest.max(end - part.start);
            }
        }
        Ok(())
    }
}

/// Returns the end of a line that has no end before `start`; `limit`, if it is longer.
async fn line_end(store: &dyn ObjectStore, path: &ObjectPath, mut start: u64, limit: u64) -> Result<u64, String> {
    while start < limit {
        let part = start..limit.min(start + READ_ON_BYTES);
        let text = store.get_range(path, part.clone()).await.map_err(|error| error.to_string())?;
        if let Some(length) = text.iter().position(|&byte| byte == b'\n') {
            return Ok(start + length as u64);
        }
        start = part.end;
    }
    Ok(limit)
}

/// Returns the files that a path or glob names, sorted.
fn paths(input: &str) -> Result<Vec<PathBuf>, Failure> {
    if Path::new(input).is_file() {
        return Ok(vec![PathBuf::from(input)]);
    }
    let matches = glob::glob(input).map_err(|error| Failure::input(format!("{input}: {error}")))?;
    let mut paths: Vec<PathBuf> = matches.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    paths.sort();
    Ok(paths)
}

/// Returns the objects that an address names, sorted.
async fn objects(session: &SessionContext, input: &str) -> Result<Vec<SourceFile>, String> {
    let is_http = input.starts_with("http://") || input.starts_with("https://");
    let pattern = input.find(['*', '?', '[']);
    if is_http && pattern.is_some() {
        return Err("an address of a web server must not have a pattern or a query: name each file".to_owned());
    }
    let Some(pattern) = pattern else {
        let url = Url::parse(input).map_err(|error| error.to_string())?;
        let (store, path) = opened(session, &url)?;
        store.head(&path).await.map_err(|error| error.to_string())?;
        return Ok(vec![SourceFile { name: input.to_owned(), url, crs: None }]);
    };
    // The part before the pattern is a folder.
    let folder = input[..pattern].rfind('/').map_or(0, |slash| slash + 1);
    let url = Url::parse(&input[..folder]).map_err(|error| error.to_string())?;
    if url.host_str().is_none_or(str::is_empty) {
        return Err("the name of the bucket must not have a pattern".to_owned());
    }
    let (store, folder_path) = opened(session, &url)?;
    // Paths in a store are decoded; those of addresses are not.
    let parts = folder_path.parts().map(|part| Pattern::escape(part.as_ref()));
    let text = parts.chain([input[folder..].to_owned()]).collect::<Vec<_>>().join("/");
    let pattern = Pattern::new(&text).map_err(|error| error.to_string())?;
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::default() };
    let mut found: Vec<ObjectPath> = store
        .list(Some(&folder_path))
        .map_ok(|object| object.location)
        .try_filter(|path| std::future::ready(pattern.matches_with(path.as_ref(), options)))
        .try_collect()
        .await
        .map_err(|error| error.to_string())?;
    found.sort();
    Ok(found.iter().map(|path| of_object(&url, path)).collect())
}

fn of_object(store: &Url, path: &ObjectPath) -> SourceFile {
    let mut url = store.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.clear().extend(path.as_ref().split('/'));
    }
    let name = format!("{}://{}/{path}", url.scheme(), url.host_str().unwrap_or_default());
    SourceFile { name, url, crs: None }
}

/// Returns the store of an address, and the path in it.
fn opened(session: &SessionContext, url: &Url) -> Result<(Arc<dyn ObjectStore>, ObjectPath), String> {
    let table = ListingTableUrl::try_new(url.clone(), None).map_err(|error| error.strip_backtrace())?;
    let store = session.runtime_env().object_store(&table).map_err(|error| error.strip_backtrace())?;
    Ok((store, table.prefix().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many rows of a file have 4 MiB, from samples of its lines.
    async fn rows_in_4_mib(text: &str) -> u64 {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut sizes = Sizes::default();
        SourceFile::of_path(file.path()).unwrap().sample(&SessionContext::new(), &mut sizes).await.unwrap();
        sizes.rows_in(LINE_BYTES, 0)
    }

    /// A line that is longer than a sample counts with about its length. Samples start inside of lines.
    #[tokio::test]
    async fn long_lines() {
        let line = |length| "x".repeat(length) + "\n";
        let of_5_mb = rows_in_4_mib(&line(5_000_000).repeat(4)).await;
        assert_eq!(of_5_mb, 1);
        let of_1_mb = rows_in_4_mib(&line(1_000_000).repeat(20)).await;
        assert!((4..=8).contains(&of_1_mb), "{of_1_mb}");
        let of_100_b = rows_in_4_mib(&line(99).repeat(100_000)).await;
        assert!((41_000..=42_000).contains(&of_100_b), "{of_100_b}");
        assert_eq!(rows_in_4_mib(&"x".repeat(60_000_000)).await, 1);
    }

    /// One long line does not make the batches of all others small.
    #[tokio::test]
    async fn one_long_line() {
        let mut lines = "0123456789\n".repeat(1_000_000);
        lines.insert_str(5_500_000, &("x".repeat(5_000_000) + "\n"));
        let rows = rows_in_4_mib(&lines).await;
        assert!((380_000..=382_000).contains(&rows), "{rows}");
    }

    /// In a file of 200 MB, a part stands for 12 MB at first. One long line is found by more parts; ten stay long.
    #[tokio::test]
    async fn long_lines_of_a_large_file() {
        let long = "x".repeat(5_000_000) + "\n";
        let lines = "0123456789\n".repeat(1_750_000);
        let rows = rows_in_4_mib(&[lines.repeat(5), long.clone(), lines.repeat(5)].concat()).await;
        assert!((380_000..=382_000).contains(&rows), "{rows}");
        let rows = rows_in_4_mib(&(lines + &long).repeat(10)).await;
        assert_eq!(rows, 1);
    }
}
