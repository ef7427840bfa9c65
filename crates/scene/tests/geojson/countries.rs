//! The sample map of the repository.

use super::scene;

/// The sample of the repository: neighbouring countries share their border vertices, so they touch
/// and do not overlap.
#[test]
fn countries_touch() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/countries.geojson");
    let scene = scene(&std::fs::read_to_string(path).unwrap());
    let placed: Vec<_> = scene.colliders.iter().map(|c| c.shape.placed(c.pose)).collect();
    let index = |id: &str| scene.colliders.iter().position(|c| c.id == id).unwrap();
    let mut borders = 0;
    for i in 0..placed.len() {
        for j in 0..i {
            assert!(!carom::overlaps(placed[i], placed[j]), "{} and {}", scene.colliders[i].id, scene.colliders[j].id);
            borders += usize::from(carom::intersects(placed[i], placed[j]));
        }
    }
    // Counted on a map: South Africa has 6 neighbours. Lesotho lies in a hole of it.
    let neighbours = |id: &str| {
        (0..placed.len()).filter(|&i| i != index(id) && carom::intersects(placed[i], placed[index(id)])).count()
    };
    assert_eq!((scene.colliders.len(), neighbours("South Africa"), neighbours("Lesotho")), (12, 6, 1));
    assert_eq!(borders, 25);
    assert_eq!(
        scene.colliders[index("South Africa")].shape.children()[0].0.rings().count()
            + scene.colliders[index("South Africa")].shape.children()[1].0.rings().count(),
        3
    );
}
