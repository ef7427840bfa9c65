//! Serde: written values read back bit for bit. Input that is no shape, pose or world is an error
//! of the format.

use carom::broad_phase::Filter;
use carom::world::OneWay;
use carom::{Aabb, Collider, Contact, Handle, Manifold, Mask, Pose, Shape, World, collide};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::support::kinds::KINDS;

/// Through JSON, numbers as the shortest text that gives them back.
fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn refuses<T: DeserializeOwned>(text: &str, reason: &str) {
    match serde_json::from_str::<T>(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => assert!(error.to_string().contains(reason), "{text}: {error}"),
    }
}

fn shapes() -> Vec<Shape> {
    let ell = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let concave = Shape::polygon_with_holes(&ell, &[vec![[0.25, 0.25], [0.5, 0.25], [0.25, 0.5]]]).unwrap();
    let chain = Shape::closed_chain(&ell).unwrap().one_sided().unwrap();
    let mask = Shape::mask(Mask::from_rows(&["##.#", "#..#", "####"]).unwrap()).unwrap();
    let pose = Pose::new([0.1, -0.2], 0.3).unwrap();
    let compound =
        Shape::compound([(Shape::circle(0.3).unwrap(), pose), (concave.clone(), Pose::new([-1.0, 0.0], 2.0).unwrap())])
            .unwrap();
    let mut all = vec![
        Shape::circle(0.0).unwrap(),
        Shape::circle(1.0 / 3.0).unwrap(),
        Shape::capsule([1.0, 2.0], [1.0, 2.0], 0.5).unwrap(),
        Shape::capsule([1.0, 2.0], [-1.0, 0.1], 0.5).unwrap(),
        Shape::segment([0.0, 1e30], [2.0, -1e-300]).unwrap(),
        Shape::rectangle(0.1, 3.0).unwrap().rounded(0.1).unwrap(),
        Shape::rectangle(5e-324 * 2.0, 1e-310).unwrap(),
        Shape::polygon(&[[0.0, 0.0], [0.0, 1.0], [0.5, 1.0], [1.0, 1.0], [2.0, 0.0], [2.0, 0.0]]).unwrap(),
        Shape::ellipse(3.0, 1.0, 1e-3).unwrap().scaled(1.7, -0.3).unwrap(),
        concave.scaled(1.1, -0.7).unwrap(),
        compound.clone().rounded(0.1).unwrap().rounded(0.2).unwrap(),
        Shape::compound([(compound.clone(), pose), (chain.clone(), Pose::IDENTITY)]).unwrap(),
        mask.scaled(-0.5, 0.25).unwrap(),
    ];
    // Parts name the features of the whole.
    all.extend(
        [&chain, &concave, &compound].iter().flat_map(|shape| shape.parts().map(|(part, _)| part)).collect::<Vec<_>>(),
    );
    all.extend([concave, chain, compound, mask]);
    let mut dice = fastrand::Rng::with_seed(0x0a11);
    all.extend(KINDS.iter().map(|(_, make)| make(&mut dice)));
    all
}

#[test]
fn every_kind_of_shape_comes_back_bit_for_bit() {
    for shape in shapes() {
        let back = again(&shape);
        // Also compares the numbers of features, which equality ignores.
        assert_eq!(format!("{back:?}"), format!("{shape:?}"));
        let collider = Collider::new(shape)
            .pose(Pose::new([1.0, 2.0], 0.4).unwrap())
            .layers(u64::MAX, 6)
            .group(3)
            .user_data(u64::MAX);
        let collider = collider.one_way([0.3, -0.4]).unwrap().sensor(true);
        assert_eq!(again(&collider), collider);
        let collider = collider.contact_margin(0.1).unwrap();
        assert_eq!(again(&collider), collider);
    }
}

