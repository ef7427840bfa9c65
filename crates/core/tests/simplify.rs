//! Simplified polylines: the promises of `simplify`, tested in integers by their definitions.
//!
//! `CAROM_OUTLINES` sets how many random lines, `CAROM_SEED` which; a failure prints the line.

use carom::decompose::simplify;
use carom::{DVec2, ErrorKind};

use crate::support::dice::{Dice, heading};
use crate::support::run;

type Point = [i128; 2];
type Edge = [Point; 2];

fn minus(p: Point, q: Point) -> Point {
    [p[0] - q[0], p[1] - q[1]]
}

fn dot(p: Point, q: Point) -> i128 {
    p[0] * q[0] + p[1] * q[1]
}

fn side([a, b]: Edge, p: Point) -> i128 {
    let (u, v) = (minus(b, a), minus(p, a));
    (u[0] * v[1] - u[1] * v[0]).signum()
}

/// Returns whether the point is at most `sixteenths / 16` from the segment.
fn near([a, b]: Edge, p: Point, sixteenths: i128) -> bool {
    let [ab, ap, bp] = [minus(b, a), minus(p, a), minus(p, b)];
    let limit = sixteenths * sixteenths;
    if dot(ab, ap) <= 0 {
        return 256 * dot(ap, ap) <= limit;
    }
    if dot(ab, bp) >= 0 {
        return 256 * dot(bp, bp) <= limit;
    }
    let area = ab[0] * ap[1] - ab[1] * ap[0];
    256 * area * area <= limit * dot(ab, ab)
}

fn on_edge([a, b]: Edge, p: Point) -> bool {
    side([a, b], p) == 0 && a.min(b) <= p && p <= a.max(b)
}

/// Returns whether they cross at an inner point of both.
fn cross(e: Edge, f: Edge) -> bool {
    side(e, f[0]) * side(e, f[1]) < 0 && side(f, e[0]) * side(f, e[1]) < 0
}

fn touch(e: Edge, f: Edge) -> bool {
    cross(e, f) || f.iter().any(|&p| on_edge(e, p)) || e.iter().any(|&p| on_edge(f, p))
}

fn edges(line: &[Point]) -> Vec<Edge> {
    line.windows(2).map(|w| [w[0], w[1]]).collect()
}

/// No two edges share a point, but for those that follow each other, which share their vertex.
fn is_simple(line: &[Point]) -> bool {
    let edges = edges(line);
    let meets = |i: usize, j: usize| {
        if i + 1 == j {
            on_edge(edges[i], edges[j][1]) || on_edge(edges[j], edges[i][0])
        } else {
            touch(edges[i], edges[j])
        }
    };
    (0..edges.len()).all(|j| edges[j][0] != edges[j][1] && (0..j).all(|i| !meets(i, j)))
}

fn crossings(line: &[Point]) -> usize {
    let edges = edges(line);
    (0..edges.len()).map(|j| (0..j).filter(|&i| cross(edges[i], edges[j])).count()).sum()
}

/// A line of one of many kinds, in whole numbers.
fn line(dice: &mut Dice) -> Vec<Point> {
    let n = dice.count(1, 90);
    let size = f64::from(dice.one_of(&[10, 1_000, 1_000_000]));
    let at = |p: DVec2| [p.x.round() as i128, p.y.round() as i128];
    let (noise, turn) = (dice.one_of(&[0.0, 0.1, 3.0]), dice.between(0.02, 0.9));
    let mut walker = DVec2::ZERO;
    let mut points: Vec<Point> = match dice.index(7) {
        // Nearly straight, and straight in any direction.
        0 => (0..n).map(|i| at(DVec2::new(size * i as f64, noise * size * dice.between(-1.0, 1.0)))).collect(),
        1 => {
            let step = at(dice.direction() * 20.0);
            let mut along = 0;
            (0..n)
                .map(|_| (along, along += i128::from(dice.whole(1, 9))).0)
                .map(|t| [t * step[0], t * step[1]])
                .collect()
        }
        2 => (0..n)
            .map(|i| at(heading(turn * i as f64) * (size * i as f64 + noise * size * dice.between(-1.0, 1.0))))
            .collect(),
        3 => (0..n).map(|i| [3 * i as i128, if i % 2 == 0 { 0 } else { i128::from(dice.whole(1, 20)) }]).collect(),
        // Stairs, as around pixels.
        4 => (0..n)
            .map(|i| {
                walker[i % 2] += f64::from(dice.whole(1, 3));
                at(walker)
            })
            .collect(),
        // Walks and clouds cross themselves.
        5 => (0..n)
            .map(|_| {
                walker += dice.lattice(3);
                at(walker)
            })
            .collect(),
        _ => (0..n).map(|_| at(dice.lattice(100) * (size / 10.0))).collect(),
    };
    if dice.chance(0.3) {
        let again = dice.index(points.len());
        (0..dice.count(1, 3)).for_each(|_| points.insert(again, points[again]));
    }
    points
}

