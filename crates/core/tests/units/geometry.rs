//! Families of shapes, pairs, batches, rays and polygons.

use carom::batch::{Batch, Contacts};
use carom::decompose::{Contour, FillRule, PolygonWithHoles, convex_hull, repair, simplify, simplify_contours};
use carom::explain::explain_gjk;
use carom::internal_edges::surface_contacts;
use carom::query::{
    DistanceCache, PreparedOutline, collide_within, distance_cached, manifolds_within, overlap_region,
    time_of_impact_within, within_distance,
};
use carom::{DVec2, Placed, Ray, Shape, collide, contains, distance, explain_sat, intersects, overlaps, ray_cast};

use super::unit::{Results, Unit};

pub(super) fn shapes(unit: &mut Unit, out: &mut Results) {
    let shape = unit.shape();
    let mass = shape.mass_properties();
    out.area("area", mass.area);
    out.point("centroid", mass.centroid);
    out.of_degree("inertia", 4, mass.inertia);
    let (placed, point) = (shape.placed(unit.pose(4.0)), unit.point(4.0));
    out.point("box", placed.aabb().min());
    out.point("box", placed.aabb().max());
    out.point("support point", placed.support_point(unit.point(1.0)));
    out.count("contains point", placed.contains_point(point).unwrap().into());
    out.length("signed distance", placed.signed_distance(point).unwrap());
    let boundary = placed.closest_boundary_point(point).unwrap();
    out.point("boundary point", boundary.point);
    out.direction("boundary normal", boundary.normal);
    let [width, height] = [unit.length(0.5, 4.0), unit.length(0.5, 4.0)];
    let ellipse = Shape::ellipse(width, height, unit.of(0.01)).unwrap();
    out.count("ellipse", ellipse.points().len());
    let scaled = unit.convex().scaled(1.5, 1.5).unwrap().rounded(unit.of(0.5)).unwrap();
    out.area("area of a rounded shape", scaled.mass_properties().area);
}

pub(super) fn pairs_of_shapes(unit: &mut Unit, out: &mut Results) {
    let both = unit.shapes(2);
    let [a, b] = [0, 1].map(|i| both[i].0.placed(both[i].1));
    out.count("intersects", intersects(a, b).into());
    out.count("overlaps", overlaps(a, b).into());
    out.count("contains", contains(a, b).into());
    if let Some(found) = collide(a, b) {
        out.manifold("collide", &found);
    }
    if let Some(found) = collide_within(a, b, unit.of(2.0)) {
        out.manifold("collide within", &found);
    }
    let mut manifolds = Vec::new();
    manifolds_within(a, b, unit.of(1.0), &mut manifolds);
    for found in &manifolds {
        out.manifold("manifolds", found);
    }
    let gap = distance(a, b);
    out.length("distance", gap.distance);
    if gap.distance > 0.0 {
        out.point("closest point", gap.point_a);
    }
    out.length("cached distance", distance_cached(a, b, &mut DistanceCache::default()).distance);
    out.count("within distance", within_distance(a, b, unit.of(1.5)).into());
    let region = overlap_region(a, b, unit.of(0.01));
    out.area("area of overlap", region.area());
    if let Some(centroid) = region.centroid() {
        out.point("centroid of overlap", centroid);
    }
    let sat = explain_sat(a, b);
    out.length("SAT", sat.depth().unwrap_or(-sat.distance()));
    out.length("GJK", explain_gjk(a, b).distance());
    surface_contacts_of(unit, [a, b], out);
    let sweep = a.sweep(unit.point(8.0)).unwrap().with_rotation(0.3).unwrap();
    out.after_cast();
    if let Some(impact) = time_of_impact_within(sweep, b, unit.of(0.25)) {
        out.number("impact", impact.time);
        out.direction("impact", impact.normal);
    }
}

