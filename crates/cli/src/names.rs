//! Finds the collider that a name on the command line stands for.
use carom_scene::{Scene, SceneCollider};

use crate::suggest;

/// Returns the index of a collider. The name is one of these, in this order:
///
/// - `#49`: the file's own number 49, or in a file without numbers the index;
/// - an id as `carom check` prints it;
/// - a name that only one object has.
///
/// If several objects have the name, it alone is an error that lists them. `crate#1` is the first.
pub(crate) fn find(scene: &Scene, name: &str) -> Result<usize, String> {
    if let Some(number) = name.strip_prefix('#').and_then(|number| number.parse().ok()) {
        return numbered(scene, name, number);
    }
    let all = || scene.colliders.iter().enumerate();
    let object = |collider: &SceneCollider| collider.origin.object.as_deref() == Some(name);
    let same: Vec<usize> = all().filter(|(_, c)| c.origin.name.as_deref() == Some(name)).map(|(i, _)| i).collect();
    let exact = all().find(|(_, c)| c.id == name).map(|(i, _)| i);
    let parts: Vec<usize> = all().filter(|(_, c)| object(c)).map(|(i, _)| i).collect();
    match (exact, same.as_slice(), parts.as_slice()) {
        (_, [_, _, ..], _) => Err(several(scene, name, &same)),
        (Some(index), ..) | (None, &[index], _) => Ok(index),
        (_, _, [_, ..]) => Err(several(scene, name, &parts)),
        _ => first(scene, name).ok_or_else(|| {
            let ids: Vec<&str> = scene.colliders.iter().map(|collider| collider.id.as_str()).collect();
            format!("no shape has the id `{name}`: {}", suggest::known(name, &ids, "the scene is empty"))
        }),
    }
}

/// `name#1`: the first object with a repeated name.
fn first(scene: &Scene, name: &str) -> Option<usize> {
    let name = name.strip_suffix("#1")?;
    scene.colliders.iter().position(|collider| collider.origin.name.as_deref() == Some(name))
}

fn numbered(scene: &Scene, name: &str, number: u32) -> Result<usize, String> {
    let has_numbers = scene.colliders.iter().any(|collider| collider.origin.number.is_some());
    let is_it = |(_, collider): &(usize, &SceneCollider)| {
        if has_numbers { collider.origin.number == Some(number) } else { collider.id == name }
    };
    let found: Vec<usize> = scene.colliders.iter().enumerate().filter(is_it).map(|(index, _)| index).collect();
    match *found.as_slice() {
        [index] => Ok(index),
        [_, _, ..] => Err(several(scene, name, &found)),
        [] if !has_numbers && (number as usize) < scene.colliders.len() => Ok(number as usize),
        [] => {
            let what = if has_numbers { "number" } else { "index" };
            Err(format!("no shape has the {what} {number}: use an id that `carom check` prints"))
        }
    }
}

/// Lists the colliders that a name could stand for.
fn several(scene: &Scene, name: &str, found: &[usize]) -> String {
    const SHOWN: usize = 8;
    let ids: Vec<String> = found.iter().take(SHOWN).map(|&i| format!("`{}`", scene.colliders[i].id)).collect();
    let more = if found.len() > SHOWN { format!(" and {} more", found.len() - SHOWN) } else { String::new() };
    let first = &scene.colliders[found[0]];
    let number = first.origin.number.map_or(String::new(), |number| format!(", or the number of the file `#{number}`"));
    let advice = if first.id == name { format!("; write `{name}#1` for the first{number}") } else { String::new() };
    format!("`{name}` stands for {} shapes: {}{more}{advice}", found.len(), ids.join(", "))
}

/// Returns the colliders on the layer of this name. If there is none, upper and lower case do not
/// matter.
pub(crate) fn on_layer(scene: &Scene, name: &str) -> Vec<usize> {
    let find = |is_it: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let on = |(_, c): &(usize, &SceneCollider)| scene.layers_of(c).any(|layer| is_it(&layer));
        scene.colliders.iter().enumerate().filter(on).map(|(index, _)| index).collect()
    };
    let exact = find(&|layer| layer == name);
    if exact.is_empty() { find(&|layer| layer.eq_ignore_ascii_case(name)) } else { exact }
}

#[cfg(test)]
mod tests {
    use super::{find, on_layer};
    use carom_scene::{Options, Scene};

    fn scene(objects: &str) -> Scene {
        let map = format!(
            r#"<map orientation="orthogonal" width="1" height="1" tilewidth="8" tileheight="8"><objectgroup name="Things">{objects}</objectgroup></map>"#
        );
        carom_scene::read("map", map.as_bytes(), &Options::default(), &mut |_| unreachable!("no other file")).unwrap()
    }

    #[test]
    fn names_numbers_and_repeats() {
        let scene = scene(
            r#"<object id="49" name="crate"/><object id="50" name="crate"/><object id="2" name="small crate"/><object id="1"/>"#,
        );
        assert_eq!(find(&scene, "small crate"), Ok(2));
        assert_eq!(find(&scene, "crate#2"), Ok(1));
        assert_eq!(find(&scene, "crate#1"), Ok(0));
        assert_eq!(find(&scene, "#50"), Ok(1));
        assert_eq!(find(&scene, "1"), Ok(3));
        let message = find(&scene, "crate").unwrap_err();
        assert_eq!(
            message,
            "`crate` stands for 2 shapes: `crate`, `crate#2`; write `crate#1` for the first, or the number of the \
             file `#49`"
        );
        assert_eq!(find(&scene, "#3").unwrap_err(), "no shape has the number 3: use an id that `carom check` prints");
        assert!(find(&scene, "smal crate").unwrap_err().contains("did you mean `small crate`"));
        assert_eq!((on_layer(&scene, "things").len(), on_layer(&scene, "Thing").len()), (4, 0));
    }

    #[test]
    fn without_numbers_the_index_counts() {
        let json = br#"{"carom": 1, "colliders": [{"id": "a", "shape": {"circle": {"radius": 1}}}, {"shape": {"circle": {"radius": 1}}}]}"#;
        let scene = carom_scene::read("s", json, &Options::default(), &mut |_| unreachable!("no other file")).unwrap();
        assert_eq!([find(&scene, "#0"), find(&scene, "#1"), find(&scene, "a")], [Ok(0), Ok(1), Ok(0)]);
        assert!(find(&scene, "#2").is_err());
    }
}
