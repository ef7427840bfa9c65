//! Rays: the decision is exact, the time is close, and one rule holds for rays that start inside
//! (P3, P7, P8).

mod chains_and_outlines;
mod every_shape;
mod limits;
mod rules;
mod seams;
mod tiles;
mod whole;

use carom::{IntoPoint, Ray, RayHit, Shape};

pub(crate) fn ray(from: impl IntoPoint, translation: impl carom::IntoPoint) -> Ray {
    Ray::new(from, translation).unwrap()
}

/// Returns the capsule that a ray with radius sweeps.
pub(crate) fn capsule(ray: &Ray) -> Shape {
    Shape::capsule(ray.origin(), ray.end(), ray.radius()).unwrap()
}

pub(crate) fn expect_sane(ray: &Ray, hit: &RayHit, story: &str) {
    assert!((0.0..=1.0).contains(&hit.time) && hit.point.is_finite(), "{story}: {hit:?}");
    assert!((hit.normal.length() - 1.0).abs() < 1e-14, "unit: {story}: {hit:?}");
    let length = (ray.end() - ray.origin()).length();
    assert!(hit.normal.dot(ray.end() - ray.origin()) <= 1e-7 * length, "against the ray: {story}: {hit:?}");
}
