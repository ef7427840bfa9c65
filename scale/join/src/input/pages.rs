//! Reads the sizes of the pages of a Parquet column chunk.
//!
//! The metadata of a file has no sizes of pages. A reader decodes a whole page, and some writers fill pages by rows. So
//! one page can be much larger than all others. Each page has a header, a structure in the compact protocol of Thrift,
//! directly before its bytes:
//!
//! ```text
//! read the header at the start of the column chunk
//! add the sizes of the page
//! the next header is behind the bytes of the page as written
//! ```

use std::ops::Range;

use datafusion::parquet::file::metadata::ColumnChunkMetaData;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _};

use super::thrift::{Fields, HeaderError};

/// Bytes that are read at once: several headers of small pages.
const WINDOW: u64 = 4 << 10;

/// Bytes of a header, at most. Statistics with long values can be in it.
const LONGEST_HEADER: u64 = 16 << 20;

/// The type of a page with a dictionary.
const DICTIONARY: u64 = 2;

/// The sizes of the pages of a column chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pages {
    /// Decoded bytes of the two largest pages with data, the largest one first.
    largest: [u64; 2],
    /// Decoded bytes of the dictionary.
    dictionary: u64,
    /// Mean size of a value of the dictionary.
    mean_in_dictionary: u64,
    /// Decoded bytes of all pages.
    decoded: u64,
    /// True if not all headers were read: a page can be smaller.
    is_bound: bool,
    /// Values of the pages whose mean size of a value has this many binary digits, and the largest of these means.
    values: [(u64, u64); 65],
}

impl Default for Pages {
    fn default() -> Self {
        Self {
            largest: [0; 2],
            dictionary: 0,
            mean_in_dictionary: 0,
            decoded: 0,
            is_bound: false,
            values: [(0, 0); 65],
        }
    }
}

impl Pages {
    /// Returns the sizes of pages of which only the sum is known: one page can have all bytes.
    pub(super) fn of_sum(decoded: u64) -> Self {
        Self { largest: [decoded, 0], decoded, is_bound: true, ..Self::default() }
    }

    /// Reads the headers of all pages of a column chunk, or of up to `most`. Then the rest counts as one page: the
    /// metadata bound the largest page in it. `None` if a header cannot be read.
    pub(super) async fn read(
        store: &dyn ObjectStore,
        path: &Path,
        column: &ColumnChunkMetaData,
        most: Option<usize>,
    ) -> Option<Self> {
        let Range { start: mut at, end } = range(column)?;
        let mut pages = Self::default();
        let mut requests = 0;
        let (mut window, mut from, mut size) = (Vec::new(), at, WINDOW);
        while at < end {
            let known: &[u8] =
                usize::try_from(at - from).ok().and_then(|skipped| window.get(skipped..)).unwrap_or_default();
            match Header::read(known) {
                Ok((header, length)) => {
                    pages.add(&header);
                    at = at.checked_add(length)?.checked_add(header.written)?;
                    size = WINDOW;
                }
                Err(HeaderError::Damaged) => return None,
                // The header does not end in the column chunk, or is too long.
                Err(HeaderError::Short) if known.len() as u64 == end - at || known.len() as u64 >= LONGEST_HEADER => {
                    return None;
                }
                Err(HeaderError::Short) => {
                    if most == Some(requests) {
                        let rest = (column.uncompressed_size().max(0) as u64).saturating_sub(pages.decoded);
                        pages.is_bound = rest > 0;
                        pages.add_page(rest);
                        break;
                    }
                    requests += 1;
                    // A server may refuse to send parts of a file.
                    let part = at..end.min(at + size);
                    window = store.get_range(path, part.clone()).await.ok()?.to_vec();
                    if window.len() as u64 != part.end - part.start {
                        return None;
                    }
                    (from, size) = (at, size * 16);
                }
            }
        }
        Some(pages)
    }

    fn add(&mut self, header: &Header) {
        if header.kind == DICTIONARY {
            self.dictionary = self.dictionary.max(header.decoded);
            self.mean_in_dictionary = self.mean_in_dictionary.max(header.decoded / header.values.max(1));
            self.decoded = self.decoded.saturating_add(header.decoded);
            return;
        }
        self.add_page(header.decoded);
        let mean = header.decoded / header.values.max(1);
        let (values, largest) = &mut self.values[(u64::BITS - mean.leading_zeros()) as usize];
        *values = values.saturating_add(header.values);
        *largest = mean.max(*largest);
    }

