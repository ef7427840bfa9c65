//! Assigns the 64 layer numbers to layer names.

/// Number of layers. Each is one bit of [`carom::broad_phase::Filter::layers`].
pub(crate) const COUNT: usize = 64;

/// Assigns free layer numbers to names, in order of appearance.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    /// Numbers that the scene uses without a name. No name gets one of them.
    bare: u64,
    names: Vec<Option<String>>,
}

impl Layers {
    /// `bare`: bits that the scene uses by number.
    pub(crate) fn new(bare: u64) -> Self {
        Self { bare, names: Vec::new() }
    }

    /// Returns the bit of a name. A new name gets a new bit. Returns an error message if no bit is
    /// free.
    pub(crate) fn bit(&mut self, name: &str) -> Result<u64, String> {
        if let Some(i) = self.names.iter().position(|n| n.as_deref() == Some(name)) {
            return Ok(1 << i);
        }
        let free = |i: &usize| self.bare >> i & 1 == 0 && self.names.get(*i).is_none_or(Option::is_none);
        let Some(i) = (0..COUNT).find(free) else {
            return Err(format!(
                "layer \"{name}\" is the 65th layer: a scene has at most 64, numbers and names together; use fewer"
            ));
        };
        if self.names.len() <= i {
            self.names.resize(i + 1, None);
        }
        self.names[i] = Some(name.to_owned());
        Ok(1 << i)
    }

    /// Returns the value of [`crate::Scene::layers`].
    pub(crate) fn into_names(self) -> Vec<Option<String>> {
        self.names
    }
}
