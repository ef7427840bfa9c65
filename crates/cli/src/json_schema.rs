//! Compares the JSON Schemas in `docs/schemas` with the types that are serialized. For tests.
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

/// Returns the schema of a form.
fn schema<T: JsonSchema>(title: &str, is_input: bool) -> String {
    let settings = SchemaSettings::draft2020_12();
    let mut generator = if is_input { settings } else { settings.for_serialize() }.into_generator();
    let mut schema = generator.root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    // Comments of the code are no text for users.
    schema.remove("description");
    serde_json::to_string_pretty(&schema).expect("string keys only") + "\n"
}

/// Compares the schema of a form with the file in `docs/schemas`, or writes it with `CAROM_BLESS`.
/// `is_input`: the form is read, so fields with a default are not required.
pub(crate) fn check_schema<T: JsonSchema>(name: &str, title: &str, is_input: bool) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas");
    let (file, text) = (format!("{folder}/{name}.json"), schema::<T>(title, is_input));
    if std::env::var_os("CAROM_BLESS").is_some() {
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(&file, &text).expect("a file");
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(written == text, "{file}: run CAROM_BLESS=1 cargo test -p carom-cli, look at the difference, commit it");
}
