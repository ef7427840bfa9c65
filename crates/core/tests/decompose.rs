//! Accepted polygons are tiled exactly by convex parts (P23, P25). Refused polygons have an error at the
//! right place.
//!
//! `CAROM_OUTLINES` sets how many random ones, `CAROM_SEED` which; a failure prints the outline.

use carom::decompose::{PolygonWithHoles, convex_hull};
use carom::{DVec2, ErrorKind};

use crate::support::dice::Dice;
use crate::support::outlines::{self, Rings};
use crate::support::{fixtures, partition, run, validity};

fn build(rings: &Rings) -> Result<PolygonWithHoles, carom::Error> {
    PolygonWithHoles::new(&rings[0], &rings[1..])
}

/// Triangles and parts both tile the outline.
fn check(rings: &Rings) -> Result<PolygonWithHoles, String> {
    let outline = build(rings).map_err(|e| format!("refused: {e}"))?;
    let ranges: Vec<_> = outline.rings().collect();
    partition::check(outline.points(), &ranges, outline.triangles().iter().map(|t| &t[..]))
        .map_err(|e| format!("triangles: {e}"))?;
    partition::check(outline.points(), &ranges, outline.convex_parts().iter()).map_err(|e| format!("parts: {e}"))?;
    Ok(outline)
}

fn random(dice: &mut Dice) -> Rings {
    let n = dice.count(3, 200);
    let exact = dice.chance(0.5);
    let mut rings = if exact {
        loop {
            if let Some(rings) = outlines::lattice(dice) {
                break rings;
            }
        }
    } else {
        match dice.index(5) {
            0 => outlines::star(dice, n, 0.4),
            1 => outlines::star(dice, n, 0.001),
            2 => outlines::comb(dice, 1 + n / 4, 0.1),
            3 => outlines::spiral(dice, 2 + n / 2),
            _ => outlines::sliver(dice, 2 + n / 2),
        }
    };
    outlines::disguise(dice, &mut rings);
    if exact {
        outlines::move_exactly(dice, &mut rings);
    } else {
        outlines::move_roughly(dice, &mut rings);
    }
    rings
}

#[test]
fn random_outlines_are_tiled() {
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(2_000), run::seed());
    let mut refused = 0;
    for i in 0..count {
        let rings = random(&mut Dice::new(seed, i));
        // Rounding may make a moved spiral or sliver cross itself. Then it must be refused, which
        // another test checks.
        if let Err(error) = check(&rings) {
            assert!(error.starts_with("refused"), "outline {i} of seed {seed}: {error}\n{rings:?}");
            refused += 1;
        }
    }
    assert!(refused * 50 < count, "{refused} of {count} were refused");
}

#[test]
fn regular_polygons_are_one_part() {
    for n in 3..=1000 {
        let outline = build(&outlines::regular(n)).unwrap();
        assert_eq!(outline.convex_parts().len(), 1, "{n}");
        assert_eq!(outline.triangles().len(), n - 2);
    }
}

#[test]
fn a_bow_tie() {
    let bow_tie = vec![[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]].into_iter().map(DVec2::from).collect();
    let error = build(&vec![bow_tie]).unwrap_err();
    assert_eq!((error.kind(), error.location()), (ErrorKind::SelfCrossing, Some(DVec2::ONE)), "{error}");
}

/// Accepts exactly the rings that bound an area. Inputs: small integer rings, most of them invalid
/// in some way.
#[test]
fn small_rings_are_accepted_or_refused_as_the_definition_says() {
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(2_000) * 20, run::seed());
    let mut valid = 0;
    for i in 0..count {
        let dice = &mut Dice::new(seed, i);
        let range = dice.whole(2, 6);
        let mut ring = |most: usize| -> Vec<[i64; 2]> {
            let n = dice.count(3, most);
            (0..n).map(|_| [dice.whole(0, range), dice.whole(0, range)].map(i64::from)).collect()
        };
        let mut rings = vec![ring(9)];
        let holes = if i % 2 == 0 { 0 } else { 1 + i % 3 };
        if holes > 0 {
            let far = i64::from(range);
            rings[0] = vec![[0, 0], [far, 0], [far, far], [0, far]];
            (0..holes).for_each(|_| rings.push(ring(5)));
        }
        let expected = validity::is_valid(&rings);
        let floats = validity::floats(&rings);
        let answer = check(&floats);
        assert_eq!(answer.is_ok(), expected, "rings {i} of seed {seed}: {:?}\n{rings:?}", answer.err());
        if let Err(error) = answer {
            assert!(error.starts_with("refused"), "rings {i} of seed {seed}: {error}\n{rings:?}");
        }
        valid += u64::from(expected);
    }
    assert!(valid * 20 > count, "only {valid} of {count} were valid");
}

