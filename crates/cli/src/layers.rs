//! Layers in output, and the sets of layers of `--between`.
use carom_scene::{Scene, SceneCollider};
use serde::{Serialize, Serializer};

use crate::error::CliError;
use crate::suggest::known;

/// Names of the layers of a collider, serialized as a list without a copy.
pub(crate) struct Layers<'s>(pub(crate) &'s Scene, pub(crate) &'s SceneCollider);

impl Serialize for Layers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.layers_of(self.1))
    }
}

/// Returns the names of the layers of a collider, separated by commas.
pub(crate) fn joined(scene: &Scene, collider: &SceneCollider) -> String {
    scene.layers_of(collider).collect::<Vec<_>>().join(", ")
}

/// Layer bits, and files: all colliders of one side of `--between`.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayerSet {
    bits: u64,
    /// Indices into [`Scene::files`].
    files: Vec<u32>,
}

impl LayerSet {
    /// Returns the colliders on the layer of this name or number, and those of the file of this name.
    pub(crate) fn new(scene: &Scene, name: &str) -> Result<Self, CliError> {
        let named = scene.layers.iter().position(|layer| layer.as_deref() == Some(name));
        let number = || name.parse().ok().filter(|number: &usize| *number < 64);
        let is_file = |file: &str| file == name || stem(file) == name;
        let files: Vec<u32> =
            (0..).zip(&scene.files).filter(|(_, file)| is_file(file)).map(|(index, _)| index).collect();
        let bit = if files.is_empty() { named.or_else(number) } else { named };
        if bit.is_none() && files.is_empty() {
            let stems: Vec<String> = scene.files.iter().filter(|_| scene.files.len() > 1).map(|f| stem(f)).collect();
            let names: Vec<&str> = scene.layers.iter().flatten().chain(&stems).map(String::as_str).collect();
            let hint = known(name, &names, "the scene names no layers; a number from 0 to 63 serves too");
            return Err(CliError::new(format!("--between: no layer or file is called `{name}`: {hint}")));
        }
        Ok(Self { bits: bit.map_or(0, |bit| 1 << bit), files })
    }

    pub(crate) fn contains(&self, collider: &SceneCollider) -> bool {
        collider.filter.layers & self.bits != 0 || self.files.contains(&collider.origin.file)
    }
}

/// Returns the name of a file without folder and suffix.
fn stem(file: &str) -> String {
    let path = std::path::Path::new(file);
    path.file_stem().map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
