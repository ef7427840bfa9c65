// Queries of two shapes: results that follow from plain geometry.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as carom from "carom";
import * as narrow from "carom/narrow";

const square = { rectangle: { width: 2, height: 2 } };
const ball = { circle: { radius: 1 } };

test("touching shapes intersect and do not overlap, in both entries", () => {
  for (const { intersects, overlaps } of [carom, narrow]) {
    assert.ok(intersects(square, { shape: square, x: 2 }));
    assert.ok(!overlaps(square, { shape: square, x: 2 }));
    assert.ok(!intersects(square, { shape: square, x: 2 + Number.EPSILON * 2 }));
  }
});

test("contact and distance, in both entries", () => {
  for (const { collide, distance } of [carom, narrow]) {
    const found = collide(square, { shape: square, x: 1.5, y: 0.5 });
    assert.deepEqual([found.normal, found.depth, found.mtv], [[1, 0], 0.5, [0.5, 0]]);
    assert.equal(found.points.length, 2);
    assert.equal(collide(ball, { shape: ball, x: 3 }), null);
    const gap = distance(ball, { shape: ball, x: 3, angle: 1 });
    assert.deepEqual(gap, { distance: 1, pointA: [1, 0], pointB: [2, 0], partA: 0, partB: 0 });
  }
  assert.equal(carom.collide(ball, { shape: ball, x: 3 }, 1).depth, -1);
});

test("every kind of shape of the scene JSON is a shape", () => {
  const kinds = [
    { circle: { radius: 0.5 } },
    { capsule: { a: [0, 0], b: [1, 0], radius: 0.2 } },
    { segment: { a: [0, 0], b: [1, 1], radius: 0.1 } },
    { rectangle: { width: 1, height: 2, radius: 0.1 } },
    {
      polygon: {
        points: [
          [0, 0],
          [2, 0],
          [2, 2],
          [1, 0.5],
          [0, 2],
        ],
        radius: 0.1,
      },
    },
    {
      polygon: {
        points: [
          [-3, -3],
          [3, -3],
          [3, 3],
          [-3, 3],
        ],
        holes: [
          [
            [-2, -2],
            [2, -2],
            [2, 2],
            [-2, 2],
          ],
        ],
      },
    },
    {
      chain: {
        points: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
        closed: true,
      },
    },
    {
      chain: {
        points: [
          [0, 0],
          [1, 0],
          [2, 1],
        ],
        one_sided: true,
      },
    },
    {
      compound: [
        { shape: { circle: { radius: 1 } } },
        { shape: { circle: { radius: 1 } }, position: [3, 0], rotation: 90 },
      ],
    },
    { mask: { rows: ["#.", "##"], scale: [0.5, 0.5] } },
  ];
  for (const shape of kinds) {
    const far = { shape, x: 100 };
    assert.ok(!carom.intersects(shape, far), JSON.stringify(shape));
    assert.ok(carom.distance(shape, far).distance > 80);
    assert.ok(carom.parts(shape).length >= 1);
  }
  // A point in the hole is outside.
  assert.ok(!carom.containsPoint(kinds[5], 0, 0) && carom.containsPoint(kinds[5], 2, 0));
});

test("the impact of two balls is when their gap is used up", () => {
  const impact = carom.timeOfImpact(ball, { dx: 8 }, { shape: ball, x: 6 });
  assert.ok(Math.abs(impact.time - 0.5) < 1e-6);
  assert.deepEqual([impact.normal, impact.initialDepth], [[1, 0], null]);
  assert.equal(carom.timeOfImpact(ball, null, { shape: ball, x: 6 }), null);
  assert.equal(carom.timeOfImpact(ball, null, { shape: ball, x: 1 }).initialDepth, 1);
  const why = carom.explainTimeOfImpact(square, { dx: 8, rotation: 1 }, { shape: square, x: 6 });
  assert.equal(why.method, "advancement");
  assert.equal(why.steps.at(-1).time, why.impact.time);
});