/// The fewest parts by trying every diagonal, of small integer polygons.
fn fewest_by_trial(ring: &[[i64; 2]]) -> usize {
    let n = ring.len();
    let cross = |a: [i64; 2], b: [i64; 2], c: [i64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let Some(v) = (0..n).find(|&i| cross(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]) < 0) else { return 1 };
    // Some diagonal must end at this reflex vertex.
    let at = |i: usize| ring[(v + i) % n];
    let mut best = usize::MAX;
    for k in 2..n - 1 {
        let (near, far): (Vec<_>, Vec<_>) = ((0..=k).map(at).collect(), (k..=n).map(at).collect());
        let touched = ring.iter().any(|&p| cross(at(0), at(k), p) == 0 && at(0).min(at(k)) < p && p < at(0).max(at(k)));
        if !touched && [&near, &far].iter().all(|half| validity::is_valid(&[(*half).clone()]) && area(half) > 0) {
            best = best.min(fewest_by_trial(&near).saturating_add(fewest_by_trial(&far)));
        }
    }
    best
}

fn area(ring: &[[i64; 2]]) -> i64 {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()])).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum()
}

/// Keil's program against every possible choice of diagonals; and the quick parts are at most four
/// times as many (Hertel and Mehlhorn 1983).
#[test]
fn the_fewest_parts_are_the_fewest() {
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(2_000) * 5, run::seed());
    let mut looked_at = 0;
    for i in 0..count {
        let dice = &mut Dice::new(seed, i);
        // Of larger rings few bound an area.
        let n = if i % 4 == 0 { dice.count(10, 12) } else { dice.count(4, 9) };
        let mut ring: Vec<[i64; 2]> = (0..n).map(|_| [dice.whole(0, 9), dice.whole(0, 9)].map(i64::from)).collect();
        ring.dedup();
        if ring.len() < 4 || ring[0] == ring[ring.len() - 1] || !validity::is_valid(&[ring.clone()]) {
            continue;
        }
        if area(&ring) < 0 {
            ring.reverse();
        }
        let rings = validity::floats(&[ring.clone()]);
        let outline = build(&rings).unwrap();
        let Ok(parts) = outline.optimal_convex_parts() else { continue };
        let ranges: Vec<_> = outline.rings().collect();
        partition::check(outline.points(), &ranges, parts.iter())
            .unwrap_or_else(|e| panic!("{e}: {parts:?}\n{ring:?}"));
        assert_eq!(parts.len(), fewest_by_trial(&ring), "{ring:?}");
        assert!(outline.convex_parts().len() <= 4 * parts.len());
        looked_at += 1;
    }
    assert!(looked_at * 20 > count, "only {looked_at} of {count}");
}

/// A comb needs one part for each tooth and one for its back. A diagonal serves at most two reflex
/// vertices, and each tooth has two of its own.
#[test]
fn combs_have_as_many_parts_as_teeth_and_one() {
    for teeth in 1..=60 {
        let outline = build(&outlines::comb(&mut Dice::new(run::seed(), teeth), teeth as usize, 0.1)).unwrap();
        assert_eq!(outline.optimal_convex_parts().unwrap().len() as u64, teeth + 1);
        assert!(outline.convex_parts().len() as u64 <= 4 * (teeth + 1));
    }
}