/// Checks one line at one deviation, in sixteenths, at a scale that is a power of two; and says how many points went.
fn check(line: &[Point], sixteenths: i128, scale: f64) -> Result<usize, String> {
    let floats: Vec<DVec2> = line.iter().map(|p| DVec2::new(p[0] as f64, p[1] as f64) * scale).collect();
    let found = simplify(&floats, sixteenths as f64 / 16.0 * scale).map_err(|e| e.to_string())?;
    let simple: Vec<Point> = found.iter().map(|&p| (p / scale).to_array().map(|c| c as i128)).collect();
    if (simple.first(), simple.last()) != (line.first(), line.last()) {
        return Err("the ends moved".into());
    }
    // Equal points all stay, except consecutive ones. So the first of equal points is the one that
    // was kept.
    let mut at = 0;
    for edge in edges(&simple) {
        let skipped = line[at + 1..].iter().position(|&p| p == edge[1]).ok_or("a point is new, or out of turn")?;
        let replaced = &line[at..=at + 1 + skipped];
        if let Some(p) = replaced.iter().find(|&&p| !near(edge, p, sixteenths)) {
            return Err(format!("{p:?} is too far from {edge:?}"));
        }
        back(replaced, edge, sixteenths as f64 / 16.0)?;
        at += 1 + skipped;
    }
    if line[at..].iter().any(|p| Some(p) != line.last()) {
        return Err("the last edge ends too early".into());
    }
    let mut deduplicated = line.to_vec();
    deduplicated.dedup();
    if is_simple(&deduplicated) && deduplicated.len() > 1 && !is_simple(&simple) {
        return Err("a simple line touches itself".into());
    }
    if crossings(&simple) > crossings(line) {
        return Err("more crossings than before".into());
    }
    Ok(line.len() - simple.len())
}

/// Returns whether each point of the new edge is near the old line. Samples the edge in floating
/// point.
fn back(replaced: &[Point], [a, b]: Edge, deviation: f64) -> Result<(), String> {
    let [a, b] = [a, b].map(|p| DVec2::new(p[0] as f64, p[1] as f64));
    let old: Vec<DVec2> = replaced.iter().map(|p| DVec2::new(p[0] as f64, p[1] as f64)).collect();
    for k in 0..=8 {
        let p = a.lerp(b, f64::from(k) / 8.0);
        let distance = |w: &[DVec2]| {
            let (d, v) = (w[1] - w[0], p - w[0]);
            let t = if d == DVec2::ZERO { 0.0 } else { (d.dot(v) / d.length_squared()).clamp(0.0, 1.0) };
            (v - d * t).length()
        };
        let nearest = old.windows(2).map(distance).fold(f64::INFINITY, f64::min);
        if nearest > deviation + 1e-12 * (p.length() + deviation) {
            return Err(format!("{p} of the new line is {nearest} from the old one"));
        }
    }
    Ok(())
}

#[test]
fn open_lines_stay_near_keep_their_ends_and_cross_nothing() {
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(2_000), run::seed());
    let (mut removed, mut simple) = (0, 0);
    for i in 0..count {
        let dice = &mut Dice::new(seed, i);
        let line = line(dice);
        let sixteenths = match dice.index(4) {
            0 => 0,
            1 => i128::from(dice.whole(1, 100)),
            _ => dice.magnitude(1.0, 3e8) as i128,
        };
        let scale = libm::ldexp(1.0, dice.whole(-60, 60));
        match check(&line, sixteenths, scale) {
            Ok(went) => removed += went,
            Err(error) => panic!("line {i} of seed {seed}: {error}\n{line:?}, {sixteenths} sixteenths"),
        }
        simple += u64::from(line.len() > 3 && is_simple(&line));
    }
    println!("{removed} points went, {simple} lines were simple");
    assert!(removed as u64 > 10 * count && simple * 5 > count, "{removed} points went, {simple} lines were simple");
}

