//! Casts against unions: a shape without area in contact at the start is stopped if the motion
//! makes it overlap the union.

use crate::support::lattice::{Sample, along_seams, parts_overlap, sample};
use crate::support::run::pairs;
use crate::support::union::{Lattice, Union, lines_cross, share_a_stretch};
use carom::{DVec2, Pose, Shape, Sweep, overlaps, time_of_impact};

type Dice = fastrand::Rng;

/// Times are multiples of one part in this many. Motions on these lattices change nothing before the first of them.
const PARTS: i64 = 64;

/// The union moved by a part of a motion; both in units of one part in [`PARTS`].
fn moved(union: &Union, [x, y]: Lattice, parts: i64) -> Union {
    let position = |p: &Lattice| [p[0] * PARTS + x * parts, p[1] * PARTS + y * parts];
    Union {
        areas: union.areas.iter().map(|area| area.iter().map(position).collect()).collect(),
        lines: union.lines.iter().map(|line| [position(&line[0]), position(&line[1])]).collect(),
    }
}

/// Returns the exact answer if two unions overlap after a part of b's motion; `None` if this oracle does not know.
fn overlap_after(a: &Sample, b: &Sample, displacement: Lattice, parts: i64) -> Option<bool> {
    let at = |parts: i64| displacement.map(|x| x as f64 * parts as f64 / PARTS as f64);
    if parts_overlap(a.shape.at([0.0, 0.0]).unwrap(), b.shape.at(at(parts)).unwrap()) {
        return Some(true);
    }
    let (a, b) = (moved(&a.union, [0, 0], 0), moved(&b.union, displacement, parts));
    if share_a_stretch(&a, &b) {
        return None;
    }
    let meets = |area: &Union, thin: &Union| thin.lines.iter().any(|&line| area.interior_meets(line));
    Some(meets(&a, &b) || meets(&b, &a) || lines_cross(&a, &b))
}

/// Bound of the difference between two impact times of part pairs that touch at the same time; the
/// search may end at either pair. `time_of_impact` promises a gap of at most 1e-7 × size. The
/// unions fit in 10 units. A normal speed is at least 0.1: an integer divided by the length of an
/// edge on the lattice.
const CONTRACT: f64 = 1e-5;

/// The impact if b moves, with the same impact required if the other shape moves back, and of swapped shapes.
fn impact_time(a: &Shape, b: &Shape, displacement: Lattice, name: &str) -> Option<f64> {
    let displacement = displacement.map(|x| x as f64);
    let (p, q) = (a.at([0.0, 0.0]).unwrap(), b.at([0.0, 0.0]).unwrap());
    let time = |a: Sweep<'_>, b: Sweep<'_>| time_of_impact(a, b).map(|hit| hit.time);
    let forth = time(p.into(), q.sweep(displacement).unwrap());
    let swapped = time(q.sweep(displacement).unwrap(), p.into());
    let alike =
        forth.zip(swapped).map_or(forth == swapped, |(t, u)| (t - u).abs() < CONTRACT && (t == 0.0) == (u == 0.0));
    assert!(alike, "{name}, swapped: {forth:?} and {swapped:?}");
    let back = time(p.sweep(displacement.map(|x| -x)).unwrap(), q.into());
    assert_eq!(forth.is_some(), back.is_some(), "{name}, the other one moves: {forth:?} and {back:?}");
    forth
}

