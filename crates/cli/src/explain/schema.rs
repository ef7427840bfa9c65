//! Writes the JSON Schemas of the output from the types that serialize it.
use super::{Report, containment, gjk, sat, sweep};
use crate::json_schema::check_schema;

#[test]
fn the_schemas_are_up_to_date() {
    check_schema::<Report<'_, sat::Nothing>>("explain", "carom explain --format json", false);
    check_schema::<Report<'_, gjk::More>>("explain-gjk", "carom explain --gjk --format json", false);
    check_schema::<Report<'_, sweep::More>>("explain-sweep", "carom explain --sweep --format json", false);
    check_schema::<Report<'_, containment::More>>("explain-contains", "carom explain --contains --format json", false);
}