    /// Adds a page with data.
    fn add_page(&mut self, decoded: u64) {
        self.decoded = self.decoded.saturating_add(decoded);
        let [first, second] = self.largest;
        self.largest = [first.max(decoded), second.max(first.min(decoded))];
    }

    /// Returns the bytes that a reader holds: the dictionary and two pages, because rows of a batch can be in two.
    pub(super) fn held(&self) -> u64 {
        self.largest.iter().fold(self.dictionary, |sum, &page| sum.saturating_add(page))
    }

    /// Returns the decoded bytes of the largest page, the dictionary included.
    pub(super) fn largest_bytes(&self) -> u64 {
        self.largest[0].max(self.dictionary)
    }

    /// Returns true if a page can be smaller, because not all headers were read.
    pub(super) fn is_bound(&self) -> bool {
        self.is_bound
    }

    /// Returns the mean size of a value of the dictionary, 0 without one.
    pub(super) fn mean_in_dictionary(&self) -> u64 {
        self.mean_in_dictionary
    }

    /// Returns the decoded bytes of all pages.
    pub(super) fn decoded(&self) -> u64 {
        self.decoded
    }

    /// Returns the mean size and the number of values of pages with similar means.
    pub(super) fn means(&self) -> impl Iterator<Item = (u64, u64)> {
        self.values.iter().filter(|(values, _)| *values > 0).map(|&(values, mean)| (mean, values))
    }
}

/// Returns the bytes of a column chunk in the file. `None` if its dictionary is not in front of its data: a reader
/// begins at the dictionary.
fn range(column: &ColumnChunkMetaData) -> Option<Range<u64>> {
    let data = u64::try_from(column.data_page_offset()).ok()?;
    let start = match column.dictionary_page_offset() {
        // Some writers give an offset of 0 if there is no dictionary.
        None | Some(0) => data,
        Some(offset) => u64::try_from(offset).ok().filter(|&offset| offset <= data)?,
    };
    let end = start.checked_add(u64::try_from(column.compressed_size()).ok()?)?;
    Some(start..end)
}

/// The header of a page.
#[derive(Debug, Default, PartialEq, Eq)]
struct Header {
    kind: u64,
    decoded: u64,
    /// Bytes of the page in the file.
    written: u64,
    values: u64,
}