/// Larger rings: at least as many parts as their reflex vertices need. The fast decomposition has
/// at most four times the smallest number (Hertel and Mehlhorn 1983), and is near it on average.
#[test]
fn quick_parts_are_near_the_fewest() {
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(2_000) / 10, run::seed());
    let (mut quick, mut fewest) = (0, 0);
    for i in 0..count {
        let dice = &mut Dice::new(seed, i);
        let n = dice.count(20, 120);
        let rings = match i % 4 {
            0 => outlines::star(dice, n, 0.4),
            1 => outlines::star(dice, n, 0.001),
            2 => outlines::spiral(dice, n / 2),
            _ => outlines::comb(dice, n / 4, 0.1),
        };
        let Ok(outline) = build(&rings) else { continue };
        let parts = outline.optimal_convex_parts().unwrap();
        let ranges: Vec<_> = outline.rings().collect();
        partition::check(outline.points(), &ranges, parts.iter())
            .unwrap_or_else(|e| panic!("ring {i} of seed {seed}: {e}"));
        let at = partition::lattice(&rings[0]);
        let turn =
            |k: usize| partition::orientation(&at[k % at.len()], &at[(k + 1) % at.len()], &at[(k + 2) % at.len()]);
        let reflex = (0..at.len()).filter(|&k| turn(k).is_lt()).count();
        assert!(
            parts.len() > reflex.div_ceil(2),
            "ring {i} of seed {seed}: {} parts, {reflex} reflex vertices",
            parts.len()
        );
        assert!(
            parts.len() <= outline.convex_parts().len() && outline.convex_parts().len() <= 4 * parts.len(),
            "ring {i} of seed {seed}"
        );
        quick += outline.convex_parts().len();
        fewest += parts.len();
    }
    assert!(quick * 10 <= fewest * 11, "{quick} parts, {fewest} at best");
}

/// Real polygons: tiled, or refused where two of their edges really cross or lie on each other.
#[test]
fn the_fixtures_of_earcut() {
    let (mut tiled, mut refused) = (0, 0);
    for (name, rings) in fixtures::earcut().into_iter().filter(|(_, rings)| !rings.is_empty()) {
        match build(&rings) {
            Ok(_) => {
                check(&rings).unwrap_or_else(|e| panic!("{name}: {e}"));
                tiled += 1;
            }
            Err(error) => {
                refused += 1;
                match error.kind() {
                    ErrorKind::SelfCrossing | ErrorKind::OverlappingEdges => {
                        let position = error.location().unwrap();
                        assert!(partition::edges_meet_at(&rings, position), "{name}: {error}");
                    }
                    ErrorKind::TooFewPoints => assert!(rings.iter().any(|r| r.len() < 3), "{name}: {error}"),
                    ErrorKind::ZeroSize => {
                        assert!(rings.iter().any(|r| r.iter().all(|p| *p == r[0])), "{name}: {error}");
                    }
                    ErrorKind::Collinear => {
                        assert!(
                            rings[0].windows(3).all(|w| (w[1] - w[0]).perp_dot(w[2] - w[0]).abs() < 1e-9),
                            "{name}: {error}"
                        );
                    }
                    kind => panic!("{name}: {kind:?}: {error}"),
                }
            }
        }
    }
    println!("{tiled} tiled, {refused} refused");
    // Those that are kept beside the tests, or all of them.
    assert!(tiled + refused >= 48 && tiled >= 29, "{tiled} tiled, {refused} refused");
}

/// Outlines of random points cross somewhere: the place named is one where they do.
#[test]
fn crossings_are_found_at_their_positions() {
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(2_000), run::seed());
    let mut crossed = 0;
    for i in 0..count {
        let dice = &mut Dice::new(seed, i);
        let mut rings: Rings = vec![(0..dice.count(4, 40)).map(|_| dice.in_disk(1.0)).collect()];
        outlines::move_roughly(dice, &mut rings);
        if let Err(error) = build(&rings) {
            crossed += 1;
            let position = error.location().unwrap_or_else(|| panic!("no place: {error}"));
            assert_eq!(error.kind(), ErrorKind::SelfCrossing);
            assert!(partition::edges_meet_at(&rings, position), "outline {i} of seed {seed}: {error}\n{rings:?}");
        }
    }
    assert!(crossed * 2 > count);
}