test("explain shows the axis that decides", () => {
  const why = carom.explain(square, { shape: square, x: 1.5, y: 0.5 });
  const axis = why.axes[why.deciding];
  assert.deepEqual([axis.projectionA, axis.projectionB, axis.overlap, axis.decides], [[-1, 1], [0.5, 2.5], 0.5, true]);
  assert.deepEqual([why.intersects, why.overlaps, why.depth, why.distance], [true, true, 0.5, 0]);
  assert.equal(why.axes.length, 8);
  assert.deepEqual(why.axes.map(({ source }) => source.slice(-1)).join(""), "aaaabbbb");
  const apart = carom.explain(ball, { shape: ball, x: 3 });
  assert.deepEqual([apart.depth, apart.distance, apart.axes.at(-1).source], [null, 1, "nearest"]);
});

test("explainGjk ends with equal bounds", () => {
  const kite = {
    polygon: {
      points: [
        [0, 0],
        [2, -1],
        [3, 0],
        [2, 1],
      ],
    },
  };
  const why = carom.explainGjk(square, { shape: kite, x: 1.5, y: 0.5 });
  const last = why.steps.at(-1);
  assert.deepEqual([last.lowerBound, last.upperBound, why.distance, why.intersects], [0.5, 0.5, 0.5, false]);
  assert.equal(why.difference.length, 8);
});

test("decompose keeps the area", () => {
  const ell = {
    polygon: {
      points: [
        [0, 0],
        [2, 0],
        [2, 1],
        [1, 1],
        [1, 2],
        [0, 2],
      ],
    },
  };
  const area = (ring) =>
    ring.reduce((sum, [x, y], i) => sum + x * ring[(i + 1) % ring.length][1] - y * ring[(i + 1) % ring.length][0], 0) /
    2;
  for (const optimal of [false, true]) {
    const parts = carom.decompose(ell, { optimal });
    assert.equal(parts.length, 2);
    assert.equal(
      parts.reduce((sum, part) => sum + Math.abs(area(part)), 0),
      3,
    );
  }
});

test("an image becomes a mask, and its outline follows the pixels", () => {
  const data = new Uint8ClampedArray(4 * 4); // two by two
  data[3] = data[11] = data[15] = 255;
  const shape = carom.maskFromImage({ width: 2, height: 2, data }, { scale: 10 });
  assert.deepEqual(shape, { mask: { rows: ["#.", "##"], scale: 10 } });
  const [outline] = carom.outlines(shape);
  assert.equal(outline.points.length, 6);
  assert.ok(outline.points.every(([x, y]) => x % 10 === 0 && y % 10 === 0));
  assert.deepEqual(carom.overlapRegion(shape, { shape: square, x: 1, y: 1 }).area, 4);
});

