//! Constructors return errors: the kind for programs; the number, the limit and the remedy for
//! readers (P10: a constructor never changes a shape silently; P22: bad input is a typed error).

use carom::ErrorKind::{
    Collinear, Concave, Negative, NotARotation, NotFinite, OutOfRange, SelfCrossing, TooFewPoints, TooManyPoints,
    UnequalScale, ZeroSize,
};
use carom::{Error, ErrorKind, Pose, Shape, ShapeKind, intersects, overlaps};

/// Row of the table: the call, its error kind, and words of its message.
type Refusal = (Result<(), Error>, ErrorKind, &'static [&'static str]);

#[track_caller]
fn expect(rows: impl IntoIterator<Item = Refusal>) {
    for (number, (result, kind, words)) in rows.into_iter().enumerate() {
        let error = result.expect_err(&format!("row {number} must be refused as {kind:?}"));
        assert_eq!(error.kind(), kind, "row {number}: {error}");
        for word in words {
            assert!(error.to_string().contains(word), "row {number} does not say {word:?}: {error}");
        }
    }
}

fn shape(result: Result<Shape, Error>) -> Result<(), Error> {
    result.map(drop)
}

fn pose(result: Result<Pose, Error>) -> Result<(), Error> {
    result.map(drop)
}

#[test]
fn numbers_out_of_range() -> Result<(), Error> {
    let (nan, infinite) = (f64::NAN, f64::INFINITY);
    let dot = Shape::circle(0.0)?;
    expect([
        (shape(Shape::circle(nan)), NotFinite, &["radius", "NaN"] as &[_]),
        (shape(Shape::circle(infinite)), NotFinite, &["radius", "inf"]),
        (shape(Shape::circle(1.1e30)), OutOfRange, &["radius", "1.1e30", "1e30"]),
        (shape(Shape::circle(-2.5)), Negative, &["radius", "-2.5", "0"]),
        (shape(Shape::segment([nan, 0.0], [0.0, 0.0])), NotFinite, &["NaN"]),
        (shape(Shape::segment([0.0, 0.0], [0.0, -1.5e30])), OutOfRange, &["-1.5e30", "1e30"]),
        (shape(Shape::capsule([0.0, 0.0], [1.0, 0.0], -0.5)), Negative, &["radius", "-0.5"]),
        (shape(Shape::rectangle(-3.0, 1.0)), Negative, &["width", "-3"]),
        (shape(Shape::rectangle(1.0, infinite)), NotFinite, &["height", "inf"]),
        (shape(Shape::polygon(&[[0.0, 0.0], [1.0, 0.0], [0.0, 2e30]])), OutOfRange, &["vertex 2", "2e30", "1e30"]),
        (shape(Shape::polygon(&[[0.0, 0.0], [nan, 0.0], [0.0, 1.0]])), NotFinite, &["vertex 1", "NaN"]),
        (shape(Shape::circle(1.0)?.rounded(-1.0)), Negative, &["radius", "-1"]),
        (shape(Shape::circle(6e29)?.rounded(6e29)), OutOfRange, &["1.2e30", "1e30"]),
        (shape(Shape::ellipse(1.0, -1.0, 0.1)), Negative, &["-1"]),
        (pose(Pose::new([0.0, 0.0], infinite)), NotFinite, &["inf"]),
        (pose(Pose::new([1e31, 0.0], 0.0)), OutOfRange, &["1e31", "1e30"]),
        (pose(Pose::from_degrees([0.0, nan], 0.0)), NotFinite, &["NaN"]),
        (pose(Pose::from_translation([0.0, -1e31])), OutOfRange, &["-1e31", "1e30"]),
        (dot.at([nan, 0.0]).map(drop), NotFinite, &["NaN"]),
        (dot.at([0.0, 0.0])?.contains_point([infinite, 0.0]).map(drop), NotFinite, &["inf"]),
    ]);
    let _ = Shape::circle(1e30)?.placed(Pose::new([1e30, -1e30], 1e15)?);
    Ok(())
}

