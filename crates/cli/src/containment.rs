//! `carom check --contains`: reports which shape contains which.
use std::io::{self, Write};

use carom::{Aabb, Placed, contains};
use carom_scene::Scene;
use serde::Serialize;

use crate::broad_phase::BroadPhaseArg;
use crate::number_format::text;
use crate::pipeline::candidates;
use crate::table::{Align, Cell, Table};

/// Output of `check --contains --format json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Report<'s> {
    pub(crate) shapes: usize,
    pub(crate) contained: Vec<Row<'s>>,
}

/// One pair. A line of `--format ndjson`.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Row<'s> {
    outer: &'s str,
    inner: &'s str,
}

impl<'s> Row<'s> {
    pub(crate) fn new(scene: &'s Scene, [outer, inner]: [usize; 2]) -> Self {
        Self { outer: &scene.colliders[outer].id, inner: &scene.colliders[inner].id }
    }
}

/// Returns the pairs of an outer and an inner collider, in file order. Equal shapes contain each
/// other.
pub(crate) fn pairs(scene: &Scene, broad: BroadPhaseArg, allowed: impl Fn(usize, usize) -> bool) -> Vec<[usize; 2]> {
    let placed: Vec<Placed<'_>> = scene.colliders.iter().map(|c| c.shape.placed(c.pose)).collect();
    let boxes: Vec<Aabb> = placed.iter().map(Placed::aabb).collect();
    let (candidates, _) = candidates(scene, &boxes, broad);
    let mut found = Vec::new();
    for &[a, b] in &candidates {
        let (a, b) = (a as usize, b as usize);
        if allowed(a, b) {
            found.extend([[a, b], [b, a]].into_iter().filter(|&[outer, inner]| contains(placed[outer], placed[inner])));
        }
    }
    found.sort_unstable();
    found
}

/// Prints one row per pair.
pub(crate) fn table(out: &mut dyn Write, styled: bool, scene: &Scene, pairs: &[[usize; 2]]) -> io::Result<()> {
    let mut table = Table::new(&[("outer", Align::Left), ("inner", Align::Left)]);
    for pair in pairs {
        table.add(pair.map(|i| Cell::new(text(&scene.colliders[i].id))));
    }
    table.print(out, styled)
}
