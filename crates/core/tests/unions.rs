//! Composites overlap as unions: the answer never depends on how a shape is cut into parts.

mod support;

use carom::{Mask, Placed, Pose, Shape, collide, distance, explain, intersects, manifolds, overlaps, time_of_impact};
use support::exact::{self, Relation};
use support::union::{Lattice, Union, lines_cross, share_a_stretch};

type Dice = fastrand::Rng;

/// An L of side 4 whose parts meet along the diagonal from (0, 0) to (2, 2).
fn ell() -> Shape {
    Shape::concave(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]], &[]).unwrap()
}

/// What all pair queries agree on: overlapping ⇔ depth > 0, touching ⇔ depth 0. The depth, none if apart.
fn agreed_depth(a: Placed<'_>, b: Placed<'_>, name: &str) -> Option<f64> {
    let found = collide(a, b);
    let (meet, overlap) = (intersects(a, b), overlaps(a, b));
    assert_eq!((intersects(b, a), overlaps(b, a)), (meet, overlap), "{name}");
    for m in [found, collide(b, a)] {
        assert_eq!((m.is_some(), m.is_some_and(|m| m.depth > 0.0)), (meet, overlap), "{name}: {m:?}");
    }
    let mut all = Vec::new();
    manifolds(a, b, &mut all);
    let deepest = all.iter().copied().reduce(|p, q| if q.depth > p.depth { q } else { p });
    assert_eq!(deepest, found, "{name}: the deepest of {all:?}");
    let why = explain(a, b);
    assert_eq!((why.overlaps(), why.intersects()), (overlap, meet), "{name}");
    let start = time_of_impact(a, b).and_then(|hit| hit.initial_depth);
    assert_eq!(start, found.map(|m| m.depth).filter(|&depth| depth > 0.0), "{name}");
    assert_eq!(distance(a, b).distance == 0.0, meet, "{name}");
    found.map(|m| m.depth)
}

/// `b` moved along the normal by its depth times a factor overlaps `a` if and only if the factor is below 1.
fn leads_out(a: Placed<'_>, b: Placed<'_>, name: &str) {
    let found = collide(a, b).unwrap();
    assert!((found.normal.length() - 1.0).abs() < 1e-15, "{name}");
    for (factor, expected) in [(1.0 - 1e-6, true), (1.0 + 1e-9, false)] {
        let at = b.pose().translation() + found.mtv() * factor + found.normal * if expected { 0.0 } else { 1e-14 };
        let moved = b.shape().placed(b.pose().moved_to(at).unwrap());
        assert_eq!(overlaps(a, moved), expected, "{name}: {found:?} times {factor}");
    }
    for point in found.points() {
        let on = [(a, point.on_a), (b, point.on_b)].map(|(placed, at)| placed.signed_distance(at).unwrap().abs());
        assert!(on[0] < 1e-12 && on[1] < 1e-12, "{name}: {point:?} is off by {on:?}");
    }
}

#[test]
fn the_reported_pairs_overlap() {
    let (ell, point) = (ell(), Shape::circle(0.0).unwrap());
    let a = ell.at([0.0, 0.0]).unwrap();
    let depth = |shape: &Shape, at: [f64; 2]| {
        let b = shape.at(at).unwrap();
        let depth = agreed_depth(a, b, "the L").unwrap();
        if depth > 0.0 {
            leads_out(a, b, "the L");
        }
        depth
    };
    assert_eq!(depth(&point, [1.0, 1.0]), 1.0);
    // The ends of the diagonal are on the boundary.
    assert_eq!((depth(&point, [0.0, 0.0]), depth(&point, [2.0, 2.0])), (0.0, 0.0));
    let through = Shape::segment([-1.0, -1.0], [3.0, 3.0]).unwrap();
    // Sideways past the corner (4, 0).
    assert!((depth(&through, [0.0, 0.0]) - 8.0_f64.sqrt()).abs() < 1e-14);

    let mask = Shape::mask(Mask::from_rows(&["##", "#."]).unwrap()).unwrap();
    let (mask, middle) = (mask.at([0.0, 0.0]).unwrap(), point.at([0.5, 0.5]).unwrap());
    assert_eq!(agreed_depth(mask, middle, "the mask"), Some(0.5));

    let post = Shape::chain(&[[0.0, -1.0], [0.0, 0.0], [0.0, 1.0]]).unwrap();
    let (post, bar) = (post.at([0.0, 0.0]).unwrap(), Shape::segment([-1.0, 0.0], [2.0, 0.0]).unwrap());
    assert_eq!(agreed_depth(post, bar.at([0.0, 0.0]).unwrap(), "the post"), Some(1.0));
    leads_out(post, bar.at([0.0, 0.0]).unwrap(), "the post");
}