#[test]
fn shapes_are_written_as_they_are_made() {
    let text = |shape: &Shape| serde_json::to_string(shape).unwrap();
    assert_eq!(text(&Shape::circle(0.5).unwrap()), r#"{"circle":{"radius":0.5}}"#);
    assert_eq!(
        text(&Shape::rectangle(2.0, 1.0).unwrap().rounded(0.1).unwrap()),
        r#"{"rectangle":{"width":2.0,"height":1.0,"radius":0.1}}"#
    );
    let chain = Shape::chain(&[[0.0, 0.0], [1.0, 0.5], [2.0, 0.0]]).unwrap();
    assert_eq!(
        text(&chain),
        r#"{"chain":{"points":[[0.0,0.0],[1.0,0.5],[2.0,0.0]],"closed":false,"one_sided":false,"radius":0.0}}"#
    );
    assert!(text(&Shape::mask(Mask::from_rows(&["#"]).unwrap()).unwrap()).starts_with(r#"{"data":"#));
}

#[test]
fn plain_data_come_back_bit_for_bit() {
    let mut rng = fastrand::Rng::with_seed(0x5e7de);
    let (ball, block) = (Shape::circle(0.7).unwrap(), Shape::rectangle(1.0, 2.0).unwrap());
    let mut intersecting = 0;
    for _ in 0..500 {
        let pose = Pose::new([rng.f64() * 3.0, rng.f64() * 1e6 - 1e6], rng.f64() * 9.0).unwrap();
        assert_eq!(again(&pose), pose);
        let at = [pose.translation().x + rng.f64(), pose.translation().y + rng.f64()];
        let aabb = block.placed(pose).aabb();
        assert_eq!(again(&aabb), aabb);
        let manifold: Option<Manifold> =
            collide(block.placed(pose), if rng.bool() { ball.at(at) } else { block.at(at) }.unwrap());
        assert_eq!(again(&manifold), manifold);
        intersecting += usize::from(manifold.is_some());
        let one_way = OneWay::new([rng.f64() - 0.5, rng.f64()]).unwrap();
        assert_eq!(again(&one_way), one_way);
        let filter = Filter { layers: rng.u64(..), mask: rng.u64(..), group: rng.u32(..) };
        assert_eq!(again(&filter), filter);
        let handle = Handle::from_bits(rng.u64(..));
        assert_eq!(again(&handle), handle);
    }
    assert!(intersecting > 200, "{intersecting}");
}

#[test]
fn a_world_comes_back_as_it_was_and_goes_on_as_it_would() {
    let mut world = World::new();
    let handles: Vec<Handle> = shapes().into_iter().map(|shape| world.insert(Collider::new(shape))).collect();
    world.update();
    world.set_pose(handles[1], Pose::from_translation([0.5, 0.25]).unwrap()).unwrap();
    world.remove(handles[2]);
    let mut back = again(&world);
    assert_eq!((back.to_bytes(), back.state_hash()), (world.to_bytes(), world.state_hash()));
    world.update();
    back.update();
    assert_eq!(back.state_hash(), world.state_hash());
    let contacts: Vec<Contact> = world.contacts().map(|contact| contact.to_contact()).collect();
    for (contact, back) in contacts.iter().zip(again(&contacts)) {
        assert_eq!(
            (back.a, back.b, back.manifold, back.sensor),
            (contact.a, contact.b, contact.manifold, contact.sensor)
        );
    }
    assert!(contacts.len() > 20);
}

#[test]
fn invalid_data_are_refused_with_the_reason() {
    refuses::<Pose>(r#"{"translation":[0,0],"cos":1,"sin":1}"#, "must add up to 1");
    refuses::<Pose>(r#"{"translation":[1e31,0],"cos":1,"sin":0}"#, "1e31");
    refuses::<Pose>(r#"{"translation":[0,0],"cos":1,"sin":0,"angle":0}"#, "angle");
    refuses::<Aabb>(r#"{"min":[1,0],"max":[0,1]}"#, "swap them");
    refuses::<OneWay>(r#"{"front":[1,1]}"#, "length must be 1");
    let mut collider = serde_json::to_value(Collider::new(Shape::circle(1.0).unwrap())).unwrap();
    collider["contact_margin"] = serde_json::json!(-1.0);
    refuses::<Collider>(&collider.to_string(), "contact margin is -1");
    refuses::<Shape>(r#"{"circle":{"radius":-1}}"#, "radius");
    refuses::<Shape>(r#"{"circle":{"radius":null}}"#, "null");
    refuses::<Shape>(r#"{"rectangle":{"width":0,"height":1,"radius":0}}"#, "width");
    refuses::<Shape>(r#"{"polygon":{"points":[[0,0],[2,0],[0.5,0.5],[0,2]],"radius":0}}"#, "");
    refuses::<Shape>(r#"{"polygon":{"points":[[0,0],[1,1],[2,2]],"radius":0}}"#, "");
    refuses::<Shape>(r#"{"concave":{"rings":[],"radius":0}}"#, "outline");
    refuses::<Shape>(r#"{"concave":{"rings":[[[0,0],[2,2],[2,0],[0,2]]],"radius":0}}"#, "");
    refuses::<Shape>(r#"{"chain":{"points":[],"closed":false,"one_sided":false,"radius":0}}"#, "");
    refuses::<Shape>(r#"{"compound":{"children":[],"radius":0}}"#, "");
    refuses::<Shape>(r#"{"data":{"bytes":[1,2,3]}}"#, "damaged");
    refuses::<Shape>(r#"{"sphere":{"radius":1}}"#, "sphere");
    refuses::<Manifold>(r#"{"normal":[1,1],"depth":0,"part_a":0,"part_b":0,"points":[]}"#, "length must be 1");
    refuses::<Manifold>(r#"{"normal":[1,0],"depth":0,"part_a":0,"part_b":0,"points":[]}"#, "one or two");
    refuses::<World>("[99,97,114,111,109]", "damaged");
    // An empty world is no shape.
    let empty = serde_json::to_string(&World::new()).unwrap();
    refuses::<Shape>(&format!(r#"{{"data":{{"bytes":{empty}}}}}"#), "no shape");
    // One bit anywhere.
    let world = serde_json::to_value(World::new()).unwrap();
    let bytes: Vec<u8> = serde_json::from_value(world).unwrap();
    for bit in 0..bytes.len() * 8 {
        let mut broken = bytes.clone();
        broken[bit / 8] ^= 1 << (bit % 8);
        assert!(serde_json::from_value::<World>(serde_json::json!(broken)).is_err());
    }
}