fn surface_contacts_of(unit: &Unit, [a, b]: [Placed<'_>; 2], out: &mut Results) {
    let mut contacts = Vec::new();
    surface_contacts(a, &[b], unit.of(1.0), &mut contacts);
    for contact in &contacts {
        out.manifold("surface contact", &contact.manifold);
    }
}

pub(super) fn batches(unit: &mut Unit, out: &mut Results) {
    let mut batch = Batch::new();
    for _ in 0..8 {
        let id = batch.add_shape(&unit.convex());
        batch.add_instance(id, unit.pose(3.0)).unwrap();
    }
    let all: Vec<[u32; 2]> = (0..8).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
    let (mut contacts, mut answers) = (Contacts::new(), Vec::new());
    batch.intersects(&all, &mut answers).unwrap();
    for &answer in &answers {
        out.count("batch intersects", answer.into());
    }
    batch.collide(&all, &mut contacts).unwrap();
    for &i in contacts.pair_indices() {
        out.count("batch pair", i as usize);
    }
    for &depth in contacts.depths() {
        out.length("batch depth", depth);
    }
    for &x in contacts.normals()[0] {
        out.number("batch normal", x);
    }
}

pub(super) fn rays(unit: &mut Unit, out: &mut Results) {
    let (shape, pose) = (unit.shape(), unit.pose(2.0));
    let placed = shape.placed(pose);
    for _ in 0..4 {
        let ray = Ray::new(unit.point(8.0), unit.point(16.0)).unwrap();
        for ray in [ray, ray.hollow(), ray.with_radius(unit.of(0.5)).unwrap()] {
            let hit = ray_cast(ray, placed);
            out.count("ray", hit.is_some().into());
            if let Some(hit) = hit {
                out.number("time of ray", hit.time);
                out.point("point of ray", hit.point);
                out.direction("normal of ray", hit.normal);
            }
        }
    }
}

pub(super) fn decompositions(unit: &mut Unit, out: &mut Results) {
    let corners = unit.dice.count(5, 24);
    let (outline, hole) = (unit.star(corners, 6.0), unit.star(5, 0.6));
    let polygon = PolygonWithHoles::new(&outline, std::slice::from_ref(&hole)).unwrap();
    for &i in polygon.triangles().iter().flatten() {
        out.count("triangle", i as usize);
    }
    for &i in polygon.convex_parts().indices() {
        out.count("part", i as usize);
    }
    let simple = PolygonWithHoles::new(&outline, &[]).unwrap();
    out.count("optimal parts", simple.optimal_convex_parts().unwrap().len());
    for &p in simple.simplified(unit.of(1.0)).unwrap().points() {
        out.point("simplified", p);
    }
    for p in simplify(&outline, unit.of(1.0)).unwrap() {
        out.point("simplify", p);
    }
    let contour = Contour { outer: outline.clone(), holes: vec![hole.into_iter().rev().collect()] };
    out.area("area of contour", contour.area());
    out.length("perimeter", contour.perimeter());
    let fewer = simplify_contours(&[contour], unit.of(0.5)).unwrap();
    for &p in fewer[0].rings().flatten() {
        out.point("contour", p);
    }
    for i in convex_hull(&outline).unwrap() {
        out.count("hull", i as usize);
    }
    let crossing: Vec<DVec2> = (0..9).map(|_| unit.point(4.0)).collect();
    let repaired = repair(&[crossing], FillRule::EvenOdd).unwrap();
    for &p in repaired.polygons.iter().flat_map(PolygonWithHoles::points) {
        out.point("repair", p);
    }
    let both = [(outline, unit.pose(1.0)), (unit.star(7, 5.0), unit.pose(3.0))]
        .map(|(points, pose)| (Shape::polygon(&points).unwrap(), pose));
    let [p, q] = [0, 1].map(|i| PreparedOutline::new(both[i].0.placed(both[i].1)).unwrap());
    out.count("relation", p.relation(&q) as usize);
    out.area("area of intersection", p.pair(&q).intersection_area());
    out.length("border", p.pair(&p).border_length());
}
