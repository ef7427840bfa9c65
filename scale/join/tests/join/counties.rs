//! All 3 137 counties of the United States: the pairs are those of shapely, in every way to run a join.
//!
//! The map is not in the repository. `maps/make.mjs` writes it.

use std::path::PathBuf;

use crate::cluster::Cluster;
use crate::maps::parquet;
use crate::run::{expected, join, map};

#[test]
#[ignore = "needs the map: CAROM_COUNTIES=DIRECTORY; .ci/scale makes it"]
fn all_counties() {
    let folder =
        PathBuf::from(std::env::var("CAROM_COUNTIES").expect("CAROM_COUNTIES is the folder of counties.geojson"));
    let geojson = map(folder.canonicalize().unwrap().join("counties.geojson").to_str().unwrap());
    let temp = tempfile::tempdir().unwrap();
    let parquet = parquet(&geojson, temp.path(), 3);
    let cluster = Cluster::start(2);
    for input in [&geojson, &parquet] {
        for partitions in ["1", "7", "32"] {
            for engine in [&[][..], &["--cluster", &cluster.url]] {
                // GEOS calls some of the outlines invalid, too: they are left out on both sides.
                let args = [&[input.as_str(), "--partitions", partitions, "--skip-invalid"], engine].concat();
                assert_eq!(join(&args), expected("counties-self intersects"), "{args:?}");
            }
        }
        for predicate in ["overlaps", "contains"] {
            let args = [input.as_str(), "--on", predicate, "--skip-invalid"];
            assert_eq!(join(&args), expected(&format!("counties-self {predicate}")), "{args:?}");
        }
        let args = [input.as_str(), "--on", "within-distance", "5", "--skip-invalid"];
        assert_eq!(join(&args), expected("counties-self within-distance:5"), "{args:?}");
    }
}
