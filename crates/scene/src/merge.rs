//! Merges several files to one scene.
//!
//! Input: scenes with the names of their files. Output: one scene with unique ids, common layer
//! numbers and separate groups. Layers are matched by name. So the bits of layers and masks of
//! later files are renumbered.

use std::collections::{HashMap, HashSet};

use crate::layers::Layers;
use crate::{Error, Scene};

/// Merges several scenes, each given with the name of its file.
///
/// Ids of the second and later files get the prefix name and `:`. Layers with equal names become
/// one layer. Layers without names keep their numbers. [`Scene::files`] has the names of
/// the files. Groups of different files stay separate. Different values of `y`, gravity or walls are
/// an error, and so are more than 64 layers.
///
/// ```
/// # use carom_scene::{Options, merge, read};
/// # let json = br#"{"carom": 1, "colliders": [{"id": "ball", "shape": {"circle": {"radius": 0.5}}}]}"#;
/// # let scene = read("ball.json", json, &Options::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()))?;
/// let whole = merge(vec![("one.json".to_owned(), scene.clone()), ("two.json".to_owned(), scene)])?;
/// assert_eq!(whole.colliders[0].id, "ball");
/// assert_eq!(whole.colliders[1].id, "two.json:ball");
/// # Ok::<(), carom_scene::Error>(())
/// ```
pub fn merge(files: Vec<(String, Scene)>) -> Result<Scene, Error> {
    if files.len() <= 1 {
        return Ok(files
            .into_iter()
            .next()
            .map(|(file, scene)| Scene { files: vec![file], ..scene })
            .unwrap_or_default());
    }
    let bare = files.iter().fold(0, |bits, (_, scene)| bits | scene.used_layers() & !scene.named_layers());
    let mut layers = Layers::new(bare);
    let mut groups = HashMap::new();
    let mut ids = HashSet::new();
    let mut whole = Scene::default();
    let first = files[0].0.clone();
    for (index, (file, mut scene)) in files.into_iter().enumerate() {
        if index == 0 {
            whole.y = scene.y;
        } else if scene.y != whole.y {
            let message = format!(
                "+y points {} here and {} in {first}: bring both to one direction",
                name(scene.y),
                name(whole.y)
            );
            return Err(Error::new(&file, message));
        }
        agree(&mut whole.gravity, scene.gravity)
            .ok_or_else(|| Error::new(&file, differs("gravity differs from that", "it")))?;
        agree(&mut whole.walls, scene.walls)
            .ok_or_else(|| Error::new(&file, differs("walls differ from those", "them")))?;
        let bits = renumber(&scene, &mut layers).map_err(|message| Error::new(&file, message))?;
        whole.files.push(file.clone());
        for collider in &mut scene.colliders {
            collider.origin.file = index as u32;
            collider.filter.layers = renumbered(collider.filter.layers, &bits);
            if collider.filter.mask != u64::MAX {
                collider.filter.mask = renumbered(collider.filter.mask, &bits);
            }
            if collider.filter.group != 0 {
                // Each collider has at most one group, and there are fewer than 2³² colliders.
                let next = groups.len() as u32 + 1;
                collider.filter.group = *groups.entry((index, collider.filter.group)).or_insert(next);
            }
            // The id of an image is the name of its file already.
            if index > 0 && collider.id != file {
                collider.id = format!("{file}:{}", collider.id);
                for name in [&mut collider.origin.name, &mut collider.origin.object].into_iter().flatten() {
                    *name = format!("{file}:{name}").into();
                }
            }
            if !ids.insert(collider.id.clone()) {
                let message = format!("the id \"{}\" would stand for two colliders: name each file once", collider.id);
                return Err(Error::new(&file, message));
            }
        }
        if index > 0 {
            scene.skipped.iter_mut().for_each(|r| r.object = format!("{file}:{}", r.object));
            scene.repaired.iter_mut().for_each(|r| r.object = format!("{file}:{}", r.object));
        }
        whole.colliders.append(&mut scene.colliders);
        whole.skipped.append(&mut scene.skipped);
        whole.repaired.append(&mut scene.repaired);
        whole.warnings.append(&mut scene.warnings);
        whole.ignored.append(&mut scene.ignored);
    }
    whole.layers = layers.into_names();
    Ok(whole)
}

fn name(y: crate::YAxis) -> &'static str {
    match y {
        crate::YAxis::Up => "up",
        crate::YAxis::Down => "down",
    }
}

/// Merges a setting of the scene. A file may leave it out, but two files must not contradict each
/// other.
fn agree<T: Copy + PartialEq>(whole: &mut Option<T>, part: Option<T>) -> Option<()> {
    let Some(part) = part else { return Some(()) };
    (*whole.get_or_insert_with(|| part) == part).then_some(())
}

fn differs(what: &str, it: &str) -> String {
    format!("its {what} of an earlier file: leave {it} out of one")
}

/// Returns the new bit for each bit of the scene. Bit 0 comes last, as a name gets it last.
fn renumber(scene: &Scene, layers: &mut Layers) -> Result<[u64; 64], String> {
    let mut bits = std::array::from_fn(|i| 1 << i);
    for i in (1..64).chain([0]) {
        if let Some(Some(name)) = scene.layers.get(i) {
            bits[i] = layers.bit(name)?;
        }
    }
    Ok(bits)
}

/// Replaces each bit of a set of layers by its bit in the merged scene.
fn renumbered(set: u64, bits: &[u64; 64]) -> u64 {
    (0..64).filter(|i| set >> i & 1 == 1).fold(0, |all, i| all | bits[i])
}