test("the default deviation of a common region is relative to the smaller shape", () => {
  const disk = (radius) => ({ circle: { radius } });
  const around = (side) => ({ rectangle: { width: side, height: side } });
  // A chord of the angle t deviates by r (1 - cos(t / 2)). This is r / 1000 for 70.2 chords, so 71 are needed.
  const area = (radius) => 35.5 * radius ** 2 * Math.sin((2 * Math.PI) / 71);
  for (const radius of [1e-9, 0.01, 1, 32, 1e9]) {
    const region = carom.overlapRegion(disk(radius), around(4 * radius));
    assert.ok(Math.abs(region.area / area(radius) - 1) < 1e-12, `${radius}: ${region.area}`);
    assert.ok(Math.abs(region.area / (Math.PI * radius ** 2) - 1) < 0.0014);
  }
  // A tiny rounding refines no other arc. The box has the width 6.5, so chords deviate by 0.00325. The
  // circle of radius 1 needs 38.95 of them. The rounding is below this length, so each of its four arcs is one chord.
  const rounded = { rectangle: { width: 1, height: 1, radius: 1e-6 } };
  const compound = { compound: [{ shape: disk(1) }, { shape: rounded, position: [5, 0] }] };
  for (const a of [compound, { shape: compound, angle: 0.5 }]) {
    for (const pair of [
      [a, around(20)],
      [around(20), a],
    ]) {
      const sizes = carom.overlapRegion(...pair).pieces.map((piece) => piece.length);
      assert.deepEqual(sizes, [39, 8]);
    }
  }
  // The smaller shape counts: half of a square of side 1 is in a circle of radius 200, but for what is beyond the arc.
  // Its chords deviate by 1/2000, so they lose at most 1/2000 of the side. The area is an integral of √(200² − y²).
  const half = 200 ** 2 * Math.asin(0.5 / 200) + 0.5 * Math.sqrt(200 ** 2 - 0.25) - 199.5;
  const loss = half - carom.overlapRegion(disk(200), { shape: around(1), x: 200 }).area;
  assert.ok(loss > 0 && loss <= 1 / 2000, `${loss}`);
  // A given deviation is a length: the chords of a circle are a square at most.
  assert.ok(Math.abs(carom.overlapRegion(disk(0.01), around(1), { deviation: 0.01 }).area - 2e-4) < 1e-15);
  assert.equal(carom.overlapRegion(around(2), { shape: around(2), x: 1 }).area, 2);
});

test("one move separates the deepest pair of parts, and repeated moves the shapes", () => {
  const block = (width, height, x, y) => ({ shape: { rectangle: { width, height } }, position: [x, y] });
  const corner = { compound: [block(8, 2, 4, -1), block(2, 8, -1, 3)] }; // a floor at y = 0, a wall at x = 0
  const ball = { shape: { circle: { radius: 1 } }, x: 0.5, y: 0.75 };
  const first = carom.collide(corner, ball);
  assert.deepEqual([first.mtv, first.depth], [[0.5, 0], 0.5]); // the wall is deeper
  ball.x += first.mtv[0];
  const second = carom.collide(corner, ball);
  assert.deepEqual([second.mtv, second.depth], [[0, 0.25], 0.25]); // the floor
  ball.y += second.mtv[1];
  assert.equal(carom.collide(corner, ball).depth, 0);
});

test("the narrow entry takes a margin", () => {
  const [a, b] = [{ circle: { radius: 1 } }, { shape: { circle: { radius: 1 } }, x: 2.5 }];
  assert.equal(narrow.collide(a, b), null);
  assert.equal(narrow.collide(a, b, 0.4375), null);
  assert.deepEqual([narrow.collide(a, b, 0.5).depth, narrow.collide(a, b, 0.5).normal], [-0.5, [1, 0]]);
  assert.deepEqual(narrow.collide(a, b, 1), carom.collide(a, b, 1));
  for (const margin of [-1, NaN, Infinity]) assert.throws(() => narrow.collide(a, b, margin), /margin is .* 0 to 1e30/);
  assert.throws(() => narrow.collide(a, b, "1"), /margin is "1": expected a number/);
});

test("a mask of many pixels keeps each", () => {
  const rows = Array.from({ length: 7 }, (_, y) =>
    Array.from({ length: 45 }, (_, x) => ((x * 7 + y * 3) % 5 < 2 ? "#" : ".")).join(""),
  );
  for (let y = 0; y < 7; y++) {
    for (let x = 0; x < 45; x++) {
      assert.equal(carom.containsPoint({ mask: { rows } }, x + 0.5, y + 0.5), rows[y][x] === "#");
    }
  }
});

test("contains and ellipse", () => {
  assert.ok(carom.contains({ circle: { radius: 2 } }, ball));
  assert.ok(!carom.contains(ball, square));
  const { polygon } = carom.ellipse(2, 1, 0.01);
  assert.ok(polygon.points.every(([x, y]) => Math.abs((x / 2) ** 2 + y ** 2 - 1) < 0.05));
});
