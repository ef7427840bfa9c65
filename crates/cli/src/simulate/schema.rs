//! Writes the JSON Schemas of the summary and the trace from the types that serialize them.
use super::{step_log, summary};
use crate::json_schema::check_schema;

#[test]
fn the_schemas_are_up_to_date() {
    check_schema::<summary::Report>("simulate", "carom simulate --format json", false);
    check_schema::<step_log::StepLine<'_>>("simulate-trace", "A line of carom simulate --trace", false);
}
