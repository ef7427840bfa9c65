//! Moving pairs, with the pose at any time by the definition of the motion.

use carom::{DVec2, Pose, Sweep};

use super::dice::{Dice, ulp};
use super::exact::{Difference, Outline, Relation};
use super::integer;
use super::measure::{Yardstick, diameter};
use super::recipe::{Body, Pair};
use super::turning;

/// Motions of both shapes of a pair from time 0 to time 1.
#[derive(Clone, Copy, Debug)]
pub struct Motions {
    pub translations: [DVec2; 2],
    pub turnings: [f64; 2],
}

impl Motions {
    pub fn swapped(&self) -> Self {
        let ([p, q], [s, t]) = (self.translations, self.turnings);
        Self { translations: [q, p], turnings: [t, s] }
    }

    pub fn sweeps<'a>(&self, pair: &'a Pair) -> [Sweep<'a>; 2] {
        let sweep = |body: &'a Body, i: usize| {
            let moving = body.placed().sweep(self.translations[i]).expect("a motion in range");
            moving.with_rotation(self.turnings[i]).expect("a turn in range")
        };
        [sweep(&pair.a, 0), sweep(&pair.b, 1)]
    }
}

/// A motion on which the shapes reach a given pair at some time, or shortly after its end. The dice
/// come from the pair.
pub fn leading_to(target: &Pair, turning: f64) -> (Pair, Motions) {
    let mut dice = Dice::of(target);
    let size = diameter(&target.a.outline()).max(diameter(&target.b.outline())).max(1e-3);
    let length = if dice.chance(0.1) { dice.magnitude(size, size.max(1e7)) } else { size * dice.magnitude(0.1, 1e3) };
    let shared = if dice.chance(0.5) { DVec2::ZERO } else { dice.direction() * length * dice.between(0.0, 2.0) };
    let travel = dice.direction() * length;
    let time = dice.between(0.0, 1.2);
    let turn = |dice: &mut Dice| if dice.chance(0.3) { 0.0 } else { dice.between(-turning, turning) };
    let turnings = if turning == 0.0 { [0.0; 2] } else { [turn(&mut dice), turn(&mut dice)] };
    let motions = Motions { translations: [shared, shared + travel], turnings };
    let back = |body: &Body, i: usize| {
        let position = body.pose.translation() - motions.translations[i] * time;
        let angle = body.pose.angle() - turnings[i] * time;
        if angle == body.pose.angle() {
            body.moved_to(position)
        } else {
            Body { pose: Pose::new(position, angle).expect("a pose in range"), ..body.clone() }
        }
    };
    (Pair { a: back(&target.a, 0), b: back(&target.b, 1) }, motions)
}

/// The tolerance that is promised: 1e-7 × size + 4 ulp.
pub fn tolerance(pair: &Pair, motions: &Motions) -> f64 {
    let unit = Yardstick::of(pair);
    let arcs = [(&pair.a, 0), (&pair.b, 1)].map(|(body, i)| bounding_radius(body) * motions.turnings[i].abs());
    let lengths = motions.translations.iter().map(|d| d.abs().max_element()).chain(arcs);
    let coarsest = lengths.map(ulp).fold(unit.ulp, f64::max);
    1e-7 * unit.size + 4.0 * coarsest
}

fn bounding_radius(body: &Body) -> f64 {
    body.shape.points().iter().map(|p| p.length()).fold(0.0, f64::max)
}

/// No gap changes by more than this while time goes from 0 to 1.
pub fn speed(pair: &Pair, motions: &Motions) -> f64 {
    let [p, q] = motions.translations;
    (q - p).length()
        + bounding_radius(&pair.a) * motions.turnings[0].abs()
        + bounding_radius(&pair.b) * motions.turnings[1].abs()
}

/// The gap at a time (negative: the depth of the overlap), right to a few ulp of the sizes.
pub fn gap(pair: &Pair, motions: &Motions, time: f64) -> f64 {
    if motions.turnings == [0.0; 2] {
        return Difference::moved(&pair.a.outline(), &pair.b.outline(), motions.translations, time).gap();
    }
    let (a, b) = turned(pair, motions, time);
    Difference::of(&a, &b).gap()
}

/// Returns whether they overlap at a time. Exact for motions without rotation.
pub fn overlap(pair: &Pair, motions: &Motions, time: f64) -> bool {
    assert_eq!(motions.turnings, [0.0; 2]);
    Difference::moved(&pair.a.outline(), &pair.b.outline(), motions.translations, time).relation()
        == Relation::Overlapping
}

/// Returns whether the shapes are so far from their pivots, for their size, that `f64` cannot
/// resolve the tolerance.
fn are_far(pair: &Pair) -> bool {
    let size = diameter(&pair.a.outline()).max(diameter(&pair.b.outline()));
    bounding_radius(&pair.a) + bounding_radius(&pair.b) > 1e5 * size
}

/// Both outlines at a time, seen from a point of the world.
pub fn seen_from(pair: &Pair, motions: &Motions, time: f64, point: DVec2) -> [Outline; 2] {
    if motions.turnings == [0.0; 2] || !are_far(pair) {
        return motions.sweeps(pair).map(|sweep| {
            let outline = Outline::of(sweep.at(time));
            Outline { points: outline.points.iter().map(|p| p - point).collect(), ..outline }
        });
    }
    far(pair, motions, time, Some(point))
}

/// Both outlines at a time, seen from the first point of a, or from a point of the world.
fn far(pair: &Pair, motions: &Motions, time: f64, from: Option<DVec2>) -> [Outline; 2] {
    let [a, b] = turning::seen([&pair.a, &pair.b], motions.translations, motions.turnings, time, from);
    [Outline { points: a, radius: pair.a.shape.radius() }, Outline { points: b, radius: pair.b.shape.radius() }]
}

/// Both outlines at a time, seen from the origin of a's pose, or where that is far away from a point of a.
fn turned(pair: &Pair, motions: &Motions, time: f64) -> (Outline, Outline) {
    if are_far(pair) {
        return far(pair, motions, time, None).into();
    }
    let (p, q) = (pair.a.pose.translation(), pair.b.pose.translation());
    let displacement =
        |axis: usize| integer::moved_difference([p[axis], q[axis]], motions.translations.map(|d| d[axis]), time);
    let outline = |body: &Body, turning: f64, at: DVec2| {
        let (sin, cos) = libm::sincos(turning * time);
        let (c, s) = (body.pose.cos(), body.pose.sin());
        let points = body.shape.points();
        let position = |p: &DVec2| {
            let now = DVec2::new(c * p.x - s * p.y, s * p.x + c * p.y);
            DVec2::new(cos * now.x - sin * now.y, sin * now.x + cos * now.y) + at
        };
        Outline { points: points.iter().map(position).collect(), radius: body.shape.radius() }
    };
    (
        outline(&pair.a, motions.turnings[0], DVec2::ZERO),
        outline(&pair.b, motions.turnings[1], DVec2::new(displacement(0), displacement(1))),
    )
}
