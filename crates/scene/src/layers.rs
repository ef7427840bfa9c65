//! Assigns the 64 layer numbers to layer names, and names the layers of a collider.
//!
//! A filter has one bit per layer. A name gets the lowest bit from 1 to 63 that no other name and no
//! number of the scene uses, in order of appearance. Bit 0 comes last: it is the layer of every
//! collider without layers. A program may add such colliders to the world of a scene.

use std::borrow::Cow;
use std::path::Path;

use crate::{Scene, SceneCollider};

/// Number of layers. Each is one bit of [`carom::broad_phase::Filter::layers`].
pub(crate) const COUNT: usize = 64;

/// Returns the number of the lowest layer from 1 to 63 that is not used; 0 if only this one is left;
/// `None` if all are used.
fn lowest_free(used: u64) -> Option<u32> {
    // Rotated by one, bit 0 is the last one.
    let taken = used.rotate_right(1).trailing_ones();
    (taken < u64::BITS).then_some((taken + 1) % u64::BITS)
}

/// Assigns free layer numbers to names, in order of appearance.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    /// Bits that the scene uses, by number or by name.
    used: u64,
    names: Vec<Option<String>>,
}

impl Layers {
    /// `bare`: bits that the scene uses by number or by default. No name gets one of them.
    pub(crate) fn new(bare: u64) -> Self {
        Self { used: bare, names: Vec::new() }
    }

    /// Returns the bit of a name. A new name gets a new bit. Returns an error message if no bit is
    /// free.
    pub(crate) fn bit(&mut self, name: &str) -> Result<u64, String> {
        if let Some(i) = self.names.iter().position(|n| n.as_deref() == Some(name)) {
            return Ok(1 << i);
        }
        let Some(free) = lowest_free(self.used) else {
            return Err(format!(
                "layer \"{name}\" is the 65th layer: a scene has at most 64, numbers and names together; use fewer"
            ));
        };
        let i = free as usize;
        if self.names.len() <= i {
            self.names.resize(i + 1, None);
        }
        self.names[i] = Some(name.to_owned());
        self.used |= 1 << i;
        Ok(1 << i)
    }

    /// Returns the value of [`crate::Scene::layers`].
    pub(crate) fn into_names(self) -> Vec<Option<String>> {
        self.names
    }
}

impl Scene {
    /// Returns the bit of a layer that no collider and no name of the scene uses, for colliders that a program adds.
    /// It is the lowest one from 1 to 63; 0 if only this layer is left. Returns `None` if all 64 are used. A mask uses
    /// its layers, unless it has all of them.
    ///
    /// ```
    /// use carom_scene::{Options, read};
    ///
    /// let json = br#"{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 1}}, "layers": ["wall", 2]}]}"#;
    /// let scene = read("level.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
    /// assert_eq!(scene.colliders[0].filter.layers, 0b110); // the wall has layer 1
    /// assert_eq!(scene.free_layer(), Some(0b1000));
    /// # Ok::<(), carom_scene::Error>(())
    /// ```
    #[must_use]
    pub fn free_layer(&self) -> Option<u64> {
        lowest_free(self.used_layers() | self.named_layers()).map(|free| 1 << free)
    }

    /// Returns the bits that colliders use. A mask with all bits set means "all" and is not counted.
    pub(crate) fn used_layers(&self) -> u64 {
        self.colliders.iter().fold(0, |bits, collider| {
            let mask = if collider.filter.mask == u64::MAX { 0 } else { collider.filter.mask };
            bits | collider.filter.layers | mask
        })
    }

    /// Returns the bits that have names.
    pub(crate) fn named_layers(&self) -> u64 {
        self.layers.iter().enumerate().filter(|(_, name)| name.is_some()).fold(0, |bits, (i, _)| bits | 1 << i)
    }

    /// Returns the names of the layers of a collider. A layer without a name is its number, but layer
    /// 0 alone is left out, because it is the default. If several files were merged, the last name is
    /// that of the file, without folder and suffix.
    ///
    /// ```
    /// use carom_scene::{Options, read};
    ///
    /// let json = br#"{"carom": 1, "colliders": [
    ///     {"shape": {"circle": {"radius": 1}}, "layers": ["wall", 7]}, {"shape": {"circle": {"radius": 1}}}]}"#;
    /// let scene = read("level.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
    /// assert_eq!(scene.layers_of(&scene.colliders[0]).collect::<Vec<_>>(), ["wall", "7"]);
    /// assert_eq!(scene.layers_of(&scene.colliders[1]).count(), 0);
    /// # Ok::<(), carom_scene::Error>(())
    /// ```
    pub fn layers_of<'s>(&'s self, collider: &SceneCollider) -> impl Iterator<Item = Cow<'s, str>> {
        let name = |bit: usize| self.layers.get(bit).and_then(Option::as_deref);
        let set = collider.filter.layers;
        let is_default = set == 1 && name(0).is_none();
        let bits = (0..COUNT).filter(move |bit| !is_default && set >> bit & 1 == 1);
        let names = bits.map(move |bit| name(bit).map_or_else(|| Cow::Owned(bit.to_string()), Cow::Borrowed));
        let file = if self.files.len() > 1 { self.files.get(collider.origin.file as usize) } else { None };
        names.chain(file.map(|file| file_stem(file)))
    }
}

/// Returns the name of a file without folder and suffix.
pub(crate) fn file_stem(file: &str) -> Cow<'_, str> {
    Path::new(file).file_stem().map_or(Cow::Borrowed(file), |stem| stem.to_string_lossy())
}
