//! Writes the SQL of a join.
//!
//! Input: the arguments and the sources. Output: queries. One reads the rows of a source, for a join in memory. For
//! joins of the engine, one checks and samples a source, and another one computes all pairs:
//!
//! ```text
//! SELECT a.id, b.id FROM rows of a JOIN rows of b
//! ON a.cell = b.cell AND carom_owns(a.box, b.box, a.cell, grid) AND predicate
//! rows of x: SELECT id, geometry, box, unnest(carom_cells(box, grid)) AS cell FROM x
//! ```
//!
//! The first condition is an equi-join, which the engine computes in parallel. `carom_owns`
//! compares boxes, so it comes before the predicate, which decodes geometries.
//!
//! The query is SQL text instead of a plan in the engine's types. The text is the same for one
//! machine and for a cluster, and `--explain` can print it.

use carom_functions::{Grid, Predicate};

use crate::args::JoinArgs;
use crate::input::Source;

/// Columns of the result of a summary query. This one has the sample.
pub(crate) const SAMPLE: usize = 0;
/// Number of rows.
pub(crate) const ROWS: usize = 1;
/// Number of ids that are not NULL.
pub(crate) const IDS: usize = 2;
/// Number of invalid geometries.
pub(crate) const INVALID: usize = 3;

/// The join of two sources, or of one with itself.
pub(crate) struct JoinQuery<'a> {
    args: &'a JoinArgs,
    a: &'a Source,
    /// `None` for a self-join.
    b: Option<&'a Source>,
    /// True if geometries are handed on as views: embedded, not on a cluster.
    views: bool,
}

impl<'a> JoinQuery<'a> {
    /// Creates the queries of the arguments for one or two sources.
    pub(crate) fn new(args: &'a JoinArgs, a: &'a Source, b: Option<&'a Source>) -> Self {
        Self { args, a, b, views: args.cluster.is_none() }
    }

    /// Returns the condition on a pair.
    pub(crate) fn predicate(&self) -> Predicate {
        self.args.on
    }

    /// Returns the query of the ids and geometries of a source.
    pub(crate) fn rows(&self, source: &Source) -> String {
        format!(
            "SELECT {} AS id, {} AS g FROM {}{}",
            source.id(),
            source.geometry(),
            source.table(),
            self.where_clause()
        )
    }

    /// Returns the condition on the rows of both inputs as SQL; empty if there is none.
    fn where_clause(&self) -> String {
        self.args.filter.as_ref().map_or_else(String::new, |filter| format!(" WHERE ({filter})"))
    }

    /// Returns true if each unordered pair is reported once.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.args.on != Predicate::Contains
    }

    /// Returns the distance by which boxes of the first input grow.
    fn margin(&self) -> f64 {
        self.predicate().margin()
    }

    /// Returns the query of the summary of a source: sample, rows, ids that are not NULL, invalid
    /// geometries.
    pub(crate) fn summary(&self, source: &Source) -> String {
        format!(
            "SELECT carom_sample(CASE WHEN reason IS NULL THEN carom_box(g, {margin:e}) END, g) AS sample, \
             count(*) AS n, count(id) AS ids, count(reason) AS invalid \
             FROM (SELECT {id} AS id, {geometry} AS g, carom_invalid({geometry}) AS reason FROM {table}{filter})",
            margin = self.margin(),
            id = source.id(),
            geometry = source.geometry(),
            table = source.table(),
            filter = self.where_clause(),
        )
    }

    /// Returns the query of all pairs. `a_first` says that the first input is the build side.
    pub(crate) fn pairs(&self, grid: &Grid, a_first: bool) -> String {
        let b = self.b.unwrap_or(self.a);
        let (side_a, side_b) = (self.cells(self.a, self.margin(), grid), self.cells(b, 0.0, grid));
        let from = if a_first {
            format!("({side_a}) AS a JOIN ({side_b}) AS b")
        } else {
            format!("({side_b}) AS b JOIN ({side_a}) AS a")
        };
        let predicate = match self.args.on {
            Predicate::Intersects => "carom_intersects(a.g, b.g)".to_owned(),
            Predicate::Overlaps => "carom_overlaps(a.g, b.g)".to_owned(),
            Predicate::Contains => "carom_contains(a.g, b.g)".to_owned(),
            Predicate::Within(distance) => format!("carom_within(a.g, b.g, {distance:e})"),
        };
        // A row of a self-join meets itself once. These pairs are counted, not reported: more of them
        // than rows means that ids repeat.
        let condition = match (self.b, self.is_symmetric()) {
            (Some(_), _) => predicate,
            (None, true) => format!("(a.id = b.id OR (a.id < b.id AND {predicate}))"),
            (None, false) => format!("(a.id = b.id OR {predicate})"),
        };
        let mut columns = vec!["a.id AS a, b.id AS b".to_owned()];
        for (wanted, function, name) in
            [(self.args.depth, "carom_depth", "depth"), (self.args.distance, "carom_distance", "distance")]
        {
            let value = match self.args.on {
                // A rounded distance must not contradict the predicate.
                Predicate::Within(limit) if name == "distance" => format!("least({function}(a.g, b.g), {limit:e})"),
                _ => format!("{function}(a.g, b.g)"),
            };
            if wanted && self.b.is_none() {
                columns.push(format!("CASE WHEN a.id <> b.id THEN {value} END AS {name}"));
            } else if wanted {
                columns.push(format!("{value} AS {name}"));
            }
        }
        format!(
            "SELECT {} FROM {from} ON a.cell = b.cell AND carom_owns(a.box, b.box, a.cell, '{grid}') AND {condition}",
            columns.join(", ")
        )
    }

    /// Returns the query of a source's outlines, once per cell.
    fn cells(&self, source: &Source, margin: f64, grid: &Grid) -> String {
        let geometry = source.geometry();
        let mut conditions: Vec<String> = self.args.filter.iter().map(|filter| format!("({filter})")).collect();
        if self.args.skip_invalid {
            conditions.push(format!("carom_invalid({geometry}) IS NULL"));
        }
        let filter = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
        let wkb = if source.is_text() { format!("carom_wkb({geometry})") } else { geometry.to_owned() };
        let wkb = if self.views { format!("arrow_cast({wkb}, 'BinaryView')") } else { wkb };
        format!(
            "SELECT id, g, box, unnest(carom_cells(box, '{grid}')) AS cell \
             FROM (SELECT id, g, carom_box(g, {margin:e}) AS box \
             FROM (SELECT {id} AS id, {wkb} AS g FROM {table}{filter}))",
            id = source.id(),
            table = source.table(),
        )
    }
}