/// Shapes without area touch at the start. The impact is at time 0 if and only if the motion makes
/// the unions overlap immediately. No impact is later than an overlap.
#[test]
fn contacts_at_the_start_stop_overlapping_motions() {
    let rounds = pairs(1_500);
    let (mut dice, mut counts) = (Dice::with_seed(21), [0; 3]);
    for round in 0..rounds {
        let a = sample(&mut dice);
        let b = along_seams(&mut dice, &a.shape);
        let [p, q] = [0, 1].map(|k| b.union.lines.first().map_or(0, |line| (line[1][k] - line[0][k]).signum()));
        let displacement = match dice.u8(0..3) {
            0 => [p, q],
            1 => [-p, -q],
            _ => [dice.i64(-2..=2), dice.i64(-2..=2)],
        };
        let (Some(false), Some(from_there)) =
            (overlap_after(&a, &b, displacement, 0), overlap_after(&a, &b, displacement, 1))
        else {
            continue;
        };
        let name = format!("round {round}, {} {:?} and {} {:?} by {displacement:?}", a.name, a.union, b.name, b.union);
        let time = impact_time(&a.shape, &b.shape, displacement, &name);
        let is_in_contact = carom::intersects(a.shape.at([0.0, 0.0]).unwrap(), b.shape.at([0.0, 0.0]).unwrap());
        if is_in_contact {
            assert_eq!(time == Some(0.0), from_there, "{name}: {time:?}");
            counts[usize::from(from_there)] += 1;
        }
        for parts in [2, 7, 16, 31, 49, 64] {
            if overlap_after(&a, &b, displacement, parts) == Some(true) {
                assert!(
                    time.is_some_and(|time| time <= parts as f64 / PARTS as f64),
                    "{name}: {time:?}, overlap after {parts}"
                );
                counts[2] += 1;
                break;
            }
        }
    }
    assert!(counts.iter().all(|&n| n * 50 > rounds), "free, stopped at once, overlap later: {counts:?}");
    println!("{counts:?}");
}

/// A link that ends in an area of its own shape has no branch there. A chain that slides along that
/// area does not cross it. One link used to count with both of its ends, so the cast reported time
/// 0.
#[test]
fn branches_inside_areas_of_their_own_shape_do_not_stop_a_slide() {
    let area = Shape::polygon(&[[0.0, 3.0], [3.0, 0.0], [-3.0, -2.0], [-2.0, 1.0]]).unwrap();
    let slide = |links: &[[f64; 2]], displacement: [f64; 2]| {
        let links = Shape::chain(links).unwrap();
        let union = Shape::compound([(area.clone(), Pose::IDENTITY), (links, Pose::IDENTITY)]).unwrap();
        let bar = Shape::chain(&[[-4.0, -1.0], [2.0, 5.0], [0.0, 4.0]]).unwrap();
        time_of_impact(union.at([0.0, 0.0]).unwrap(), bar.at([0.0, 0.0]).unwrap().sweep(displacement).unwrap())
            .filter(|hit| hit.initial_depth.is_none())
            .map(|hit| hit.time)
    };
    for displacement in [[-1.0, -1.0], [1.0, 1.0]] {
        // The vertex lies on the edge (-2, 1)-(0, 3), along which the chain slides.
        assert_eq!(slide(&[[3.0, 0.0], [-1.0, 2.0], [-3.0, 3.0]], displacement), None, "{displacement:?}");
        // Two links that cross in one point of the edge.
        assert_eq!(slide(&[[0.0, 0.0], [-2.0, 4.0], [-3.0, 3.0], [1.0, 1.0]], displacement), None, "{displacement:?}");
    }
}

/// A segment or chain that slides through a vertex of another chain.
#[test]
fn chains_stop_shapes_that_slide_through_a_vertex() {
    let chain = |points: &[[f64; 2]]| Shape::chain(points).unwrap();
    let post = chain(&[[0.0, -1.0], [0.0, 0.0], [0.0, 1.0]]);
    let hook = chain(&[[1.0, 1.0], [0.0, 0.0], [1.0, -1.0]]);
    let step = chain(&[[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, -1.0]]);
    let bar = Shape::segment([0.0, 0.0], [4.0, 0.0]).unwrap();
    let bent = chain(&[[0.0, 0.0], [2.0, 0.0], [4.0, 1.0]]);
    for (name, a) in [("post", &post), ("hook", &hook), ("step", &step)] {
        for b in [&bar, &bent] {
            let cast = |displacement: [f64; 2], lift: f64| {
                let sweep = b.at([0.0, lift]).unwrap().sweep(displacement).unwrap();
                time_of_impact(a.at([0.0, 0.0]).unwrap(), sweep)
                    .filter(|hit| hit.initial_depth.is_none())
                    .map(|hit| hit.time)
            };
            assert_eq!(cast([-3.0, 0.0], 0.0), Some(0.0), "{name}");
            assert_eq!(cast([3.0, 0.0], 0.0), None, "{name}");
        }
    }
    let overlap = |x: f64| overlaps(step.at([0.0, 0.0]).unwrap(), bar.at([x, 0.0]).unwrap());
    assert_eq!([overlap(0.0), overlap(-0.1)], [false, true]);
}

