//! The pairs of an index are those of the library for each pair of outlines. Both refuse the same outlines.

use std::sync::Arc;

use carom_functions::{Cursor, Index, Measure, Outline, Outlines, Predicate, Queries, Search};
use datafusion::arrow::array::{ArrayRef, BinaryArray};

/// Returns the WKB of a polygon of one ring.
fn wkb(points: &[[f64; 2]]) -> Vec<u8> {
    let mut wkb = vec![1];
    for word in [3, 1, points.len() as u32 + 1] {
        wkb.extend(word.to_le_bytes());
    }
    for value in points.iter().chain(points.first()).flatten() {
        wkb.extend(value.to_le_bytes());
    }
    wkb
}

/// Returns a random ring: a rectangle, an L, a star, a large star, or a tangle that mostly crosses itself. On a
/// `lattice`, coordinates are small integers, so that many outlines touch, share edges, or repeat points.
fn ring(random: &mut fastrand::Rng, lattice: bool) -> Vec<[f64; 2]> {
    let center = [random.f64() * 40.0, random.f64() * 40.0];
    let size = 1.0 + 6.0 * random.f64().powi(2);
    let mut points: Vec<[f64; 2]> = match random.u32(0..5) {
        0 => vec![[-size, -1.0], [size, -1.0], [size, 1.0], [-size, 1.0]],
        1 => {
            let (x, y) = (size * (random.f64() - 0.5), size * (random.f64() - 0.5));
            vec![[-size, -size], [size, -size], [size, y], [x, y], [x, size], [-size, size]]
        }
        kind @ (2 | 3) => {
            let count = if kind == 2 { random.u32(3..40) } else { random.u32(120..140) };
            let corner = |i: u32| {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(count)).sin_cos();
                let radius = size * (0.3 + 0.7 * random.f64());
                [radius * cos, radius * sin]
            };
            (0..count).map(corner).collect()
        }
        _ => (0..random.u32(3..7)).map(|_| [size * random.f64(), size * random.f64()]).collect(),
    };
    let (sin, cos) = (random.f64() * std::f64::consts::TAU).sin_cos();
    for [x, y] in &mut points {
        if lattice {
            (*x, *y) = ((*x + center[0]).round(), (*y + center[1]).round());
        } else {
            (*x, *y) = (center[0] + cos * *x - sin * *y, center[1] + sin * *x + cos * *y);
        }
    }
    if random.bool() {
        points.reverse();
    }
    points
}

/// Returns random outlines: the valid ones as shapes, and a column of all as WKB.
fn outlines(random: &mut fastrand::Rng, lattice: bool) -> (Vec<Option<Outline>>, Outlines) {
    let all: Vec<Vec<u8>> = (0..150).map(|_| wkb(&ring(random, lattice))).collect();
    let valid = all.iter().map(|wkb| Outline::from_wkb(wkb).ok()).collect();
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(&all));
    (valid, Outlines::read(&column).unwrap())
}

/// Reindices the index of each outline by its row.
fn by_row(pairs: &[[u32; 2]], indices: &[u32]) -> Vec<[u32; 2]> {
    let mut rows = vec![u32::MAX; indices.len()];
    for (row, &index) in (0..).zip(indices) {
        rows[index as usize] = row;
    }
    pairs.iter().map(|&[item, row]| [rows[item as usize], row]).collect()
}