#[test]
fn shapes_that_collapse_name_a_replacement() -> Result<(), Error> {
    let nothing: [[f64; 2]; 0] = [];
    expect([
        (shape(Shape::rectangle(0.0, 2.0)), ZeroSize, &["width", "segment"] as &[_]),
        (shape(Shape::rectangle(2.0, 0.0)), ZeroSize, &["height", "segment"]),
        (shape(Shape::ellipse(0.0, 1.0, 0.1)), ZeroSize, &["0"]),
        (shape(Shape::ellipse(1.0, 1.0, 0.0)), ZeroSize, &["deviation"]),
        (shape(Shape::ellipse(1.0, 1.0, 1e-300)), TooManyPoints, &["1e-300"]),
        (shape(Shape::polygon(&nothing)), TooFewPoints, &["0 points", "3"]),
        (shape(Shape::polygon(&[[0.0, 0.0], [1.0, 0.0]])), TooFewPoints, &["2 points", "3", "segment"]),
        (shape(Shape::polygon(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]])), Collinear, &["line", "segment"]),
        (shape(Shape::polygon(&[[0.5, 0.5]; 4])), ZeroSize, &["same"]),
        (shape(Shape::rectangle(1.0, 1.0)?.scaled(0.0, 1.0)), ZeroSize, &["0"]),
        (shape(Shape::circle(1.0)?.scaled(2.0, 1.0)), UnequalScale, &["2", "1"]),
        (pose(Pose::from_cos_sin([0.0, 0.0], 1.0, 1.0)), NotARotation, &["1", "2"]),
    ]);
    assert!(Shape::circle(1.0)?.scaled(-2.0, 2.0).is_ok(), "a mirror keeps circles round");
    Ok(())
}

/// P10: nothing is replaced by its hull; the error says where.
#[test]
fn outlines_that_are_not_convex_name_the_vertex() {
    let dented = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]];
    let bow = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
    let star = [0, 2, 4, 1, 3].map(|i: u32| f64::from(i) * 1.256_637).map(|t| [t.cos(), t.sin()]);
    let wrapped = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    expect([
        (shape(Shape::convex_polygon(&dented)), Concave, &["vertex 3", "convex", "Shape::polygon"] as &[_]),
        (shape(Shape::convex_polygon(&bow)), Concave, &["vertex", "crosses itself", "Shape::polygon"]),
        (shape(Shape::convex_polygon(&star)), Concave, &["vertex", "crosses itself"]),
        (shape(Shape::polygon(&bow)), SelfCrossing, &["cross", "(1.0, 1.0)"]),
        (shape(Shape::polygon(&star)), SelfCrossing, &["cross"]),
    ]);
    assert_eq!(Shape::convex_polygon(&dented).unwrap_err().vertex(), Some(3));
    let reversed: Vec<[f64; 2]> = dented.iter().rev().copied().collect();
    assert_eq!(Shape::convex_polygon(&reversed).unwrap_err().vertex(), Some(1));
    assert!(
        Shape::convex_polygon(&wrapped).is_err() && Shape::polygon(&wrapped).is_err(),
        "twice around is no outline"
    );
}

/// A vertex inside the hull by at most 4 ulp of the largest coordinate counts as collinear; more does not.
#[test]
fn a_hair_inside_is_on_the_edge() -> Result<(), Error> {
    let ulp = f64::EPSILON * 8.0; // of 8, the largest coordinate
    let with_dent = |depth: f64| Shape::convex_polygon(&[[0.0, 8.0], [0.0, 0.0], [4.0, depth], [8.0, 0.0]]);
    assert_eq!(with_dent(4.0 * ulp)?.points().len(), 4);
    let error = with_dent(5.0 * ulp).unwrap_err();
    assert_eq!((error.kind(), error.vertex()), (Concave, Some(2)), "{error}");
    // Neighbours of a map that share such a border do not overlap. The hull of the first one would.
    let hair = Shape::polygon(&[[0.0, 8.0], [0.0, 0.0], [4.0, ulp], [8.0, 0.0]])?;
    let below = Shape::polygon(&[[0.0, 0.0], [4.0, ulp], [8.0, 0.0], [4.0, -8.0]])?;
    assert_eq!(hair.kind(), ShapeKind::Polygon);
    let [hair, below] = [hair.at([0.0, 0.0])?, below.at([0.0, 0.0])?];
    assert!(intersects(hair, below) && !overlaps(hair, below));
    // Everyday data: corners with one decimal, midpoints of their edges rounded to f64.
    for i in 0..1000_u32 {
        let tenth = |k: u32| f64::from((i * 37 + k * 101) % 200) / 10.0;
        let (p, q) = ([tenth(1), tenth(2)], [tenth(3) + 20.0, tenth(4)]);
        let middle = [p[0].midpoint(q[0]), p[1].midpoint(q[1])];
        assert!(Shape::convex_polygon(&[p, middle, q, [15.0, 60.0]]).is_ok(), "{p:?} {middle:?} {q:?}");
    }
    Ok(())
}
