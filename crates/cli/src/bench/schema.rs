//! Writes the JSON Schema of the output from the types that serialize it.
use super::Report;
use crate::json_schema::check_schema;

#[test]
fn the_schema_is_up_to_date() {
    check_schema::<Report>("bench", "carom bench --format json", false);
}
