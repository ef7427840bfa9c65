//! Functions take points of every type without a feature, exactly (P30). Literals need no type.

use carom::{Aabb, Collider, DVec2, Error, Event, IntoPoint, Pose, Ray, Shape, World};

#[test]
fn literals_infer() -> Result<(), Error> {
    let pairs: [Result<Shape, Error>; 6] = [
        Shape::polygon(&[[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]),
        Shape::polygon(&[[0, 0], [2, 0], [0, 2]]),
        Shape::polygon(&[(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)]),
        Shape::polygon(&[(0, 0), (2, 0), (0, 2)]),
        Shape::polygon(&Vec::from([[0., 0.], [2., 0.], [0., 2.]])),
        Shape::polygon(&[[0, 0], [2, 0], [0, 2]].map(|[x, y]| [f64::from(x), f64::from(y)])),
    ];
    for shape in pairs {
        assert_eq!(shape?.mass_properties().area, 2.0);
    }
    assert_eq!(Shape::segment([0.0, 1.0], (2, 3))?, Shape::segment((0, 1), [2.0, 3.0])?);
    assert_eq!(Pose::new([1, 2], 0.0)?, Pose::new([1.0, 2.0], 0.0)?);
    assert_eq!(Ray::new([0, 0], [1.0, -1.0])?.end(), DVec2::new(1.0, -1.0));
    assert_eq!(Aabb::new([0, 0], [1, 1])?, Aabb::new([0.0, 0.0], (1.0, 1.0))?);

    let mut world = World::new();
    let handle = world.insert(Collider::new(Shape::circle(1.0)?).at([0, 3])?);
    world.set_motion(handle, [0.0, -1.0], 0.0)?;
    assert_eq!(world.containing_point((0, 3), u64::MAX)?, [handle]);
    Ok(())
}

#[test]
fn every_type_converts_exactly() {
    let [x, y] = [0.1_f32, -3.3e-41];
    let wide = DVec2::new(f64::from(x), f64::from(y));
    assert_eq!([x, y].into_point(), wide);
    assert_eq!((x, y).into_point(), wide);
    assert_eq!(glam::Vec2::new(x, y).into_point(), wide);
    assert_eq!([wide.x, wide.y].into_point(), wide);
    assert_eq!((wide.x, wide.y).into_point(), wide);
    assert_eq!(wide.into_point(), wide);
    let ends = DVec2::new(f64::from(i32::MIN), f64::from(i32::MAX));
    assert_eq!([i32::MIN, i32::MAX].into_point(), ends);
    assert_eq!((i32::MIN, i32::MAX).into_point(), ends);
    assert_eq!(IntoPoint::into_points(&[[i32::MIN, i32::MAX]]), [ends].as_slice());
    assert_eq!(IntoPoint::into_points(&[ends]), [ends].as_slice());
}

/// `Event::Begin` and `Event::End` match borrowed events and copied events.
#[test]
fn one_pattern_matches_both_kinds_of_events() -> Result<(), Error> {
    let mut world = World::new();
    let [a, b] = [0.0, 1.5].map(|x| world.insert(Collider::new(Shape::circle(1.0).unwrap()).at([x, 0.0]).unwrap()));
    world.update();
    let begins = |world: &mut World| {
        let borrowed = world.events().filter(|event| matches!(event, Event::Begin(contact) if contact.b == b)).count();
        let kept: Vec<Event> = world.take_events().filter(Event::is_begin).collect();
        (borrowed, kept.iter().filter(|event| matches!(event, Event::Begin(contact) if contact.b == b)).count())
    };
    assert_eq!(begins(&mut world), (1, 1));
    world.set_position(a, [-9.0, 0.0])?;
    world.update();
    assert_eq!(begins(&mut world), (0, 0));
    assert!(world.take_events().all(|event| matches!(event, Event::End(contact) if contact.b == b)));
    assert_eq!(world.position(a), Some(DVec2::new(-9.0, 0.0)));
    Ok(())
}
