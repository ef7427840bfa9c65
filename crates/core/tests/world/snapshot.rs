//! Snapshots: small, complete, for every shape. Damaged snapshots are refused.

use std::fs;
use std::path::Path;

use carom::{Collider, DVec2, ErrorKind, Mask, Pose, Shape, World};

/// One of each kind, and those whose bits depend on how they were made.
pub(super) fn shapes() -> Vec<Shape> {
    let ell = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let chain = Shape::closed_chain(&ell).unwrap().one_sided().unwrap();
    let concave = Shape::polygon_with_holes(&ell, &[vec![[0.25, 0.25], [0.5, 0.25], [0.25, 0.5]]]).unwrap();
    let clockwise = Shape::polygon(&[[0.0, 0.0], [0.0, 1.0], [0.5, 1.0], [1.0, 1.0], [2.0, 0.0], [2.0, 0.0]]).unwrap();
    let compound = Shape::compound([
        (Shape::circle(0.3).unwrap(), Pose::new([0.1, 0.2], 0.3).unwrap()),
        (concave.clone(), Pose::new([-1.0, 0.0], 2.0).unwrap()),
    ]);
    let compound = compound.unwrap().rounded(0.1).unwrap().rounded(0.2).unwrap();
    let nested =
        Shape::compound([(compound.clone(), Pose::new([0.7, 0.0], 1.1).unwrap()), (chain.clone(), Pose::IDENTITY)])
            .unwrap();
    let mask = Shape::mask(Mask::from_rows(&["##.#", "#..#", "####"]).unwrap()).unwrap();
    let mut all = vec![
        Shape::circle(0.0).unwrap(),
        Shape::circle(1.5).unwrap(),
        Shape::capsule([1.0, 2.0], [1.0, 2.0], 0.5).unwrap(),
        Shape::segment([0.0, 1.0], [2.0, -1.0]).unwrap(),
        Shape::rectangle(1.0, 3.0).unwrap().rounded(0.1).unwrap(),
        clockwise,
        Shape::ellipse(3.0, 1.0, 1e-3).unwrap().scaled(1.7, -0.3).unwrap(),
        mask.scaled(-0.5, 0.25).unwrap(),
        mask.scaled(2.0, 2.0).unwrap().rounded(0.3).unwrap(),
        nested,
    ];
    // Parts name the features of the whole.
    let parts: Vec<Shape> =
        [&chain, &concave, &compound].iter().flat_map(|shape| shape.parts().map(|(part, _)| part)).collect();
    all.extend(parts);
    all.extend([chain, concave, compound, mask]);
    all
}

fn crowd(count: usize, seed: u64) -> (World, Vec<carom::Handle>) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let side = (count as f64).sqrt() * 1.2;
    let mut world = World::new();
    let position = |rng: &mut fastrand::Rng| DVec2::new(rng.f64(), rng.f64()) * side;
    let ball = Shape::circle(0.5).unwrap();
    let handles =
        (0..count).map(|_| world.insert(Collider::new(ball.clone()).at(position(&mut rng)).unwrap())).collect();
    (world, handles)
}

#[test]
fn every_kind_of_shape_comes_back_bit_for_bit() {
    for shape in shapes() {
        let mut world = World::new();
        let handle = world.insert(
            Collider::new(shape.clone()).pose(Pose::new([1.0, 2.0], 0.4).unwrap()).group(3).user_data(u64::MAX),
        );
        let back = World::from_bytes(&world.to_bytes()).unwrap();
        assert_eq!(back.get(handle), world.get(handle));
        // Equality ignores the numbers of features in contacts.
        assert_eq!(format!("{:?}", back.shape(handle)), format!("{:?}", world.shape(handle)));
    }
}

