//! Composites overlap as unions: the result does not depend on the decomposition.

use carom::{
    Mask, Placed, Pose, Shape, collide, distance, explain_sat, intersects, manifolds, overlaps, time_of_impact,
};

use crate::support::lattice::{along_seams, cells, f, parts_overlap, sample};
use crate::support::run::pairs;
use crate::support::union::{Lattice, Union, lines_cross, share_a_stretch};

type Dice = fastrand::Rng;

/// L of side 4 whose parts share the diagonal from (0, 0) to (2, 2).
fn ell() -> Shape {
    Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]]).unwrap()
}

/// Checks that all pair queries agree: overlapping ⇔ depth > 0, touching ⇔ depth 0. Returns the depth, `None` if apart.
fn agreed_depth(a: Placed<'_>, b: Placed<'_>, name: &str) -> Option<f64> {
    let found = collide(a, b);
    let (meet, overlap) = (intersects(a, b), overlaps(a, b));
    assert_eq!((intersects(b, a), overlaps(b, a)), (meet, overlap), "{name}");
    for m in [found, collide(b, a)] {
        assert_eq!((m.is_some(), m.is_some_and(|m| m.depth > 0.0)), (meet, overlap), "{name}: {m:?}");
    }
    let both = [found, collide(b, a)].map(|m| m.map_or(0.0, |m| m.depth));
    assert!((both[0] - both[1]).abs() < 1e-12, "{name}: {both:?}");
    let mut all = Vec::new();
    manifolds(a, b, &mut all);
    let deepest = all.iter().copied().reduce(|p, q| if q.depth > p.depth { q } else { p });
    assert_eq!(deepest, found, "{name}: the deepest of {all:?}");
    let why = explain_sat(a, b);
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
        let moved = b.shape().placed(b.pose().with_translation(at).unwrap());
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

#[test]
fn overlaps_is_decided_on_the_union() {
    let rounds = pairs(4_000);
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
        let expected =
            by_parts || meets(&a.union, &b.union) || meets(&b.union, &a.union) || lines_cross(&a.union, &b.union);
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

/// A path over a lattice that does not touch itself.
fn path(dice: &mut Dice, points: &mut Vec<Lattice>, more: usize) -> bool {
    for _ in 0..more {
        let [x, y] = points[points.len() - 1];
        let steps = [[1, 0], [0, 1], [-1, 0], [0, -1]];
        let [dx, dy] = steps[dice.usize(0..4)];
        let next = [x + dx, y + dy];
        if points.contains(&next) {
            return false;
        }
        points.push(next);
    }
    true
}

/// The side of a path on which another one lies that leaves it at `at`: +1 for left.
fn side(path: &[Lattice], at: Lattice, toward: Lattice) -> i64 {
    let i = path.iter().position(|p| *p == at).unwrap();
    let angle = |to: Lattice| ((to[1] - at[1]) as f64).atan2((to[0] - at[0]) as f64);
    let turn = |to: Lattice| (angle(to) - angle(path[i + 1])).rem_euclid(std::f64::consts::TAU);
    if turn(toward) < turn(path[i - 1]) { 1 } else { -1 }
}

/// Paths that share a stretch overlap if and only if they change sides there.
#[test]
fn chains_that_share_a_stretch_overlap_if_they_cross() {
    let (mut dice, mut counts) = (Dice::with_seed(5), [0; 2]);
    while counts.iter().sum::<i32>() < 400 {
        // b runs along a from number i to number j, and away from it at both ends.
        let mut a = vec![[0, 0]];
        if !path(&mut dice, &mut a, 7) {
            continue;
        }
        let (i, j) = (dice.usize(1..4), dice.usize(3..7));
        if j < i {
            continue;
        }
        let (mut tail, mut head) = (vec![a[i]], vec![a[j]]);
        let (long, longer) = (dice.usize(1..4), dice.usize(1..4));
        if !path(&mut dice, &mut tail, long) || !path(&mut dice, &mut head, longer) {
            continue;
        }
        let away: Vec<Lattice> = tail[1..].iter().chain(&head[1..]).copied().collect();
        let alone = away.iter().collect::<std::collections::BTreeSet<_>>().len() == away.len();
        if !alone || away.iter().any(|p| a.contains(p)) {
            continue;
        }
        let b: Vec<Lattice> = tail
            .iter()
            .rev()
            .chain(&a[(i + 1).min(j)..j])
            .chain(if j > i { &head[..] } else { &head[1..] })
            .copied()
            .collect();
        let crosses = side(&a, a[i], tail[1]) != side(&a, a[j], head[1]);
        let shapes = [&a, &b].map(|points| Shape::chain(&f(points)).unwrap());
        let [p, q] = [0, 1].map(|k| shapes[k].at([0.0, 0.0]).unwrap());
        let name = format!("{a:?} and {b:?}");
        assert_eq!(agreed_depth(p, q, &name).map(|depth| depth > 0.0), Some(crosses), "{name}");
        // Links cut in two are the same chain.
        let cut = |points: &[Lattice]| {
            let middles = points
                .windows(2)
                .flat_map(|w| [w[0].map(|x| x as f64), [0, 1].map(|k| (w[0][k] + w[1][k]) as f64 / 2.0)]);
            let last = points[points.len() - 1].map(|x| x as f64);
            Shape::chain(&middles.chain([last]).collect::<Vec<_>>()).unwrap()
        };
        let finer = [&a, &b].map(|points| cut(points));
        assert_eq!(overlaps(finer[0].at([0.0, 0.0]).unwrap(), q), crosses, "{name}, the first one cut");
        assert_eq!(overlaps(p, finer[1].at([0.0, 0.0]).unwrap()), crosses, "{name}, the second one cut");
        counts[usize::from(crosses)] += 1;
    }
    assert!(counts.iter().all(|&n| n > 50), "beside, across: {counts:?}");
}

/// Circles and rounded rectangles that touch from outside leave the place on the boundary; flush
/// straight sides leave a seam.
#[test]
fn rounded_parts_surround_a_point_or_leave_it_on_the_boundary() {
    let compound = |parts: &[(&Shape, [f64; 2])]| {
        Shape::compound(parts.iter().map(|(shape, at)| ((*shape).clone(), Pose::from_translation(*at).unwrap())))
            .unwrap()
    };
    let (point, disk) = (Shape::circle(0.0).unwrap(), Shape::circle(1.0).unwrap());
    let origin = point.at([0.0, 0.0]).unwrap();
    let disks = compound(&[(&disk, [-1.0, 0.0]), (&disk, [1.0, 0.0])]);
    let disks = disks.at([0.0, 0.0]).unwrap();
    assert_eq!(agreed_depth(disks, origin, "two disks"), Some(0.0));
    let between = Shape::segment([0.0, -2.0], [0.0, 2.0]).unwrap();
    assert_eq!(agreed_depth(disks, between.at([0.0, 0.0]).unwrap(), "a segment between two disks"), Some(0.0));

    // Straight sides from (0, -1) to (0, 1), flush.
    let block = Shape::rectangle(1.0, 2.0).unwrap().rounded(0.5).unwrap();
    let blocks = compound(&[(&block, [-1.0, 0.0]), (&block, [1.0, 0.0])]);
    let blocks = blocks.at([0.0, 0.0]).unwrap();
    for (y, is_inside) in [(0.0, true), (0.999, true), (1.0, false), (-1.0, false), (1.001, false)] {
        let b = point.at([0.0, y]).unwrap();
        let depth = agreed_depth(blocks, b, "two rounded blocks");
        assert_eq!(depth.is_some_and(|depth| depth > 0.0), is_inside, "at {y}");
        assert_eq!(blocks.signed_distance([0.0, y]).unwrap() < 0.0, is_inside, "at {y}");
        if is_inside {
            leads_out(blocks, b, "two rounded blocks");
        }
    }
    // Out through the notch between both, where its rims begin.
    assert!((collide(blocks, origin).unwrap().depth - 1.0).abs() < 1e-12);
    assert!(agreed_depth(blocks, between.at([0.0, 0.0]).unwrap(), "along the seam").is_some_and(|depth| depth > 0.0));
    assert_eq!(agreed_depth(blocks, between.at([0.0, 3.0]).unwrap(), "above the seam"), Some(0.0));

    // Three disks around a point leave it inside or not as their sectors do: here they leave no gap.
    let around = compound(&[(&disk, [-1.0, 0.0]), (&disk, [0.5, 0.75_f64.sqrt()]), (&disk, [0.5, -(0.75_f64.sqrt())])]);
    let around = around.at([0.0, 0.0]).unwrap();
    assert!(agreed_depth(around, origin, "three disks").is_some());
}

/// A point that is in contact at the start and enters along a seam is stopped, one that slides
/// along the outside is not.
#[test]
fn casts_enter_along_seams() {
    let (ell, point) = (ell(), Shape::circle(0.0).unwrap());
    let a = ell.at([0.0, 0.0]).unwrap();
    let cast = |from: [f64; 2], displacement: [f64; 2]| {
        let forth = time_of_impact(a, point.at(from).unwrap().sweep(displacement).unwrap());
        let back = time_of_impact(point.at(from).unwrap().sweep(displacement).unwrap(), a);
        assert_eq!(forth.map(|hit| hit.time), back.map(|hit| hit.time), "from {from:?} by {displacement:?}");
        forth
    };
    // From outside along the line of the seam.
    let hit = cast([-1.0, -1.0], [4.0, 4.0]).unwrap();
    assert!(hit.time <= 0.25 && hit.time > 0.249_999 && hit.initial_depth.is_none(), "{hit:?}");
    // From its ends, in contact at the start, and from as near as the tolerance.
    for from in [[0.0, 0.0], [1e-9, 1e-9], [-1e-9, -1e-9], [1e-9, 0.0], [0.0, -1e-9]] {
        for long in [2.0, 1.0, 0.125, 1e-3, 8.0] {
            let hit = cast(from, [long, long]);
            assert!(hit.is_some_and(|hit| hit.time < 1e-5), "from {from:?} by {long}: {hit:?}");
        }
    }
    assert_eq!(cast([2.0, 2.0], [-1.0, -1.0]).map(|hit| hit.time), Some(0.0));
    // Inside at the start.
    assert_eq!(cast([1.0, 1.0], [0.5, 0.5]).and_then(|hit| hit.initial_depth), Some(1.0));
    // Away from the seam, along the boundary, and past a corner.
    for displacement in [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [-1.0, 1.0], [1.0, -1.0]] {
        assert_eq!(cast([0.0, 0.0], displacement), None, "by {displacement:?}");
    }
    assert_eq!(cast([2.0, 2.0], [1.0, 1.0]), None);
    assert_eq!(cast([2.0, 2.0], [0.0, 1.0]), None);
}

/// World queries and updates have the results of pair queries.
#[test]
fn worlds_see_unions() {
    use carom::{Collider, World};
    let (ell, point) = (ell(), Shape::circle(0.0).unwrap());
    let mut world = World::new();
    let block = world.insert(Collider::new(ell.clone()));
    let position = point.at([1.0, 1.0]).unwrap();
    assert_eq!(world.overlapping(position, u64::MAX), [block]);
    assert!(world.overlapping(point.at([0.0, 0.0]).unwrap(), u64::MAX).is_empty());
    let dot = world.insert(Collider::new(point.clone()).at([1.0, 1.0]).unwrap());
    world.update();
    let depths: Vec<f64> = world.contacts().map(|contact| contact.depth).collect();
    assert_eq!(depths, [1.0]);
    let hit = world.shape_cast(point.at([0.0, 0.0]).unwrap().sweep([1.0, 1.0]).unwrap(), u64::MAX);
    assert_eq!(hit.map(|hit| hit.1.time), Some(0.0));
    world.remove(dot);
    let dot = world.insert(Collider::new(point).at([0.0, 0.0]).unwrap());
    world.update();
    assert_eq!(world.contacts().map(|contact| contact.depth).collect::<Vec<_>>(), [0.0]);
    world.set_motion(dot, [1.0, 1.0], 0.0).unwrap();
    world.update();
    assert_eq!(world.motion_hits().map(|hit| hit.hit.time).collect::<Vec<_>>(), [0.0]);
    assert!(world.pose(dot).unwrap().translation().length() < 1e-6, "it stays outside");
}

/// A shape that crosses a one-sided chain at a vertex is pushed to the chain's front.
#[test]
fn one_sided_chains_push_to_their_front() {
    // Right to left: the front is above.
    let floor = Shape::chain(&[[5.0, 0.0], [0.0, 0.0], [-5.0, 0.0]]).unwrap().one_sided().unwrap();
    let post = Shape::segment([0.0, -3.0], [0.0, 1.0]).unwrap();
    let (floor, post) = (floor.at([0.0, 0.0]).unwrap(), post.at([0.0, 0.0]).unwrap());
    assert_eq!(agreed_depth(floor, post, "the post"), Some(3.0));
    assert_eq!(collide(floor, post).unwrap().normal, [0.0, 1.0].into());
    assert_eq!(collide(post, floor).unwrap().normal, [0.0, -1.0].into());
}

/// The same pixels as a mask, as squares and as a polygon intersect every segment equally.
#[test]
fn the_cut_does_not_matter() {
    let mut dice = Dice::with_seed(3);
    for _ in 0..300 {
        let cells = cells(&mut dice);
        let has = |x: i64, y: i64| cells.contains(&[x, y]);
        let mask = Shape::mask(Mask::from_fn(4, 4, |x, y| has(i64::from(x), i64::from(y))).unwrap()).unwrap();
        let [one, slab] = [1.0, 2.0].map(|width| Shape::rectangle(width, 1.0).unwrap());
        let at = |x: f64, y: f64| Pose::from_translation([x, y]).unwrap();
        let squares =
            Shape::compound(cells.iter().map(|c| (one.clone(), at(c[0] as f64 + 0.5, c[1] as f64 + 0.5)))).unwrap();
        // Slabs of two cells that overlap each other, and squares.
        let pairs = cells
            .iter()
            .filter(|c| has(c[0] + 1, c[1]))
            .map(|c| (slab.clone(), at(c[0] as f64 + 1.0, c[1] as f64 + 0.5)));
        let alone = cells.iter().filter(|c| !has(c[0] + 1, c[1]) && !has(c[0] - 1, c[1]));
        let alone = alone.map(|c| (one.clone(), at(c[0] as f64 + 0.5, c[1] as f64 + 0.5)));
        let slabs = Shape::compound(pairs.chain(alone)).unwrap();
        for _ in 0..20 {
            let mut pick = || [dice.i64(-2..=10) as f64 / 2.0, dice.i64(-2..=10) as f64 / 2.0];
            let (p, q) = (pick(), pick());
            let segment = Shape::segment(p, if p[0] < 2.0 { q } else { p }).unwrap();
            let b = segment.at([0.0, 0.0]).unwrap();
            let answers = [&mask, &squares, &slabs].map(|shape| overlaps(shape.at([0.0, 0.0]).unwrap(), b));
            assert_eq!(answers, [answers[0]; 3], "{cells:?}, {p:?} to {q:?}");
        }
    }
}

/// Sizes from denormal numbers up to the limit, and polygons whose placed points are one point.
#[test]
fn unions_of_any_size() {
    let point = Shape::circle(0.0).unwrap();
    for scale in [1e-290, 1e-250, 1e-100, 1e-9, 1e9, 2e29] {
        let small = ell().scaled(scale, scale).unwrap();
        let (a, b) = (small.at([0.0, 0.0]).unwrap(), point.at([scale, scale]).unwrap());
        let depth = agreed_depth(a, b, &format!("{scale}")).unwrap();
        assert!(depth > 0.0 && (depth / scale - 1.0).abs() < 1e-9, "{depth} of {scale}");
    }
    let dust = Shape::polygon(&[[0.0, 0.0], [1e-20, 0.0], [0.0, 1e-20]]).unwrap();
    let ell = ell();
    let depth = agreed_depth(ell.at([0.0, 0.0]).unwrap(), dust.at([1.0, 1.0]).unwrap(), "dust");
    assert!((depth.unwrap() - 1.0).abs() < 1e-12);
}

/// Ends of segments enter along seams too. A shape slides freely through a corridor of its own width.
#[test]
fn segments_in_contact_enter_along_seams_only() {
    let ell = ell();
    let a = ell.at([0.0, 0.0]).unwrap();
    let needle = Shape::segment([-1.0, -1.0], [0.0, 0.0]).unwrap();
    let needle = needle.at([0.0, 0.0]).unwrap();
    assert_eq!(agreed_depth(a, needle, "the needle"), Some(0.0));
    assert_eq!(time_of_impact(a, needle.sweep([1.0, 1.0]).unwrap()).map(|hit| hit.time), Some(0.0));
    assert_eq!(time_of_impact(a, needle.sweep([-1.0, -1.0]).unwrap()), None);

    let wall = Shape::rectangle(4.0, 1.0).unwrap();
    let walls = [[-2.0, -1.0], [2.0, -1.0], [-2.0, 1.0], [2.0, 1.0]];
    let corridor = Shape::compound(walls.map(|at| (wall.clone(), Pose::from_translation(at).unwrap()))).unwrap();
    let across = Shape::segment([0.0, -0.5], [0.0, 0.5]).unwrap();
    let (a, b) = (corridor.at([0.0, 0.0]).unwrap(), across.at([0.0, 0.0]).unwrap());
    assert_eq!(agreed_depth(a, b, "the corridor"), Some(0.0));
    assert_eq!(time_of_impact(a, b.sweep([1.0, 0.0]).unwrap()), None);
    assert_eq!(time_of_impact(a, b.sweep([0.0, 0.5]).unwrap()).map(|hit| hit.time), Some(0.0));
}

/// Segments along the edges of a shape's own squares, or through them, add nothing to the shape.
#[test]
fn lines_along_own_edges_add_nothing() {
    let rounds = pairs(600);
    let (mut dice, mut counts) = (Dice::with_seed(17), [0; 3]);
    let one = Shape::rectangle(1.0, 1.0).unwrap();
    for round in 0..rounds {
        let cells = cells(&mut dice);
        let at = |[x, y]: Lattice| Pose::from_translation([x as f64 + 0.5, y as f64 + 0.5]).unwrap();
        let squares: Vec<(Shape, Pose)> = cells.iter().map(|&cell| (one.clone(), at(cell))).collect();
        let lines = cells.iter().flat_map(|&[x, y]| {
            let corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
            let (i, more) = (dice.usize(0..4), dice.usize(1..3));
            // Edges and diagonals, some of them cut in two.
            let [p, q] = [corners[i], corners[(i + more) % 4]].map(|p| p.map(|x| x as f64));
            let middle = [0, 1].map(|k| f64::midpoint(p[k], q[k]));
            if dice.bool() { vec![[p, q]] } else { vec![[p, middle], [q, middle]] }
        });
        let lines: Vec<(Shape, Pose)> = lines.map(|ends| (Shape::chain(&ends).unwrap(), Pose::IDENTITY)).collect();
        let plain = Shape::compound(squares.clone()).unwrap();
        let lined = Shape::compound(squares.into_iter().chain(lines)).unwrap();
        for _ in 0..4 {
            let other = if dice.bool() { along_seams(&mut dice, &lined) } else { sample(&mut dice) };
            let [p, q, b] = [&plain, &lined, &other.shape].map(|shape| shape.at([0.0, 0.0]).unwrap());
            let name = format!("round {round}: {cells:?} and {:?}", other.union);
            assert_eq!(overlaps(p, b), overlaps(q, b), "{name}");
            assert_eq!(intersects(p, b), intersects(q, b), "{name}");
            counts[usize::from(intersects(p, b)) + usize::from(overlaps(p, b))] += 1;
            if !parts_overlap(q, b) {
                agreed_depth(q, b, &name);
            }
        }
    }
    assert!(counts.iter().all(|&n| n * 30 > rounds), "apart, touching, overlapping: {counts:?}");
}

/// The same set with a line along its edge and without overlaps the same.
#[test]
fn a_post_on_a_table_beside_a_line_along_the_table() {
    let table = Shape::rectangle(4.0, 1.0).unwrap();
    let position = Pose::from_translation([0.0, -0.5]).unwrap();
    let chain = |points: &[[f64; 2]]| Shape::chain(points).unwrap();
    let post = chain(&[[0.0, 0.0], [0.0, 1.0]]);
    let line = chain(&[[-2.0, 0.0], [2.0, 0.0]]);
    let hook = chain(&[[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]);
    let without = Shape::compound([(table.clone(), position), (post.clone(), Pose::IDENTITY)]).unwrap();
    let with = Shape::compound([(table, position), (post, Pose::IDENTITY), (line, Pose::IDENTITY)]).unwrap();
    let hook = hook.at([0.0, 0.0]).unwrap();
    let depths = [without, with].map(|shape| agreed_depth(shape.at([0.0, 0.0]).unwrap(), hook, "the hook"));
    assert_eq!(depths[0], depths[1]);
}
