//! `--render`: converts the state of a replayed world to a scene, and draws it.
use carom::{Handle, World};
use carom_scene::draw::{Contact, Options, scene};
use carom_scene::{Scene, SceneCollider};

/// Names a handle by its slot and generation.
pub(super) fn id(handle: Handle) -> String {
    format!("{}.{}", handle.index(), handle.to_bits() >> 32)
}

/// Returns the colliders, and the contacts of the last frame between them.
pub(super) fn draw(world: &World) -> String {
    let there: Vec<_> = world.colliders().filter(|(_, collider)| collider.enabled).collect();
    let colliders = there.iter().map(|(handle, collider)| SceneCollider {
        filter: collider.filter,
        sensor: collider.sensor,
        fixed: collider.fixed,
        one_way: collider.one_way,
        ..SceneCollider::new(id(*handle), collider.shape.clone(), collider.pose)
    });
    let picture = Scene { colliders: colliders.collect(), ..Scene::default() };
    let index = |handle: Handle| there.binary_search_by_key(&handle, |(handle, _)| *handle).ok();
    let contacts = world.contacts().filter_map(|contact| {
        let all = contact.manifolds();
        let points = all.flat_map(|manifold| manifold.points().to_vec()).collect();
        Some(Contact { a: index(contact.a)?, b: index(contact.b)?, manifold: contact.manifold(), points })
    });
    scene(&picture, &contacts.collect::<Vec<_>>(), &Options::default())
}
