//! SVG drawings become the scene that the specification describes. Expected numbers are computed
//! from it by hand.
mod errors;
mod hostile;
mod names;
mod paths;
mod placement;
mod shapes;
use carom::{DVec2, ShapeKind};
use carom_scene::{Error, Options, Scene, SceneCollider};

fn read_with(svg: &str, options: &Options) -> Result<Scene, Error> {
    carom_scene::read("drawing.svg", svg.as_bytes(), options, &mut |path| panic!("{path} was asked for"))
}

/// Reads a drawing without errors.
fn read(svg: &str) -> Scene {
    match read_with(svg, &Options::default()) {
        Ok(scene) => scene,
        Err(error) => panic!("{error}\n{svg}"),
    }
}

/// Returns a drawing of 100 by 100 units.
fn drawing(content: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">{content}</svg>"#
    )
}

/// Returns the only collider of a drawing with this content.
fn only(content: &str) -> SceneCollider {
    let mut scene = read(&drawing(content));
    assert_eq!(scene.colliders.len(), 1, "{content}");
    scene.colliders.remove(0)
}

fn points(collider: &SceneCollider) -> Vec<DVec2> {
    let points: Vec<DVec2> = collider.shape.points().to_vec();
    points.into_iter().map(|p| collider.pose.transform_point(p)).collect()
}

/// Asserts that the collider has these points, in this order, up to 1e-12.
fn assert_points(collider: &SceneCollider, expected: &[[f64; 2]]) {
    let found = points(collider);
    let near =
        found.len() == expected.len() && found.iter().zip(expected).all(|(p, q)| p.distance(DVec2::from(*q)) <= 1e-12);
    assert!(near, "{}: {found:?} should be {expected:?}", collider.id);
}

/// Returns centre, radius and kind of a circle.
fn assert_circle(collider: &SceneCollider, centre: [f64; 2], radius: f64) {
    assert_eq!(collider.shape.kind(), ShapeKind::Circle, "{}", collider.id);
    assert_eq!((collider.pose.translation(), collider.shape.radius()), (centre.into(), radius), "{}", collider.id);
}