/// Nothing in the way, and near enough: nothing but the ends stays.
#[test]
fn vertices_within_the_deviation_are_removed() {
    let straight: Vec<Point> = (0..100).map(|i| [7 * i * i, -3 * i * i]).collect();
    assert_eq!(check(&straight, 0, 1.0), Ok(98));
    let zigzag: Vec<Point> = (0..101).map(|i| [i, i % 2]).collect();
    assert_eq!(check(&zigzag, 15, 1.0), Ok(0), "every second point is 1 off");
    assert_eq!(check(&zigzag, 17, 1.0), Ok(99));
    assert_eq!(check(&[[5, 5]; 9], 0, 1.0), Ok(7), "both ends stay");
    // 0.1 + 0.2 is not 0.3: off the line by less than rounding, and so it stays.
    let nearly = [[0.1, 0.1], [0.2, 0.2_f64.next_up()], [0.3, 0.3]];
    assert_eq!(simplify(&nearly, 0.0).unwrap().len(), 3);
    assert_eq!(simplify(&nearly, 1e-15).unwrap().len(), 2);
}

/// A straight arm of a spiral would cross the next arm, and a straight wall the arm that reaches
/// into the bay. Nothing crosses, for any tolerance.
#[test]
fn nothing_is_passed_over() {
    let bay = [[0, 0], [10, 0], [10, -9], [20, -9], [20, 0], [30, 0], [30, 30], [15, 30], [15, -5]]
        .map(|p: [i32; 2]| p.map(i128::from));
    let double = |i: i32| heading(0.1 * f64::from(i.abs())) * (100.0 + f64::from(i.abs())) * f64::from(i.signum());
    let spiral: Vec<Point> = (-400..400).map(|i| double(i).round().to_array().map(|c| c as i128)).collect();
    assert!(is_simple(&bay) && is_simple(&spiral));
    let mut removed = 0;
    for units in [1, 5, 20, 60, 200, 100_000] {
        removed += check(&bay, 16 * units, 1.0).unwrap() + check(&spiral, 16 * units, 1.0).unwrap();
    }
    assert!(removed > 3_000, "{removed}");
}

/// A hundred thousand points in any arrangement need little time. An algorithm with quadratic cost
/// would need minutes.
#[test]
fn long_lines_end() {
    let n = 100_000;
    let line = |f: &dyn Fn(f64) -> DVec2| -> Vec<DVec2> { (0..n).map(|i| f(f64::from(i))).collect() };
    let mut dice = Dice::new(run::seed(), 0);
    let noise: Vec<f64> = (0..n).map(|_| dice.between(-0.5, 0.5)).collect();
    let lines = [
        (line(&|i| DVec2::new(i, 0.0)), 0.0),
        (line(&|i| DVec2::new(3.0 * i, 7.0 * i)), 1.0),
        (line(&|i| DVec2::new(i, i % 2.0)), 2.0),
        (line(&|i| DVec2::new(i, noise[i as usize])), 1.5),
        // Ever longer steps: the ends differ from the middle in all that may set the order.
        (line(&|i| DVec2::new(i * i, (i % 2.0) * i)), 1e6),
    ];
    for (line, deviation) in lines {
        assert_eq!(simplify(&line, deviation).unwrap(), [line[0], line[line.len() - 1]]);
    }
}

#[test]
fn lines_that_mean_nothing_are_refused() {
    let line = |y: f64| [[0.0, 0.0], [1.0, y], [2.0, 0.0]];
    for (y, deviation, kind, words) in [
        (f64::NAN, 1.0, ErrorKind::NotFinite, "y of the point 1"),
        (1e31, 1.0, ErrorKind::OutOfRange, "y of the point 1"),
        (0.0, -1.0, ErrorKind::Negative, "deviation is -1"),
        (0.0, f64::INFINITY, ErrorKind::NotFinite, "deviation"),
        (0.0, 1e31, ErrorKind::OutOfRange, "deviation"),
    ] {
        let error = simplify(&line(y), deviation).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    assert!(simplify::<DVec2>(&[], 1.0).unwrap().is_empty());
    assert_eq!(simplify(&[[1.0, 2.0]], 1.0).unwrap(), [DVec2::new(1.0, 2.0)]);
}
