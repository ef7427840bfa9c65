//! Writes the JSON Schemas of the output from the types that serialize it.
use super::report;
use crate::json_schema::check_schema;

#[test]
fn the_schemas_are_up_to_date() {
    check_schema::<report::Report<'_>>("replay", "carom replay --format json", false);
    check_schema::<report::Line<'_>>("replay-line", "A line of carom replay --format ndjson", false);
}
