//! Writes the JSON Schemas of the output from the types that serialize it.
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::{baseline, by, print};
use crate::{report_json, sweep};

/// `check --format json`, as `crate::stream` writes it.
#[derive(JsonSchema)]
#[schemars(rename = "Check")]
#[expect(dead_code, reason = "only its schema is used")]
struct Check<'s> {
    shapes: usize,
    candidates: usize,
    contacts: Vec<report_json::Row<'s>>,
}

/// Returns the schema of a form.
fn schema<T: JsonSchema>(title: &str) -> String {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    // Comments of the code are no text for users.
    schema.remove("description");
    serde_json::to_string_pretty(&schema).expect("string keys only") + "\n"
}

#[test]
fn the_schemas_are_up_to_date() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas");
    for (name, text) in [
        ("check", schema::<Check<'_>>("carom check --format json")),
        ("check-by", schema::<by::Report<'_>>("carom check --by --format json")),
        ("check-baseline", schema::<baseline::Report<'_>>("carom check --baseline --format json")),
        ("check-count", schema::<print::Count>("carom check --count --format json")),
        ("check-sweep", schema::<sweep::Report<'_>>("carom check --sweep --format json")),
    ] {
        let file = format!("{folder}/{name}.json");
        if std::env::var_os("CAROM_BLESS").is_some() {
            std::fs::create_dir_all(folder).expect("a folder");
            std::fs::write(&file, &text).expect("a file");
        }
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            written == text,
            "{file}: run CAROM_BLESS=1 cargo test -p carom-cli, look at the difference, commit it"
        );
    }
}
