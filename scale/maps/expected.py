"""Writes the pairs that shapely finds as a count and a checksum: `expected.json`.

    pip install shapely==2.2.0
    python expected.py DIRECTORY    (with the counties.geojson of make.mjs)

Outlines that GEOS calls invalid are left out, as with `--skip-invalid`. A pair is one line, `a b`. The checksum is the SHA-256 of the sorted lines.
GEOS has one rule that carom does not have: its `contains` needs a shared interior point. `covers` does not.
"""

import hashlib
import json
import pathlib
import sys

import shapely

HERE = pathlib.Path(__file__).parent


def read(path):
    features = json.loads(path.read_text())["features"]
    rows = [(feature["id"], shapely.from_geojson(json.dumps(feature["geometry"]))) for feature in features]
    valid = [(name, shape) for name, shape in rows if shapely.is_valid(shape)]
    print(path.name, len(valid), "outlines; invalid:", sorted(name for name, shape in rows if not shapely.is_valid(shape)))
    return [name for name, _ in valid], [shape for _, shape in valid]


def pairs(left, right, predicate, **options):
    """Pairs of all rows: the tree returns candidates and GEOS decides."""
    tree = shapely.STRtree(right)
    found = tree.query(left, predicate=predicate, **options)
    return found[0].tolist(), found[1].tolist()


def join(name, left, right, predicate, symmetric):
    ids_a, shapes_a = left
    ids_b, shapes_b = right
    if predicate == "overlaps":
        rows, columns = pairs(shapes_a, shapes_b, "intersects")
        touching = shapely.touches([shapes_a[i] for i in rows], [shapes_b[i] for i in columns])
        found = [(i, j) for i, j, touches in zip(rows, columns, touching) if not touches]
    elif isinstance(predicate, float):
        found = list(zip(*pairs(shapes_a, shapes_b, "dwithin", distance=predicate)))
    else:
        found = list(zip(*pairs(shapes_a, shapes_b, predicate)))
    lines = [f"{ids_a[i]} {ids_b[j]}\n" for i, j in found]
    if left is right:
        keep = (lambda a, b: a < b) if symmetric else (lambda a, b: a != b)
        lines = [f"{ids_a[i]} {ids_b[j]}\n" for i, j in found if keep(ids_a[i], ids_b[j])]
    digest = hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
    return name, {"pairs": len(lines), "sha256": digest}


def main():
    print("shapely", shapely.__version__, "GEOS", shapely.geos_version_string)
    england_counties = read(HERE / "new-england-counties.geojson")
    england_states = read(HERE / "new-england-states.geojson")
    all_counties = read(pathlib.Path(sys.argv[1]) / "counties.geojson")
    result = {}
    for prefix, left, right in [
        ("new-england-self", england_counties, england_counties),
        ("new-england", england_states, england_counties),
        ("counties-self", all_counties, all_counties),
    ]:
        for label, predicate, symmetric in [
            ("intersects", "intersects", True),
            ("overlaps", "overlaps", True),
            ("contains", "covers", False),
            ("within-distance:5", 5.0, True),
        ]:
            name, value = join(f"{prefix} {label}", left, right, predicate, symmetric)
            result[name] = value
            print(name, value["pairs"])
    (HERE / "expected.json").write_text(json.dumps(result, indent=2) + "\n")


main()