impl Header {
    /// Reads a header, and returns its length. The type and the sizes must be there.
    fn read(bytes: &[u8]) -> Result<(Self, u64), HeaderError> {
        let mut header = Self::default();
        let mut fields = Fields::new(bytes);
        let mut found = [false; 3];
        while let Some(field) = fields.next()? {
            if let 1..=3 = field.id {
                found[field.id as usize - 1] = true;
            }
            match field.id {
                1 => header.kind = fields.size(field)?,
                2 => header.decoded = fields.size(field)?,
                3 => header.written = fields.size(field)?,
                // The header of a dictionary, or of a page with data: its first field is the number of values.
                5 | 7 | 8 => {
                    fields.enter(field)?;
                    while let Some(inner) = fields.next()? {
                        if inner.id == 1 {
                            header.values = fields.size(inner)?;
                        } else {
                            fields.skip(inner)?;
                        }
                    }
                }
                _ => fields.skip(field)?,
            }
        }
        if found == [true; 3] { Ok((header, fields.position())) } else { Err(HeaderError::Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{ArrayRef, BinaryArray, Int64Array, RecordBatch};
    use datafusion::parquet::arrow::ArrowWriter;
    use datafusion::parquet::basic::Compression;
    use datafusion::parquet::column::page::Page;
    use datafusion::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
    use datafusion::parquet::file::reader::{FileReader as _, SerializedFileReader};
    use object_store::memory::InMemory;

    use super::*;

    /// A header that pyarrow wrote, of a page of 163 873 799 bytes, is cut.
    #[test]
    fn a_header_that_is_cut() {
        let bytes = [0x15, 0x00, 0x15, 0x8e, 0x90, 0xa4, 0x9c, 0x01, 0x15, 0x06, 0x2c, 0x15, 0x0a, 0x00, 0x00, 0x77];
        let header = Header { kind: 0, decoded: 163_873_799, written: 3, values: 5 };
        assert_eq!(Header::read(&bytes), Ok((header, 15)));
        for length in 0..15 {
            assert_eq!(Header::read(&bytes[..length]), Err(HeaderError::Short), "{length} bytes");
        }
        // Sizes are not negative, and have the type i32.
        assert_eq!(Header::read(&[0x15, 0x01]), Err(HeaderError::Damaged));
        assert_eq!(Header::read(&[0x16, 0x00]), Err(HeaderError::Damaged));
        // A header without sizes would be a page of no bytes.
        assert_eq!(Header::read(&[0x00]), Err(HeaderError::Damaged));
        assert_eq!(Header::read(&[0x15, 0x00, 0x15, 0x02, 0x00]), Err(HeaderError::Damaged));
    }

    /// Compares the sizes with those of the reader of the crate `parquet`: with dictionaries, statistics longer than a
    /// window, both versions, with and without compression.
    #[tokio::test]
    async fn pages_of_files() {
        let value = |i: usize| vec![(i % 7) as u8; if i == 900 { 300_000 } else { 20 + i % 50 * (i % 3) }];
        let values: Vec<Vec<u8>> = (0..1000).map(value).collect();
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values((0..1000).map(|i| i % 13)));
        let geometries: ArrayRef = Arc::new(BinaryArray::from_iter_values(&values));
        let batch = RecordBatch::try_from_iter([("id", ids), ("geometry", geometries)]).unwrap();
        for (version, compression, dictionary, statistics) in [
            (WriterVersion::PARQUET_1_0, Compression::SNAPPY, true, EnabledStatistics::None),
            (WriterVersion::PARQUET_2_0, Compression::LZ4_RAW, false, EnabledStatistics::Page),
            (WriterVersion::PARQUET_1_0, Compression::UNCOMPRESSED, false, EnabledStatistics::Page),
            (WriterVersion::PARQUET_2_0, Compression::SNAPPY, true, EnabledStatistics::Chunk),
        ] {
            let properties = WriterProperties::builder()
                .set_writer_version(version)
                .set_compression(compression)
                .set_dictionary_enabled(dictionary)
                .set_statistics_enabled(statistics)
                .set_statistics_truncate_length(None)
                .set_column_index_truncate_length(None)
                .set_write_page_header_statistics(statistics == EnabledStatistics::Page)
                .set_data_page_row_count_limit(30)
                .set_write_batch_size(10)
                .build();
            let mut file = Vec::new();
            let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
            let file = bytes::Bytes::from(file);
            let store = InMemory::new();
            let path = Path::from("a.parquet");
            store.put(&path, file.clone().into()).await.unwrap();
            let reader = SerializedFileReader::new(file).unwrap();
            let group = reader.get_row_group(0).unwrap();
            for column in 0..2 {
                let chunk = group.metadata().column(column);
                let (mut sizes, mut dictionary) = (Vec::new(), 0);
                let mut pages = group.get_column_page_reader(column).unwrap();
                while let Some(page) = pages.get_next_page().unwrap() {
                    match page {
                        Page::DictionaryPage { buf, .. } => dictionary = buf.len() as u64,
                        Page::DataPage { buf, .. } | Page::DataPageV2 { buf, .. } => sizes.push(buf.len() as u64),
                    }
                }
                sizes.sort_unstable_by(|a, b| b.cmp(a));
                assert!(sizes.len() > 30, "{} pages", sizes.len());
                let found = Pages::read(&store, &path, chunk, None).await.unwrap();
                assert_eq!((found.largest[..].to_vec(), found.dictionary), (sizes[..2].to_vec(), dictionary));
                assert_eq!(found.decoded, sizes.iter().sum::<u64>() + dictionary);
                assert_eq!(found.means().map(|(_, values)| values).sum::<u64>(), 1000);
                // Without any request, all bytes can be one page.
                let bound = Pages::read(&store, &path, chunk, Some(0)).await.unwrap();
                assert_eq!(bound, Pages::of_sum(chunk.uncompressed_size() as u64));
                let some = Pages::read(&store, &path, chunk, Some(3)).await.unwrap();
                assert!(some.held() >= found.held() && some.held() <= bound.held());
            }
        }
    }
}