/// A shape and the same set of points as outlines on the lattice.
struct Sample {
    shape: Shape,
    union: Union,
    name: &'static str,
}

fn f(points: &[Lattice]) -> Vec<[f64; 2]> {
    points.iter().map(|p| p.map(|x| x as f64)).collect()
}

fn pick(dice: &mut Dice, reach: i64) -> Lattice {
    [dice.i64(-reach..=reach), dice.i64(-reach..=reach)]
}

/// Retries until something is accepted.
fn any<T>(dice: &mut Dice, mut make: impl FnMut(&mut Dice) -> Option<T>) -> T {
    loop {
        if let Some(made) = make(dice) {
            return made;
        }
    }
}

fn polygon(dice: &mut Dice) -> Sample {
    any(dice, |dice| {
        let points: Vec<Lattice> = (0..dice.usize(4..9)).map(|_| pick(dice, 3)).collect();
        let shape = Shape::concave(&f(&points), &[]).ok()?;
        Some(Sample { shape, union: Union { areas: vec![points], lines: vec![] }, name: "polygon" })
    })
}

fn cells(dice: &mut Dice) -> Vec<Lattice> {
    any(dice, |dice| {
        let cells: Vec<Lattice> = (0..16).filter(|_| dice.u8(0..3) > 0).map(|i| [i % 4, i / 4]).collect();
        (!cells.is_empty()).then_some(cells)
    })
}

