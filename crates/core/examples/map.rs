//! Prints how the parcels of a small map meet: along a border, at a point, overlapping, inside each other.

use carom::Shape;
use carom::query::{OutlineRelation, PreparedOutline};

fn main() -> Result<(), carom::Error> {
    let parcels = [
        ("meadow", Shape::polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]])?),
        ("orchard", Shape::polygon(&[[4.0, 0.0], [8.0, 0.0], [8.0, 3.0], [4.0, 3.0]])?),
        ("wood", Shape::polygon(&[[4.0, 3.0], [8.0, 3.0], [8.0, 6.0], [4.0, 6.0]])?),
        ("pond", Shape::polygon(&[[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]])?),
        ("reserve", Shape::polygon(&[[6.0, 1.0], [9.0, 1.0], [9.0, 5.0], [6.0, 5.0]])?),
    ];
    // Each outline is prepared once and serves for all its pairs. `QueryPipeline` would leave out distant pairs.
    let mut outlines = Vec::new();
    for (name, shape) in &parcels {
        outlines.push((name, PreparedOutline::new(shape.at([0.0, 0.0])?)?));
    }
    for (i, (name, a)) in outlines.iter().enumerate() {
        for (other, b) in &outlines[i + 1..] {
            let pair = a.pair(b);
            match pair.relation() {
                OutlineRelation::Disjoint => {}
                OutlineRelation::TouchesAtPoints => println!("{name} and {other} touch at a point"),
                OutlineRelation::TouchesAlongBorder => {
                    println!("{name} and {other} have a common border of {}", pair.border_length());
                }
                relation => println!("{name} {} {other}, common area {}", relation.name(), pair.intersection_area()),
            }
        }
    }
    Ok(())
}