/// Returns the depth of a point in a union of rectangles or in a simple polygon, rounded; below 0 outside.
fn depth_in(outline: &[[f64; 2]], p: DVec2) -> f64 {
    let (mut inside, mut nearest) = (false, f64::INFINITY);
    for i in 0..outline.len() {
        let (u, v) = (DVec2::from(outline[i]) - p, DVec2::from(outline[(i + 1) % outline.len()]) - p);
        let displacement = v - u;
        nearest = nearest
            .min((u + displacement * (-u.dot(displacement) / displacement.length_squared()).clamp(0.0, 1.0)).length());
        if (u.y > 0.0) != (v.y > 0.0) && (u.perp_dot(v) > 0.0) == (v.y > 0.0) {
            inside = !inside;
        }
    }
    if inside { nearest } else { -nearest }
}

/// The deepest of a segment's points, or minus its distance.
fn depth_of(outline: &[[f64; 2]], [p, q]: [DVec2; 2]) -> f64 {
    let steps = if p == q { 0 } else { 64 };
    let on = outline.iter().map(|&corner| (DVec2::from(corner) - p).dot(q - p) / (q - p).length_squared().max(1e-300));
    // Beside a corner that the segment cuts off too.
    let beside = (0..20).flat_map(|k| [0.5_f64.powi(k), -(0.5_f64.powi(k)), 0.0]);
    let on = on.flat_map(|at| beside.clone().map(move |more| (at + more).clamp(0.0, 1.0)));
    let along = (0..=steps)
        .map(|k| f64::from(k) / f64::from(steps.max(1)))
        .chain(on)
        .map(|k| depth_in(outline, p + (q - p) * k));
    let deepest = along.fold(f64::NEG_INFINITY, f64::max);
    let corners = outline.iter().map(|&corner| -depth_in(&[p.into(), q.into()], corner.into()));
    if deepest > 0.0 || p == q { deepest } else { deepest.max(-corners.fold(f64::INFINITY, f64::min)) }
}

/// A segment or point that turns along a seam.
struct Turn {
    /// Seen from the pivot.
    ends: [DVec2; 2],
    pivot: DVec2,
    /// The angle at the start, and by how much it turns.
    before: f64,
    angle: f64,
    travel: DVec2,
}

fn turn(dice: &mut Dice, union: &Shape) -> Turn {
    let parts: Vec<(Shape, Pose)> = union.parts().collect();
    let (part, _) = &parts[dice.usize(0..parts.len())];
    let corners: Vec<DVec2> = part.at([0.0, 0.0]).unwrap().points().collect();
    let i = dice.usize(0..corners.len());
    let (corner, next) = (corners[i], corners[(i + 1) % corners.len()]);
    let seam = (next - corner).normalize();
    let position = if dice.u8(0..4) == 0 { corner.midpoint(next) } else { corner };
    // The pivot lies beside the place, so that it moves along the seam or against it.
    let radius = 10.0_f64.powi(dice.i32(-1..3));
    let pivot = position + seam.perp() * if dice.bool() { radius } else { -radius };
    let tail = if dice.bool() { DVec2::ZERO } else { -seam * dice.f64() * 2.0 };
    let angle = (0.5 + dice.f64()) * (2.0 / radius).min(3.0) * if dice.bool() { 1.0 } else { -1.0 };
    // Some begin before the place, on the same arc.
    let before = if dice.bool() { 0.0 } else { -0.25 * angle };
    let travel = if dice.u8(0..3) == 0 { seam * dice.f64() } else { DVec2::ZERO };
    Turn { ends: [position - pivot, position + tail - pivot], pivot, before, angle, travel }
}

