//! Pairs made to mislead: touching, or an ulp beside it, in every way the promises list.

mod contact;
mod extremes;
pub mod lattice;
mod nested;
mod thousand;

use super::dice::Dice;
use super::recipe::Pair;

/// A family's name, and how a pair of it is made.
pub type Family = (&'static str, fn(&mut Dice) -> Pair);

/// The families, all drawn equally often.
pub const FAMILIES: &[Family] = &[
    ("corner on corner", contact::corner_on_corner),
    ("corner on edge", contact::corner_on_edge),
    ("edge on edge", contact::edge_on_edge),
    ("built on an edge", contact::built_on_an_edge),
    ("turned tiles", contact::turned_tiles),
    ("slivers", contact::slivers),
    ("whole numbers", lattice::whole_numbers),
    ("right triangles", lattice::right_triangles),
    ("split radii", lattice::split_radii),
    ("denormal", extremes::denormal),
    ("huge", extremes::huge),
    ("mixed magnitudes", extremes::mixed),
    ("identical", nested::identical),
    ("concentric", nested::concentric),
    ("contained", nested::contained),
];

/// Pairs in which at least one shape has a thousand corners.
pub const THOUSAND: &[Family] = &[
    ("thousand round", thousand::round),
    ("thousand exact", thousand::exact),
    ("thousand and any", thousand::and_any),
];

/// Those that the laws are asked of too: contacts at any angle, and centres that give no direction.
pub const LAWFUL: &[&str] =
    &["corner on corner", "corner on edge", "edge on edge", "turned tiles", "identical", "concentric", "contained"];

/// A family by its name.
pub fn named(name: &str) -> Family {
    *FAMILIES.iter().find(|f| f.0 == name).expect("a name from the table")
}

/// Every hundredth pair is one of [`THOUSAND`]: ten thousand of a million.
pub fn family(index: u64) -> Family {
    let (of, round) = if index % 100 == 99 { (THOUSAND, index / 100) } else { (FAMILIES, index) };
    of[usize::try_from(round % of.len() as u64).expect("a short table")]
}
