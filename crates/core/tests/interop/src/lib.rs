//! Every vector type that a feature of `carom` adds converts exactly, everywhere a point is taken.
#![cfg(test)]

use carom::decompose::{PolygonWithHoles, convex_hull, simplify};
use carom::response::{Particle, bounce};
use carom::{Aabb, Collider, DVec2, Error, IntoPoint, Pose, Ray, Shape, World};

/// Calls one function of each kind with points of a type: `[0, 0]`, `[4, 0]`, `[4, 2]`, `[0, 2]` and the axes.
fn takes<P: IntoPoint>(point: impl Fn(i8, i8) -> P) -> Result<(), Error> {
    let corners = [point(0, 0), point(4, 0), point(4, 2), point(0, 2)];
    assert_eq!(corners.map(IntoPoint::into_point), [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]].map(DVec2::from));

    let block = Shape::polygon(&corners)?;
    assert_eq!(block.mass_properties().area, 8.0);
    assert_eq!(Shape::closed_chain(&corners)?.points().len(), 4);
    assert_eq!(PolygonWithHoles::new(&corners, &[])?.convex_parts().len(), 1);
    assert_eq!(convex_hull(&corners)?.len(), 4);
    assert_eq!(simplify(&corners, 0.0)?.len(), 4);
    assert_eq!(Shape::segment(corners[0], corners[2])?.points()[1], DVec2::new(4.0, 2.0));

    let pose = Pose::from_degrees(corners[1], 90.0)?;
    assert_eq!(pose.transform_point(corners[2]), DVec2::new(2.0, 4.0));
    assert_eq!(Aabb::new(corners[0], corners[2])?.size(), DVec2::new(4.0, 2.0));
    assert_eq!(Ray::new(corners[1], point(0, 1))?.end(), DVec2::new(4.0, 1.0));
    assert!(block.at(corners[0])?.contains_point(corners[3])?);
    assert_eq!(bounce([point(1, 0), point(-1, 0)], [1.0, 1.0], point(1, 0), 1.0)?, [-DVec2::X, DVec2::X]);
    Particle::new(1.0)?.velocity(corners[2])?;

    let mut world = World::new();
    let handle = world.insert(Collider::new(block).at(corners[1])?);
    world.set_motion(handle, point(0, 3), 0.0)?;
    world.update();
    assert_eq!(world.containing_point(point(5, 4), u64::MAX)?, [handle]);
    Ok(())
}

/// A test for each type, by the expression that makes a point of two numbers.
macro_rules! takes {
    ($($name:ident: $make:expr;)*) => {$(
        #[test]
        fn $name() -> Result<(), Error> {
            takes($make)
        }
    )*};
}

takes! {
    glam_double: |x, y| glam::DVec2::new(x.into(), y.into());
    glam_single: |x, y| glam::Vec2::new(x.into(), y.into());
    mint_point_double: |x, y| mint::Point2::<f64> { x: x.into(), y: y.into() };
    mint_point_single: |x, y| mint::Point2::<f32> { x: x.into(), y: y.into() };
    mint_point_integer: |x, y| mint::Point2::<i32> { x: x.into(), y: y.into() };
    mint_vector_double: |x, y| mint::Vector2::<f64> { x: x.into(), y: y.into() };
    mint_vector_single: |x, y| mint::Vector2::<f32> { x: x.into(), y: y.into() };
    mint_vector_integer: |x, y| mint::Vector2::<i32> { x: x.into(), y: y.into() };
    nalgebra_point_double: |x, y| nalgebra::Point2::<f64>::new(x.into(), y.into());
    nalgebra_point_single: |x, y| nalgebra::Point2::<f32>::new(x.into(), y.into());
    nalgebra_point_integer: |x, y| nalgebra::Point2::<i32>::new(x.into(), y.into());
    nalgebra_vector_double: |x, y| nalgebra::Vector2::<f64>::new(x.into(), y.into());
    nalgebra_vector_single: |x, y| nalgebra::Vector2::<f32>::new(x.into(), y.into());
    nalgebra_vector_integer: |x, y| nalgebra::Vector2::<i32>::new(x.into(), y.into());
}

#[test]
fn single_precision_widens_exactly() {
    let tenth = DVec2::new(f64::from(0.1_f32), f64::from(-3.3e-41_f32));
    assert_eq!(glam::Vec2::new(0.1, -3.3e-41).into_point(), tenth);
    assert_eq!(mint::Vector2 { x: 0.1_f32, y: -3.3e-41 }.into_point(), tenth);
    assert_eq!(nalgebra::Point2::new(0.1_f32, -3.3e-41).into_point(), tenth);
}