#[test]
fn a_restored_world_goes_on_as_the_one_that_was_saved() {
    let (mut world, handles) = crowd(150, 5);
    let mut rng = fastrand::Rng::with_seed(6);
    let moves = |world: &mut World, rng: &mut fastrand::Rng| {
        for &handle in &handles {
            let at = world.pose(handle).unwrap().translation() + DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5);
            world.set_pose(handle, Pose::new(at, rng.f64()).unwrap()).unwrap();
        }
        world.update();
    };
    (0..5).for_each(|_| moves(&mut world, &mut rng));
    // Moved since the update: the contacts that the next one ends must come along.
    world.set_pose(handles[7], Pose::from_translation([900.0, 0.0]).unwrap()).unwrap();
    let mut restored = World::from_bytes(&world.to_bytes()).unwrap();
    assert!(world.contacts().len() > 0 && restored.contacts().eq(world.contacts()));
    assert_eq!(restored.events().collect::<Vec<_>>(), world.events().collect::<Vec<_>>());
    for frame in 0..1000 {
        let mut same = rng.clone();
        moves(&mut world, &mut rng);
        moves(&mut restored, &mut same);
        // They drift apart where they would; the first frames tell most.
        if frame > 20 && frame % 50 != 49 {
            continue;
        }
        assert_eq!(restored.state_hash(), world.state_hash(), "frame {frame}");
        assert_eq!(restored.events().collect::<Vec<_>>(), world.events().collect::<Vec<_>>());
    }
}

#[test]
fn a_circle_takes_at_most_200_bytes() {
    let (mut world, handles) = crowd(1000, 8);
    world.update();
    let touching = world.contacts().len();
    let settled = world.to_bytes().len() / 1000;
    // The worst case: everything moved since, so every contact is stored whole.
    for &handle in &handles {
        let at = world.pose(handle).unwrap().translation();
        world.set_pose(handle, Pose::new(at, 1.0).unwrap()).unwrap();
    }
    let moved = world.to_bytes().len() / 1000;
    println!("{settled} bytes a circle, {moved} with all in motion; {touching} contacts");
    assert!(touching > 800 && settled <= 50 && moved <= 200, "{settled} {moved} {touching}");
}

/// Bytes that carom wrote before there were contact margins: a one-way plank, and a ball on it that
/// moved after the update.
#[test]
fn bytes_of_version_1_are_read() {
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/snapshot-version-1.bin")).unwrap();
    let mut world = World::from_bytes(&bytes).unwrap();
    assert_eq!((world.len(), world.contacts().len(), world.default_contact_margin()), (2, 1, 0.0));
    // Only the version and the hash of the bytes differ.
    let again = world.to_bytes();
    assert_eq!((again[6], &again[7..again.len() - 8]), (2, &bytes[7..bytes.len() - 8]));
    world.update();
    assert_eq!(world.contacts().next().unwrap().depth, 0.25);
    for version in [0, 3, u8::MAX] {
        let mut other = bytes.clone();
        other[6] = version;
        assert_eq!(World::from_bytes(&other).unwrap_err().kind(), ErrorKind::UnknownVersion);
    }
}

#[test]
fn damage_is_found_and_changes_nothing() {
    let (mut world, handles) = crowd(12, 9);
    world.update();
    world.remove(handles[3]);
    world.insert(Collider::new(shapes().pop().unwrap()));
    world.set_pair_enabled(handles[0], handles[1], false).unwrap();
    let bytes = world.to_bytes();
    let mut other = World::new();
    other.insert(Collider::new(Shape::circle(1.0).unwrap()));
    let before = other.to_bytes();
    for cut in 0..bytes.len() {
        assert_eq!(other.restore(&bytes[..cut]).unwrap_err().kind(), ErrorKind::InvalidData);
    }
    for bit in 0..bytes.len() * 8 {
        let mut broken = bytes.clone();
        broken[bit / 8] ^= 1 << (bit % 8);
        let kind = other.restore(&broken).unwrap_err().kind();
        assert!(kind == ErrorKind::InvalidData || (kind == ErrorKind::UnknownVersion && bit / 8 == 6));
    }
    assert_eq!(other.to_bytes(), before);
    other.restore(&bytes).unwrap();
    assert_eq!(other.to_bytes(), bytes);
}
