//! The cells of a join: every pair of intersecting boxes has exactly one owner, in any grid.

use carom_functions::{Bounds, Costs, Grid, Sample};

/// Boxes of many sizes, dense in one corner. Corners lie on a lattice, so that many boxes touch.
fn boxes(random: &mut fastrand::Rng, count: usize) -> Vec<Bounds> {
    (0..count)
        .map(|_| {
            let dense = random.bool();
            let range = if dense { 40 } else { 4000 };
            let longest = if random.u32(0..50) == 0 { 2000 } else { 6 };
            let min = [random.i32(0..range), random.i32(0..range)].map(|x| f64::from(x) * 0.25 - 300.0);
            let size = [random.i32(0..longest), random.i32(0..longest)].map(|x| f64::from(x) * 0.25);
            Bounds { min, max: [min[0] + size[0], min[1] + size[1]] }
        })
        .collect()
}

fn sample(boxes: &[Bounds]) -> Sample {
    let mut sample = Sample::default();
    for &bounds in boxes {
        sample.add(bounds, 93);
    }
    sample
}

/// Returns in how many cells each pair is owned.
fn check(grid: &Grid, left: &[Bounds], right: &[Bounds]) {
    let cells = |all: &[Bounds]| -> Vec<Vec<i64>> {
        all.iter()
            .map(|bounds| {
                let mut out = Vec::new();
                grid.cells(bounds, &mut out);
                out
            })
            .collect()
    };
    let (cells_left, cells_right) = (cells(left), cells(right));
    for (a, cells_a) in left.iter().zip(&cells_left) {
        let mut sorted = cells_a.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), cells_a.len(), "a box touches each cell once");
        for (b, cells_b) in right.iter().zip(&cells_right) {
            let owner = grid.owner(a, b);
            assert_eq!(owner.is_some(), a.intersects(b));
            if let Some(owner) = owner {
                assert!(cells_a.contains(&owner) && cells_b.contains(&owner), "{a:?} {b:?} {owner}");
            }
        }
    }
}

#[test]
fn the_owner_of_a_pair_is_a_cell_of_both() {
    let mut random = fastrand::Rng::with_seed(5);
    let (left, right) = (boxes(&mut random, 1500), boxes(&mut random, 700));
    let grid = Grid::planned(&sample(&left), &sample(&right), Costs::default());
    assert!(grid.region_count() > 4, "the dense corner is split: {} regions", grid.region_count());
    check(&grid, &left, &right);
    let uniform = Grid::uniform(Bounds { min: [-300.0, -300.0], max: [700.0, 700.0] }, 5);
    check(&uniform, &left, &right);
}

/// Boxes that the sample did not have: the file changed, or the sample is small.
#[test]
fn boxes_outside_of_the_grid_are_joined_as_well() {
    let mut random = fastrand::Rng::with_seed(6);
    let (left, right) = (boxes(&mut random, 400), boxes(&mut random, 400));
    let grid = Grid::uniform(Bounds { min: [-280.0, -290.0], max: [-200.0, -210.0] }, 4);
    check(&grid, &left, &right);
}

#[test]
fn a_grid_reads_back_from_its_text() {
    let mut random = fastrand::Rng::with_seed(7);
    let left = sample(&boxes(&mut random, 3000));
    let grid = Grid::planned(&left, &left, Costs::default());
    assert_eq!(grid.to_string().parse::<Grid>().unwrap(), grid);
    for damaged in
        ["", "0 0", "0 0 3ff0000000000000", "0 0 3ff0000000000000 0:1:1", "0 0 0 0:0:0", "0 0 7ff0000000000000 0:0:0"]
    {
        assert!(damaged.parse::<Grid>().is_err(), "{damaged:?}");
    }
}

#[test]
fn inputs_without_outlines_or_without_extent_have_a_grid() {
    let empty = Sample::default();
    let grid = Grid::planned(&empty, &empty, Costs::default());
    assert_eq!(grid.to_string().parse::<Grid>().unwrap(), grid);
    let point = Bounds { min: [3.0, 4.0], max: [3.0, 4.0] };
    let same = sample(&vec![point; 1000]);
    let grid = Grid::planned(&same, &same, Costs::default());
    check(&grid, &[point; 3], &[point; 3]);
}

/// Cells become smaller where outlines are denser, until an outline lies in several cells.
#[test]
fn dense_regions_have_smaller_cells() {
    let mut all = Vec::new();
    for i in 0..20_000 {
        let (x, y) = (f64::from(i % 200), f64::from(i / 200));
        all.push(Bounds { min: [x * 0.1, y * 0.1], max: [x * 0.1 + 0.05, y * 0.1 + 0.05] });
    }
    for i in 0..100 {
        let (x, y) = (f64::from(i % 10) * 100.0, f64::from(i / 10) * 100.0);
        all.push(Bounds { min: [x, y], max: [x + 0.05, y + 0.05] });
    }
    let sample = sample(&all);
    let grid = Grid::planned(&sample, &sample, Costs::default());
    let cells = |width: f64, x: f64| {
        let mut out = Vec::new();
        grid.cells(&Bounds { min: [x, x], max: [x + width, x + width] }, &mut out);
        out.len()
    };
    assert!(cells(10.0, 5.0) > 1000, "{}", cells(10.0, 5.0));
    assert!(cells(10.0, 850.0) < 100, "{}", cells(10.0, 850.0));
    // 0.05 wide outlines, 0.1 apart: a cell per outline or a few.
    assert!(grid.expected_rows(&sample) < 4.0 * all.len() as f64);
}

#[test]
fn summaries_do_not_depend_on_the_partitioning() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut all = boxes(&mut random, 70_000);
    let whole = sample(&all);
    random.shuffle(&mut all);
    let mut parts = Sample::default();
    for part in all.chunks(9_000) {
        let part = sample(part);
        parts.merge(&Sample::from_bytes(&part.to_bytes()).unwrap());
    }
    let sorted = |sample: &Sample| {
        let mut boxes: Vec<_> =
            sample.boxes().map(|b| [b.min, b.max].concat().iter().map(|x| x.to_bits()).collect::<Vec<_>>()).collect();
        boxes.sort();
        boxes
    };
    assert_eq!((parts.count(), parts.wkb_bytes(), parts.bounds()), (whole.count(), whole.wkb_bytes(), whole.bounds()));
    assert_eq!(sorted(&parts), sorted(&whole));
    assert!(Sample::from_bytes(&whole.to_bytes()[1..]).is_none());
}