/// Depths below this may be taken for contact, and gaps too.
const GRAZE: f64 = 1e-6;

/// Depths below this count as contact: the tolerance of casts is larger for shapes of these sizes.
const CONTACT: f64 = 1e-8;

/// Points and segments that turn, or move and turn, into polygons at the ends of seams, and along
/// seams within. Dense sampling of containment decides.
#[test]
fn turning_casts_enter_along_seams() {
    let rounds = pairs(150);
    let outlines: [&[[f64; 2]]; 4] = [
        &[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]],
        &[[0.0, 0.0], [3.0, 1.0], [6.0, 0.0], [5.0, 3.0], [6.0, 6.0], [3.0, 5.0], [0.0, 6.0], [1.0, 3.0]],
        &[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [4.0, 2.0], [4.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0]],
        &[[0.0, 0.0], [4.0, -1.0], [5.0, 4.0], [2.0, 1.0], [-1.0, 4.0]],
    ];
    let (mut dice, mut counts) = (Dice::with_seed(8), [0; 4]);
    for round in 0..rounds {
        let outline = outlines[dice.usize(0..4)];
        let union = Shape::polygon(outline).unwrap();
        let Turn { ends, pivot, before, angle, travel } = turn(&mut dice, &union);
        let thin = Shape::segment(ends[0], ends[1]).unwrap();
        let start = if before == 0.0 { Pose::from_translation(pivot) } else { Pose::new(pivot, before) }.unwrap();
        let sweep = thin.placed(start).sweep(travel).unwrap().with_rotation(angle).unwrap();
        let placed = |time: f64| {
            let turn = DVec2::from_angle(before + angle * time);
            ends.map(|end| pivot + travel * time + turn.rotate(end))
        };
        let name = format!("round {round}: {outline:?}, {ends:?} about {pivot} from {before} by {angle} and {travel}");
        let depth = |time: f64| depth_of(outline, placed(time));
        let hit = time_of_impact(union.at([0.0, 0.0]).unwrap(), sweep);
        if depth(0.0) > GRAZE {
            assert!(hit.is_some_and(|hit| hit.time == 0.0 && hit.initial_depth > Some(0.0)), "{name}: {hit:?}");
            counts[0] += 1;
            continue;
        }
        if hit.is_some_and(|hit| hit.initial_depth.is_some()) {
            continue;
        }
        // Deep for the first time, or away for the first time.
        let mut times: Vec<f64> =
            (0..300).map(|k| 0.9_f64.powi(300 - k)).chain((1..=400).map(|k| f64::from(k) / 400.0)).collect();
        times.sort_by(f64::total_cmp);
        if depth(0.0) > -1e-8 {
            let leaves = times.iter().position(|&time| depth(time).abs() > GRAZE);
            match leaves.map(|k| (depth(times[k]), times[..k].iter().map(|&time| depth(time)).fold(0.0, f64::max))) {
                Some((depth, _)) if depth > 0.0 => counts[1] += 1,
                // A segment that is tangent to its arc enters a little before it leaves: 3.2e-7 for
                // a tail of 0.008 and a radius of 100.
                Some((_, deepest)) if deepest < CONTACT => {
                    assert_ne!(hit.map(|hit| hit.time), Some(0.0), "{name}");
                    counts[2] += 1;
                }
                _ => {}
            }
        }
        let first = times.iter().copied().find(|&time| depth(time) > GRAZE);
        if let Some(first) = first {
            assert!(hit.is_some_and(|hit| hit.time <= first), "{name}: {hit:?}, deep at {first}");
            counts[3] += 1;
        }
        if let Some(hit) = hit {
            assert!(depth(hit.time) > -2.0 * GRAZE, "{name}: apart at {hit:?}");
        }
    }
    assert!(counts.iter().all(|&n| n * 30 > rounds), "inside, entered from contact, left, stopped: {counts:?}");
    println!("{counts:?}");
}