/// Whatever the bits: refused, or tiled.
#[test]
fn any_numbers() {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1e30,
        -1e30,
        1e-300,
        f64::from_bits(1),
        f64::from_bits(2),
        0.1,
        0.3,
        1e15,
        1.1e30,
        f64::NAN,
        f64::INFINITY,
        1e300,
    ];
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(2_000), run::seed());
    let mut tiled = 0;
    for i in 0..count {
        let dice = &mut Dice::new(seed, i);
        let usable = if dice.chance(0.9) { 12 } else { special.len() };
        let (n, rough) = (dice.count(0, 8), dice.chance(0.3));
        let mut number = || {
            let number = special[dice.index(usable)];
            if rough { number * dice.between(-1.0, 1.0) } else { number }
        };
        let ring: Vec<DVec2> = (0..n).map(|_| DVec2::new(number(), number())).collect();
        match check(&vec![ring.clone()]) {
            Ok(_) => tiled += 1,
            Err(error) => assert!(error.starts_with("refused"), "ring {i} of seed {seed}: {error}\n{ring:?}"),
        }
    }
    assert!(tiled * 10 > count, "only {tiled} of {count}");
}

/// Rings, their error, its position, and words of the message.
type Refusal = (Vec<Vec<[f64; 2]>>, ErrorKind, Option<[f64; 2]>, &'static str);

/// An error has its kind and its position.
#[test]
fn refusals() {
    let square = |x: f64, y: f64, side: f64| vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
    let ring = |points: &[[f64; 2]]| points.iter().map(|&p| DVec2::from(p)).collect::<Vec<_>>();
    let whole = square(0.0, 0.0, 10.0);
    let cases: Vec<Refusal> = vec![
        (
            vec![vec![[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]],
            ErrorKind::SelfCrossing,
            Some([1.0, 1.0]),
            "vertex 0 and from vertex 2",
        ),
        (
            vec![vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 4.0], [2.0, 6.0], [2.0, 4.0], [0.0, 4.0]]],
            ErrorKind::OverlappingEdges,
            Some([2.0, 4.0]),
            "share a length",
        ),
        (
            vec![whole.clone(), square(20.0, 0.0, 1.0)],
            ErrorKind::MisplacedHole,
            Some([20.0, 0.0]),
            "hole 0 lies outside the outer ring",
        ),
        (
            vec![whole.clone(), square(1.0, 1.0, 8.0), square(3.0, 3.0, 2.0)],
            ErrorKind::MisplacedHole,
            Some([3.0, 3.0]),
            "hole 1 lies inside hole 0",
        ),
        (
            vec![whole.clone(), square(1.0, 1.0, 4.0), square(3.0, 3.0, 4.0)],
            ErrorKind::SelfCrossing,
            None,
            "hole 1 crosses hole 0",
        ),
        (vec![whole.clone(), square(8.0, 8.0, 4.0)], ErrorKind::SelfCrossing, None, "hole 0 crosses the outer ring"),
        (
            vec![whole.clone(), square(0.0, 2.0, 2.0)],
            ErrorKind::OverlappingEdges,
            Some([0.0, 2.0]),
            "hole 0 lies on the outer ring",
        ),
        (vec![whole.clone(), whole.clone()], ErrorKind::OverlappingEdges, None, "share a length"),
        (vec![vec![[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]], ErrorKind::Collinear, Some([0.0, 0.0]), "lie on one line"),
        (vec![whole.clone(), vec![[1.0, 1.0]; 3]], ErrorKind::ZeroSize, Some([1.0, 1.0]), "hole 0 has no area"),
        (vec![whole.clone(), vec![[1.0, 1.0], [2.0, 2.0]]], ErrorKind::TooFewPoints, None, "hole 0 has 2 points"),
        (vec![vec![[0.0, 0.0], [1.0, f64::NAN], [0.0, 1.0]]], ErrorKind::NotFinite, None, "y of the vertex 1"),
        (vec![vec![[0.0, 0.0], [1e31, 0.0], [0.0, 1.0]]], ErrorKind::OutOfRange, None, "x of the vertex 1"),
        // Two lobes that the ring runs around in opposite senses: it crosses itself in the vertex that they share.
        (
            vec![vec![[0.0, 0.0], [1.0, 1.0], [2.0, 3.0], [3.0, 2.0], [1.0, 1.0], [0.0, 2.0]]],
            ErrorKind::SelfCrossing,
            Some([1.0, 1.0]),
            "passes through itself",
        ),
    ];
    for (rings, kind, position, words) in cases {
        let rings: Rings = rings.iter().map(|r| ring(r)).collect();
        let error = build(&rings).expect_err(words);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error} does not say {words:?}");
        assert!(position.is_none_or(|p| error.location() == Some(p.into())), "{error}");
    }
    let frame = PolygonWithHoles::new(&ring(&whole), &[ring(&square(1.0, 1.0, 2.0))]).unwrap();
    assert_eq!(frame.optimal_convex_parts().unwrap_err().kind(), ErrorKind::NotSimple);
    assert_eq!(
        build(&outlines::regular(1001)).unwrap().optimal_convex_parts().unwrap_err().kind(),
        ErrorKind::TooManyPoints
    );
    assert_eq!(frame.simplified(-1.0).unwrap_err().kind(), ErrorKind::Negative);
}

