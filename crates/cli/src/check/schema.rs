//! Writes the JSON Schemas of the output from the types that serialize it.
use schemars::JsonSchema;

use super::{baseline, by, pairs, print};
use crate::json_schema::check_schema;
use crate::{containment, report_json, sweep};

/// `check --format json`, as `crate::stream` writes it.
#[derive(JsonSchema)]
#[schemars(rename = "Check")]
#[expect(dead_code, reason = "only its schema is used")]
struct Check<'s> {
    shapes: usize,
    candidates: usize,
    contacts: Vec<report_json::Row<'s>>,
}

/// `check --pairs --format json`, as `crate::stream` writes it.
#[derive(JsonSchema)]
#[schemars(rename = "Pairs")]
#[expect(dead_code, reason = "only its schema is used")]
struct PairList<'s> {
    shapes: usize,
    candidates: usize,
    pairs: Vec<pairs::Row<'s>>,
}

#[test]
fn the_schemas_are_up_to_date() {
    check_schema::<Check<'_>>("check", "carom check --format json", false);
    check_schema::<PairList<'_>>("check-pairs", "carom check --pairs --format json", false);
    check_schema::<by::Report<'_>>("check-by", "carom check --by --format json", false);
    check_schema::<baseline::Report<'_>>("check-baseline", "carom check --baseline --format json", false);
    check_schema::<print::Count>("check-count", "carom check --count --format json", false);
    check_schema::<sweep::Report<'_>>("check-sweep", "carom check --sweep --format json", false);
    check_schema::<containment::Report<'_>>("check-contains", "carom check --contains --format json", false);
}