#[test]
fn its_pairs_and_refusals_are_those_of_the_library() {
    let mut random = fastrand::Rng::with_seed(26);
    let mut counts = [0; 4];
    for round in 0..12 {
        let lattice = round % 2 == 0;
        let (first, part) = outlines(&mut random, lattice);
        let (second, batch) = outlines(&mut random, lattice);
        let invalid = first.iter().filter(|outline| outline.is_none()).count();
        assert_eq!(part.invalid_count(), invalid);
        assert!((5..100).contains(&invalid), "{invalid}");
        let predicates = [Predicate::Intersects, Predicate::Overlaps, Predicate::Contains, Predicate::Within(1.5)];
        for (count, predicate) in counts.iter_mut().zip(predicates) {
            for index_is_first in [true, false] {
                let holds = |a: &Outline, b: &Outline| {
                    let (a, b) = if index_is_first { (a, b) } else { (b, a) };
                    match predicate {
                        Predicate::Intersects => carom::intersects(a.placed(), b.placed()),
                        Predicate::Overlaps => carom::overlaps(a.placed(), b.placed()),
                        Predicate::Contains => carom::contains(a.placed(), b.placed()),
                        Predicate::Within(limit) => carom::query::within_distance(a.placed(), b.placed(), limit),
                    }
                };
                let mut expected = Vec::new();
                for (i, a) in first.iter().enumerate() {
                    for (j, b) in second.iter().enumerate() {
                        if let (Some(a), Some(b)) = (a, b)
                            && holds(a, b)
                        {
                            expected.push([i as u32, j as u32]);
                        }
                    }
                }
                let search = Search { predicate, index_is_first };
                let (index, indices) = Index::new(vec![part.packed()], search);
                let (mut pairs, mut cursor) = (Vec::new(), Cursor::default());
                let queries = Queries::Batch(&batch);
                while index.search(&queries, &mut cursor, pairs.len() + 7, |_, _| true, &mut pairs).unwrap() {
                    assert_eq!(pairs.len() % 7, 0);
                }
                let mut pairs = by_row(&pairs, &indices);
                pairs.sort_unstable();
                assert_eq!(pairs, expected, "{predicate:?} {index_is_first} {lattice}");
                *count += pairs.len();
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

#[test]
fn depths_and_distances_are_those_of_the_library() {
    let mut random = fastrand::Rng::with_seed(27);
    let (first, part) = outlines(&mut random, false);
    let (second, batch) = outlines(&mut random, false);
    let search = Search { predicate: Predicate::Within(2.0), index_is_first: false };
    let (index, indices) = Index::new(vec![part.packed()], search);
    let queries = Queries::Batch(&batch);
    let mut pairs = Vec::new();
    index.search(&queries, &mut Cursor::default(), usize::MAX, |_, _| true, &mut pairs).unwrap();
    let depths = index.measure(Measure::Depth, &queries, &pairs).unwrap();
    let distances = index.measure(Measure::Distance, &queries, &pairs).unwrap();
    let pairs = by_row(&pairs, &indices);
    assert!(depths.iter().flatten().count() > 50 && pairs.len() > depths.iter().flatten().count());
    for (&[i, j], (depth, distance)) in pairs.iter().zip(depths.into_iter().zip(distances)) {
        let (a, b) = (second[j as usize].as_ref().unwrap().placed(), first[i as usize].as_ref().unwrap().placed());
        assert_eq!(depth, carom::collide(a, b).map(|contact| contact.depth));
        assert_eq!(distance, Some(carom::distance(a, b).distance));
    }
}

/// One row can meet the whole index. Its pairs come in parts, each once, also beside rows with few pairs.
#[test]
fn a_row_with_many_pairs() {
    let wkb_of_points = (0..100_000_u32).map(|x| wkb(&[[x, 0], [x + 1, 0], [x, 1]].map(|point| point.map(f64::from))));
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(wkb_of_points));
    let search = Search { predicate: Predicate::Contains, index_is_first: false };
    let (index, indices) = Index::new(vec![Outlines::read(&column).unwrap().packed()], search);
    let [small, large] = [9.5, 2e5].map(|x| wkb(&[[-1.0, -1.0], [x, -1.0], [x, 2.0], [-1.0, 2.0]]));
    let column: ArrayRef = Arc::new(BinaryArray::from_iter_values([&small, &large, &small]));
    let batch = Outlines::read(&column).unwrap();
    let (mut all, mut cursor, mut goes_on) = (Vec::new(), Cursor::default(), true);
    while goes_on {
        let mut pairs = Vec::new();
        goes_on = index.search(&Queries::Batch(&batch), &mut cursor, 1000, |_, _| true, &mut pairs).unwrap();
        assert!(pairs.len() == 1000 || !goes_on);
        all.append(&mut pairs);
    }
    let mut all = by_row(&all, &indices);
    all.sort_unstable_by_key(|&[item, row]| [row, item]);
    let expected: Vec<[u32; 2]> =
        [(0, 9), (1, 100_000), (2, 9)].into_iter().flat_map(|(row, count)| (0..count).map(move |i| [i, row])).collect();
    assert!(all == expected, "{} pairs", all.len());
}

/// A search of the index in itself finds the pairs that a search of the same outlines as batches finds, from parts
/// of different sizes and in ranges of any size.
#[test]
fn the_index_in_itself() {
    let mut random = fastrand::Rng::with_seed(28);
    let parts = [outlines(&mut random, true).1, outlines(&mut random, false).1];
    let search = Search { predicate: Predicate::Intersects, index_is_first: true };
    let (index, indices) = Index::new(parts.iter().map(Outlines::packed).collect(), search);
    let count = indices.len();
    assert_eq!(index.count(), count);
    let mut expected = Vec::new();
    for (part, start) in parts.iter().zip([0, parts[0].count()]) {
        let mut pairs = Vec::new();
        index.search(&Queries::Batch(part), &mut Cursor::default(), usize::MAX, |_, _| true, &mut pairs).unwrap();
        expected.extend(pairs.into_iter().map(|[item, row]| [item, indices[start + row as usize]]));
    }
    expected.sort_unstable();
    assert!(expected.len() > count);
    for length in [7, count] {
        let mut all = Vec::new();
        for start in (0..count).step_by(length) {
            let (mut pairs, range) = (Vec::new(), start..count.min(start + length));
            let queries = Queries::Index(range);
            index.search(&queries, &mut Cursor::default(), usize::MAX, |_, _| true, &mut pairs).unwrap();
            all.extend(pairs.into_iter().map(|[item, row]| [item, start as u32 + row]));
        }
        all.sort_unstable();
        assert_eq!(all, expected, "{length}");
    }
}
