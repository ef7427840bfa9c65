//! Writes the JSON Schemas of the input, the trace and the summary.
use super::{script, summary, trace};
use crate::json_schema::check_schema;

#[test]
fn the_schemas_are_up_to_date() {
    check_schema::<script::Script>("walk-input", "carom walk --input", true);
    check_schema::<trace::Line<'_>>("walk-trace", "A line of carom walk --trace", false);
    check_schema::<summary::Report<'_>>("walk", "carom walk --format json", false);
}