/// Cracks between tiles: an overlap beyond the tolerance is reported in time. A shape that stays in
/// a crack never overlaps.
#[test]
fn cracks_are_open_and_seams_are_shut() {
    let rounds = pairs(600);
    let (mut dice, mut counts) = (Dice::with_seed(4), [0; 2]);
    for round in 0..rounds {
        let crack = [0.0, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6][dice.usize(0..6)];
        let tile = Shape::rectangle(2.0, 2.0).unwrap();
        let at = |x: f64| Pose::from_translation([x, -1.0]).unwrap();
        let tiles = Shape::compound([(tile.clone(), at(-1.0 - crack / 2.0)), (tile, at(1.0 + crack / 2.0))]).unwrap();
        let aside = if dice.bool() { 0.0 } else { (dice.f64() - 0.5) * 4.0 * 10.0_f64.powi(-dice.i32(6..12)) };
        let above = [0.0, 1e-9, -1e-9, 1e-3][dice.usize(0..4)];
        let slope = if dice.bool() { 0.0 } else { (dice.f64() - 0.5) * 10.0_f64.powi(-dice.i32(0..10)) };
        let long = 10.0_f64.powi(dice.i32(-3..7));
        let displacement = DVec2::new(slope, -1.0) * long;
        let tail = if dice.bool() { DVec2::ZERO } else { DVec2::new(0.0, 1.0) };
        let thin = Shape::segment([0.0, 0.0], tail).unwrap();
        let start = DVec2::new(aside, above);
        let hit = time_of_impact(tiles.at([0.0, 0.0]).unwrap(), thin.at(start).unwrap().sweep(displacement).unwrap());
        let name = format!("round {round}: crack {crack}, start {start:?}, way {displacement:?}, {hit:?}");
        // The depth of the point that goes first.
        let half = crack / 2.0;
        let depth = |p: DVec2| {
            let (down, out) = ((-p.y).min(p.y + 2.0), 2.0 + half - p.x.abs());
            let aside = if crack == 0.0 { f64::INFINITY } else { p.x.abs() - half };
            down.min(out).min(aside)
        };
        let times = (0..2000).map(|k| 0.98_f64.powi(2000 - k));
        let deep = times.clone().find(|&time| depth(start + displacement * time) > 1e-7 * 2.8);
        if let Some(deep) = deep {
            assert!(hit.is_some_and(|hit| hit.time <= deep), "{name}: deep at {deep}");
            counts[0] += 1;
        }
        let in_crack = |time: f64| {
            let p = start + displacement * time;
            p.y < -4.0 || p.x.abs() < half
        };
        if crack > 1e-14 * long.max(100.0) && above == 0.0 && times.clone().all(in_crack) && in_crack(1.0) {
            assert_eq!(hit, None, "{name}");
            counts[1] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n * 40 > rounds), "deep, in a crack: {counts:?}");
}

/// World casts and motions have the impacts of pair casts.
#[test]
fn worlds_stop_shapes_that_slide_through_a_vertex() {
    use carom::{Collider, World};
    let mut world = World::new();
    world.insert(Collider::new(Shape::chain(&[[0.0, -1.0], [0.0, 0.0], [0.0, 1.0]]).unwrap()));
    let bar = Shape::segment([0.0, 0.0], [4.0, 0.0]).unwrap();
    let through = bar.at([0.0, 0.0]).unwrap().sweep([-3.0, 0.0]).unwrap();
    assert_eq!(world.shape_cast(through, u64::MAX).map(|hit| hit.1.time), Some(0.0));
    let away = bar.at([0.0, 0.0]).unwrap().sweep([3.0, 0.0]).unwrap();
    assert_eq!(world.shape_cast(away, u64::MAX).map(|hit| hit.1.time), None);
    let bar = world.insert(Collider::new(bar.clone()));
    world.set_motion(bar, [-3.0, 0.0], 0.0).unwrap();
    world.update();
    assert!(world.pose(bar).unwrap().translation().length() < 1e-6, "it stays beside the chain");
}