fn square([x, y]: Lattice) -> Vec<Lattice> {
    vec![[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]
}

/// Pixels, as a mask or as a compound of squares: the same set.
fn pixels(dice: &mut Dice, as_mask: bool) -> Sample {
    let cells = cells(dice);
    let union = Union { areas: cells.iter().copied().map(square).collect(), lines: vec![] };
    if as_mask {
        let mask = Mask::from_fn(4, 4, |x, y| cells.contains(&[i64::from(x), i64::from(y)])).unwrap();
        return Sample { shape: Shape::mask(mask).unwrap(), union, name: "mask" };
    }
    let one = Shape::rectangle(1.0, 1.0).unwrap();
    let at = |[x, y]: &Lattice| Pose::from_translation([*x as f64 + 0.5, *y as f64 + 0.5]).unwrap();
    let shape = Shape::compound(cells.iter().map(|cell| (one.clone(), at(cell)))).unwrap();
    Sample { shape, union, name: "squares" }
}

fn chain(dice: &mut Dice) -> Sample {
    any(dice, |dice| {
        let points: Vec<Lattice> = (0..dice.usize(2..6)).map(|_| pick(dice, 3)).collect();
        let closed = dice.bool() && points.len() > 2;
        let shape = if closed { Shape::closed_chain(&f(&points)) } else { Shape::chain(&f(&points)) }.ok()?;
        let mut ends = points.clone();
        ends.extend(closed.then_some(points[0]));
        let lines = ends.windows(2).map(|w| [w[0], w[1]]).filter(|[p, q]| p != q).collect();
        Some(Sample { shape, union: Union { areas: vec![], lines }, name: "chain" })
    })
}

fn thin(dice: &mut Dice) -> Sample {
    let p = pick(dice, 4);
    let q = if dice.bool() { p } else { pick(dice, 4) };
    segment(p, q)
}

fn segment(p: Lattice, q: Lattice) -> Sample {
    let shape = Shape::segment(p.map(|x| x as f64), q.map(|x| x as f64)).unwrap();
    Sample { shape, union: Union { areas: vec![], lines: vec![[p, q]] }, name: "segment" }
}

/// A point, segment or chain along the edges of the parts of another shape, inner seams among them.
fn along_seams(dice: &mut Dice, other: &Shape) -> Sample {
    let (part, pose) = {
        let parts: Vec<(Shape, Pose)> = other.parts().collect();
        parts[dice.usize(0..parts.len())].clone()
    };
    let points: Vec<Lattice> = part.placed(pose).points().map(|p| [p.x.round() as i64, p.y.round() as i64]).collect();
    let at = |dice: &mut Dice| {
        let (i, n) = (dice.usize(0..points.len()), points.len());
        let (p, q) = (points[i], points[(i + 1) % n]);
        // An edge is a seam as often as not. Half of the time it is longer on either side.
        let more = |dice: &mut Dice, p: Lattice, q: Lattice| if dice.bool() { p } else { [2 * p[0] - q[0], 2 * p[1] - q[1]] };
        [more(dice, p, q), more(dice, q, p)]
    };
    let [p, q] = at(dice);
    match dice.u8(0..4) {
        0 => segment(p, p),
        1 if (p[0] + q[0]) % 2 == 0 && (p[1] + q[1]) % 2 == 0 => segment([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2], q),
        2 if p != q => {
            let end = pick(dice, 4);
            let lines = [[p, q], [q, end]].into_iter().filter(|[p, q]| p != q).collect();
            Sample { shape: Shape::chain(&f(&[p, q, end])).unwrap(), union: Union { areas: vec![], lines }, name: "chain" }
        }
        _ => segment(p, q),
    }
}

/// Polygons, chains and segments in one.
fn mixed(dice: &mut Dice) -> Sample {
    let make: [fn(&mut Dice) -> Sample; 3] = [polygon, chain, thin];
    let samples: Vec<Sample> = (0..dice.usize(2..5)).map(|_| make[dice.usize(0..3)](dice)).collect();
    let mut union = Union::default();
    for sample in &samples {
        union.areas.extend(sample.union.areas.iter().cloned());
        union.lines.extend(&sample.union.lines);
    }
    let shape = Shape::compound(samples.into_iter().map(|sample| (sample.shape, Pose::IDENTITY))).unwrap();
    Sample { shape, union, name: "compound" }
}

fn sample(dice: &mut Dice) -> Sample {
    match dice.u8(0..6) {
        0 => polygon(dice),
        1 => pixels(dice, true),
        2 => pixels(dice, false),
        3 => chain(dice),
        4 => mixed(dice),
        _ => thin(dice),
    }
}

/// Does some pair of parts overlap by itself?
fn parts_overlap(a: Placed<'_>, b: Placed<'_>) -> bool {
    let whole = |placed: Placed<'_>| Shape::compound([(placed.shape().clone(), placed.pose())]).unwrap();
    let (a, b) = (whole(a), whole(b));
    a.parts().any(|(p, at)| b.parts().any(|(q, there)| exact::relation(p.placed(at), q.placed(there)) == Relation::Overlapping))
}

#[test]
fn overlaps_is_decided_on_the_union() {
    let rounds = std::env::var("CAROM_PAIRS").map_or(4_000, |count| count.parse().unwrap());
    let (mut dice, mut counts) = (Dice::with_seed(11), [0; 3]);
    for round in 0..rounds {
        let a = sample(&mut dice);
        let b = if round % 2 == 0 { sample(&mut dice) } else { along_seams(&mut dice, &a.shape) };
        let name = format!("round {round}, {} and {}", a.name, b.name);
        let [p, q] = [a.shape.at([0.0, 0.0]).unwrap(), b.shape.at([0.0, 0.0]).unwrap()];
        let by_parts = parts_overlap(p, q);
        let meets = |area: &Union, thin: &Union| thin.lines.iter().any(|&line| area.interior_meets(line));
        let stretch = share_a_stretch(&a.union, &b.union);
        if !by_parts && stretch {
            continue;
        }
        let expected = by_parts || meets(&a.union, &b.union) || meets(&b.union, &a.union) || lines_cross(&a.union, &b.union);
        assert_eq!(overlaps(p, q), expected, "{name}: {:?} {:?}", a.union, b.union);
        agreed_depth(p, q, &name);
        counts[usize::from(expected) + usize::from(expected && !by_parts)] += 1;
        if expected && !by_parts && b.name == "segment" {
            leads_out(p, q, &name);
        }
    }
    assert!(counts[2] * 100 > rounds, "too few pairs overlap as unions alone: {counts:?}");
    println!("{counts:?}");
}
