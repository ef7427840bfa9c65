//! Formats a table. Columns are as wide as their widest cell, with two spaces between them.
use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

/// Alignment of a cell in its column.
#[derive(Clone, Copy)]
pub(crate) enum Align {
    Left,
    Right,
}

pub(crate) struct Cell {
    /// A table can have hundreds of thousands of cells.
    text: Box<str>,
    style: Style,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into().into_boxed_str(), style: Style::new() }
    }

    pub(crate) fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Returns the number of columns of a terminal that the text takes. Most texts are ASCII, of which each printed
    /// character takes one column.
    fn width(&self) -> usize {
        if self.text.bytes().all(|byte| matches!(byte, b' '..=b'~')) { self.text.len() } else { self.text.width() }
    }
}

/// Rows are in the order of insertion.
pub(crate) struct Table {
    columns: Vec<Align>,
    /// Row by row, the header first.
    cells: Vec<Cell>,
}

const BETWEEN: &str = "  ";

impl Table {
    pub(crate) fn new(header: &[(&str, Align)]) -> Self {
        let titles = header.iter().map(|(title, _)| Cell::new(*title).styled(Style::new().bold()));
        Self { columns: header.iter().map(|(_, align)| *align).collect(), cells: titles.collect() }
    }

    /// Appends a row, which has a cell per column.
    pub(crate) fn add<const N: usize>(&mut self, row: [Cell; N]) {
        assert_eq!(N, self.columns.len(), "a row has a cell per column");
        self.cells.extend(row);
    }

    /// Writes the header, a rule and the rows. Escape codes only if `styled`.
    pub(crate) fn print(&self, out: &mut dyn Write, styled: bool) -> io::Result<()> {
        let rows = self.cells.chunks_exact(self.columns.len());
        let mut widths = vec![0; self.columns.len()];
        for row in rows.clone() {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        let shown = widths.iter().filter(|width| **width > 0);
        let rule = shown.map(|width| width + BETWEEN.len()).sum::<usize>().saturating_sub(BETWEEN.len());
        let mut line = String::new();
        for (index, row) in rows.enumerate() {
            line.clear();
            self.line(row, &widths, styled, &mut line);
            line.truncate(line.trim_end().len());
            line.push('\n');
            out.write_all(line.as_bytes())?;
            if index == 0 {
                writeln!(out, "{}", "─".repeat(rule))?;
            }
        }
        Ok(())
    }

    fn line(&self, row: &[Cell], widths: &[usize], styled: bool, line: &mut String) {
        for ((cell, width), align) in row.iter().zip(widths).zip(&self.columns) {
            if *width == 0 {
                continue;
            }
            if !line.is_empty() {
                line.push_str(BETWEEN);
            }
            let blank = width - cell.width();
            if let Align::Right = align {
                push_blanks(line, blank);
            }
            if styled && !cell.text.is_empty() {
                let (on, off) = (cell.style.render().to_string(), cell.style.render_reset().to_string());
                line.extend([&*on, &*cell.text, &*off]);
            } else {
                line.push_str(&cell.text);
            }
            if let Align::Left = align {
                push_blanks(line, blank);
            }
        }
    }
}

fn push_blanks(line: &mut String, mut count: usize) {
    const BLANKS: &str = "                                ";
    while count > 0 {
        let next = count.min(BLANKS.len());
        line.push_str(&BLANKS[..next]);
        count -= next;
    }
}

#[cfg(test)]
mod tests {
    use super::{Align, Cell, Table};
    use anstyle::Style;

    fn table() -> Table {
        let mut table = Table::new(&[("name", Align::Left), ("n", Align::Right), ("", Align::Left)]);
        table.add(["球", "1.5", ""].map(Cell::new));
        table.add([Cell::new(""), Cell::new("-12").styled(Style::new().bold()), Cell::new("x")]);
        table
    }

    fn text(styled: bool) -> String {
        let mut out = Vec::new();
        table().print(&mut out, styled).expect("a Vec grows");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn columns_are_aligned_and_lines_do_not_end_in_blanks() {
        let expected = ["name    n", "────────────", "球    1.5", "      -12  x", ""];
        assert_eq!(text(false), expected.join("\n"));
    }

    #[test]
    fn styles_change_no_column() {
        let plain = anstream::adapter::strip_str(&text(true)).to_string();
        assert_eq!(plain, text(false));
        assert!(text(true).contains("\u{1b}[1m-12\u{1b}[0m"));
    }
}
