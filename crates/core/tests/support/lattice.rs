//! Random shapes on a lattice, each with its polygons as an equal set of points.

use carom::{Mask, Placed, Pose, Shape};

use super::exact::{self, Relation};
use super::union::{Lattice, Union};

type Dice = fastrand::Rng;

/// A shape and the same set of points as outlines on the lattice.
pub struct Sample {
    pub shape: Shape,
    pub union: Union,
    pub name: &'static str,
}

pub fn f(points: &[Lattice]) -> Vec<[f64; 2]> {
    points.iter().map(|p| p.map(|x| x as f64)).collect()
}

pub fn pick(dice: &mut Dice, range: i64) -> Lattice {
    [dice.i64(-range..=range), dice.i64(-range..=range)]
}

/// Retries until something is accepted.
pub fn any<T>(dice: &mut Dice, mut make: impl FnMut(&mut Dice) -> Option<T>) -> T {
    loop {
        if let Some(made) = make(dice) {
            return made;
        }
    }
}

pub fn polygon(dice: &mut Dice) -> Sample {
    any(dice, |dice| {
        let points: Vec<Lattice> = (0..dice.usize(4..9)).map(|_| pick(dice, 3)).collect();
        let shape = Shape::polygon(&f(&points)).ok()?;
        Some(Sample { shape, union: Union { areas: vec![points], lines: vec![] }, name: "polygon" })
    })
}

pub fn cells(dice: &mut Dice) -> Vec<Lattice> {
    any(dice, |dice| {
        let cells: Vec<Lattice> = (0..16).filter(|_| dice.u8(0..3) > 0).map(|i| [i % 4, i / 4]).collect();
        (!cells.is_empty()).then_some(cells)
    })
}

pub fn square([x, y]: Lattice) -> Vec<Lattice> {
    vec![[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]
}

/// Pixels, as a mask or as a compound of squares: the same set.
pub fn pixels(dice: &mut Dice, as_mask: bool) -> Sample {
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

pub fn chain(dice: &mut Dice) -> Sample {
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

pub fn thin(dice: &mut Dice) -> Sample {
    let p = pick(dice, 4);
    let q = if dice.bool() { p } else { pick(dice, 4) };
    segment(p, q)
}

pub fn segment(p: Lattice, q: Lattice) -> Sample {
    let shape = Shape::segment(p.map(|x| x as f64), q.map(|x| x as f64)).unwrap();
    Sample { shape, union: Union { areas: vec![], lines: vec![[p, q]] }, name: "segment" }
}

/// A point, segment or chain along the edges of the parts of another shape, inner seams among them.
pub fn along_seams(dice: &mut Dice, other: &Shape) -> Sample {
    let (part, pose) = {
        let parts: Vec<(Shape, Pose)> = other.parts().collect();
        parts[dice.usize(0..parts.len())].clone()
    };
    let points: Vec<Lattice> = part.placed(pose).points().map(|p| [p.x.round() as i64, p.y.round() as i64]).collect();
    let at = |dice: &mut Dice| {
        let (i, n) = (dice.usize(0..points.len()), points.len());
        let (p, q) = (points[i], points[(i + 1) % n]);
        // An edge is a seam as often as not. Half of the time it is longer on either side.
        let more =
            |dice: &mut Dice, p: Lattice, q: Lattice| if dice.bool() { p } else { [2 * p[0] - q[0], 2 * p[1] - q[1]] };
        [more(dice, p, q), more(dice, q, p)]
    };
    let [p, q] = at(dice);
    match dice.u8(0..4) {
        0 => segment(p, p),
        1 if (p[0] + q[0]) % 2 == 0 && (p[1] + q[1]) % 2 == 0 => segment([0, 1].map(|k| i64::midpoint(p[k], q[k])), q),
        2 if p != q => {
            let end = pick(dice, 4);
            let lines = [[p, q], [q, end]].into_iter().filter(|[p, q]| p != q).collect();
            Sample {
                shape: Shape::chain(&f(&[p, q, end])).unwrap(),
                union: Union { areas: vec![], lines },
                name: "chain",
            }
        }
        _ => segment(p, q),
    }
}

/// Polygons, chains and segments in one.
pub fn mixed(dice: &mut Dice) -> Sample {
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

pub fn sample(dice: &mut Dice) -> Sample {
    match dice.u8(0..6) {
        0 => polygon(dice),
        1 => pixels(dice, true),
        2 => pixels(dice, false),
        3 => chain(dice),
        4 => mixed(dice),
        _ => thin(dice),
    }
}

/// Returns true if some pair of parts overlaps.
pub fn parts_overlap(a: Placed<'_>, b: Placed<'_>) -> bool {
    let whole = |placed: Placed<'_>| Shape::compound([(placed.shape().clone(), placed.pose())]).unwrap();
    let (a, b) = (whole(a), whole(b));
    a.parts().any(|(p, at)| {
        b.parts().any(|(q, there)| exact::relation(p.placed(at), q.placed(there)) == Relation::Overlapping)
    })
}
