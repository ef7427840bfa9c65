//! Deep and large files end soon, in a scene or in one error.
use super::{error, scene};
use crate::support;

#[test]
fn deep_nesting_is_refused_quickly() {
    let deep = format!("POLYGON {}{}", "(".repeat(200_000), ")".repeat(200_000));
    let collections = "GEOMETRYCOLLECTION (".repeat(200_000) + "POINT (0 0)" + &")".repeat(200_000);
    for field in [deep, collections] {
        let error = support::soon(|| error(&format!("id,wkt\na,{field}\n")));
        assert!(error.contains("row 1") && error.contains("more than 16 deep") && error.len() < 300, "{error}");
    }
}

#[test]
fn many_rows_load_soon() {
    let row = |i: u32| format!("{i},\"POLYGON (({i} 0, {i} 1, {i}.5 1, {i} 0))\"");
    let rows = (0..50_000).map(row).collect::<Vec<_>>().join("\n");
    let scene = support::soon(|| scene(&format!("id,wkt\n{rows}")));
    assert_eq!((scene.colliders.len(), scene.colliders[49_999].id.as_str()), (50_000, "49999"));
}

/// A geometry may be longer than the part of the file by which its format is detected.
#[test]
fn a_large_first_row_is_read() {
    // Teeth along a line, 3 MB of text.
    let n = 100_000;
    let tooth = |i: usize| format!("{}.5 1000000, {} 2000000", n - i, n - i - 1);
    let teeth = (0..n).map(tooth).collect::<Vec<_>>().join(", ");
    let csv = format!("POLYGON ((0 0, {n} 0, {teeth}, 0 0));a\n");
    assert!(csv.len() > 2 << 20);
    let scene = support::soon(|| scene(&csv));
    assert_eq!(scene.colliders[0].shape.points().len(), 2 * n + 2);
}