/// Every removed vertex is within the deviation of the edge that replaced it, and the result is a
/// simple polygon.
#[test]
fn simplified_outlines_stay_near_and_cross_nothing() {
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(2_000), run::seed());
    let mut removed = 0;
    for i in 0..count {
        let dice = &mut Dice::new(seed, i);
        let rings = random(dice);
        let Ok(outline) = build(&rings) else { continue };
        let size = rings[0].iter().fold(0.0, |m: f64, p| m.max((*p - rings[0][0]).length()));
        let deviation = if dice.chance(0.2) { 0.0 } else { size * dice.magnitude(1e-4, 1.0) };
        let simple = outline
            .simplified(deviation)
            .unwrap_or_else(|e| panic!("outline {i} of seed {seed}, {deviation:?}: {e}\n{rings:?}"));
        assert_eq!(simple.rings().len(), rings.len());
        for (old, new) in rings.iter().zip(simple.rings()) {
            replaced_within(old, &simple.points()[new], deviation);
        }
        removed += outline.points().len() - simple.points().len();
    }
    assert!(removed as u64 > 10 * count, "{removed}");
}

/// Walks along the old ring from one kept vertex to the next.
fn replaced_within(old: &[DVec2], new: &[DVec2], deviation: f64) {
    let start = old.iter().position(|p| *p == new[0]).unwrap();
    let mut at = start;
    for (k, &a) in new.iter().enumerate() {
        let b = new[(k + 1) % new.len()];
        assert_eq!(old[at % old.len()], a);
        loop {
            at += 1;
            let p = old[at % old.len()];
            if p == b && (k + 1 < new.len() || at >= start + old.len()) {
                break;
            }
            let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            let off = (a + (b - a) * t - p).length();
            assert!(off <= deviation + 1e-12 * (p.length() + deviation), "{off} > {deviation}");
            assert!(at <= start + old.len(), "{b} is no vertex of the old ring");
        }
    }
}

/// The hull against its definition, in integers.
#[test]
fn hulls_contain_all_points() {
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(2_000), run::seed());
    for i in 0..count {
        let dice = &mut Dice::new(seed, i);
        let (n, range) = (dice.count(0, 30), dice.whole(0, 8));
        let points: Vec<DVec2> = (0..n).map(|_| dice.lattice(range)).collect();
        let hull = convex_hull(&points).unwrap();
        let at = |k: usize| points[hull[k % hull.len()] as usize];
        let left = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
        assert_eq!(hull.is_empty(), points.is_empty());
        for k in 0..hull.len() {
            assert_eq!(points.iter().position(|p| *p == at(k)), Some(hull[k] as usize), "the first of equal points");
            assert!(hull.len() < 3 || left(at(k), at(k + 1), at(k + 2)) > 0.0, "{points:?}");
            for &p in &points {
                let inside = left(at(k), at(k + 1), p) >= 0.0 && (hull.len() != 2 || (p - at(0)).dot(p - at(1)) <= 0.0);
                assert!(inside && (hull.len() > 1 || p == at(0)), "{points:?}: {hull:?}");
            }
        }
    }
}
