//! Repaired rings enclose the points that the fill rule says, pass as shapes, and keep their vertices.
//!
//! `CAROM_OUTLINES` sets how many random ones, `CAROM_SEED` which; a failure prints the rings.

mod cases;
mod oracle;
mod random;

use carom::decompose::{FillRule, Repair, repair};
use carom::{DVec2, Shape};

use self::oracle::{edges_within, encloses, rings_of};
use crate::support::dice::{Dice, ulp};
use crate::support::run;

const RULES: [FillRule; 2] = [FillRule::NonZero, FillRule::EvenOdd];

/// Largest number of ulp of the largest coordinate by which rounding bends an edge in these tests.
const BEND: f64 = 16.0;

#[test]
fn random_rings_enclose_the_area_of_the_fill_rule() {
    let (count, seed) = (run::from_environment("CAROM_OUTLINES").unwrap_or(10_000), run::seed());
    let mut seen = Seen::default();
    for i in 0..count {
        let mut dice = Dice::new(seed, i);
        let rings = random::rings(&mut dice);
        for rule in RULES {
            if let Err(message) = check(&mut dice, &rings, rule, &mut seen) {
                panic!("ring {i} of seed {seed}, {rule:?}: {message}: {rings:?}");
            }
        }
    }
    // Each kind of change, and points on both sides, occur often.
    for (name, number) in seen.list() {
        assert!(number > count as usize / 20, "only {number} {name}: {seen:?}");
    }
}

/// Counts of the cases that occurred.
#[derive(Debug, Default)]
struct Seen {
    inside: usize,
    outside: usize,
    crossings: usize,
    overlaps: usize,
    duplicates: usize,
    holes: usize,
    unchanged_vertices: usize,
}

impl Seen {
    fn list(&self) -> [(&'static str, usize); 7] {
        [
            ("points inside", self.inside),
            ("points outside", self.outside),
            ("crossings", self.crossings),
            ("overlaps", self.overlaps),
            ("repeated points", self.duplicates),
            ("holes", self.holes),
            ("input vertices", self.unchanged_vertices),
        ]
    }
}

fn check(dice: &mut Dice, rings: &[Vec<DVec2>], rule: FillRule, seen: &mut Seen) -> Result<(), String> {
    let repaired = repair(rings, rule).map_err(|e| format!("refused: {e}"))?;
    seen.crossings += repaired.changes.crossings;
    seen.overlaps += repaired.changes.overlaps;
    seen.duplicates += repaired.changes.duplicate_points;
    passes_as_shapes(&repaired, seen)?;
    let largest = rings.iter().flatten().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let bend = BEND * ulp(largest);
    keeps_vertices(rings, &repaired, bend, seen)?;
    encloses_the_same(dice, rings, &repaired, rule, bend, seen)?;
    is_idempotent(&repaired)
}

fn passes_as_shapes(repaired: &Repair, seen: &mut Seen) -> Result<(), String> {
    for polygon in &repaired.polygons {
        let rings = rings_of(polygon);
        Shape::polygon_with_holes(&rings[0], &rings[1..]).map_err(|e| format!("no shape: {e}"))?;
        seen.holes += rings.len() - 1;
    }
    Ok(())
}

/// Each vertex is a vertex of the input, bit for bit, or lies near a crossing of two edges.
fn keeps_vertices(rings: &[Vec<DVec2>], repaired: &Repair, bend: f64, seen: &mut Seen) -> Result<(), String> {
    let bits = |p: &DVec2| p.to_array().map(f64::to_bits);
    let given: std::collections::BTreeSet<_> = rings.iter().flatten().map(bits).collect();
    let mut new = std::collections::BTreeSet::new();
    for p in repaired.polygons.iter().flat_map(carom::decompose::PolygonWithHoles::points) {
        if given.contains(&bits(p)) {
            seen.unchanged_vertices += 1;
        } else if edges_within(rings, *p, bend) >= 2 {
            new.insert(bits(p));
        } else {
            return Err(format!("{p} is neither a vertex nor a crossing"));
        }
    }
    if new.len() > repaired.changes.crossings {
        return Err(format!("{} new vertices, but {} crossings", new.len(), repaired.changes.crossings));
    }
    Ok(())
}

/// Points away from all edges are in one polygon if the rule says that they are inside, else in none.
fn encloses_the_same(
    dice: &mut Dice,
    rings: &[Vec<DVec2>],
    repaired: &Repair,
    rule: FillRule,
    bend: f64,
    seen: &mut Seen,
) -> Result<(), String> {
    let all: Vec<DVec2> = rings.iter().flatten().copied().collect();
    let polygons: Vec<_> = repaired.polygons.iter().map(rings_of).collect();
    for i in 0..12 {
        // Between three vertices, or near a vertex.
        let [a, b, c] = [(); 3].map(|()| all[dice.index(all.len())]);
        let q = if i % 2 == 0 { a / 3.0 + b / 3.0 + c / 3.0 } else { a + dice.direction() * bend * 8.0 };
        if edges_within(rings, q, bend * 2.0) > 0 {
            continue;
        }
        let inside = encloses(rings, rule, q);
        *if inside { &mut seen.inside } else { &mut seen.outside } += 1;
        let holding = polygons.iter().filter(|rings| encloses(rings, FillRule::EvenOdd, q)).count();
        if holding != usize::from(inside) {
            return Err(format!("{holding} polygons hold {q}, which is inside: {inside}"));
        }
    }
    Ok(())
}

/// The rings of the result are returned bit for bit.
fn is_idempotent(repaired: &Repair) -> Result<(), String> {
    let rings: Vec<Vec<DVec2>> = repaired.polygons.iter().flat_map(rings_of).collect();
    let again = repair(&rings, FillRule::EvenOdd).map_err(|e| format!("refused again: {e}"))?;
    if !again.changes.is_empty() {
        return Err(format!("changed again: {:?}", again.changes));
    }
    if again.polygons != repaired.polygons {
        return Err(format!("other polygons: {:?} and {:?}", repaired.polygons, again.polygons));
    }
    Ok(())
}
