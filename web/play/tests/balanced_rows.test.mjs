// Distributes segments over rows. The expected rows follow from the widths by hand.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";

let balancedRows;
before(async () => {
  const source = new URL("../src/ui/balanced_rows.ts", import.meta.url);
  const { code } = await transformWithOxc(await readFile(source, "utf8"), fileURLToPath(source));
  ({ balancedRows } = await import(`data:text/javascript,${encodeURIComponent(code)}`));
});

const GAP = 10;

test("rows are few, then not of one segment, then of nearly equal width", () => {
  for (const [widths, space, rows, law] of [
    [[], 100, [], "no segment"],
    [[50, 50, 50], 170, [3], "three segments and two gaps fit exactly"],
    [[60, 50, 50], 179, [1, 2], "one row is too wide by 1; 110 is narrower than 120 of [2, 1]"],
    [[50, 50, 50, 50], 170, [2, 2], "no row of one segment: not [3, 1]"],
    [[150, 50, 20, 50], 210, [2, 2], "no row of one segment, although 150 of [1, 3] is narrower"],
    [[50, 50, 50, 50, 40], 170, [2, 3], "160 is narrower than 170 of [3, 2]"],
    [[80, 80, 70], 170, [1, 2], "one segment has to stand alone; 160 is narrower than 170 of [2, 1]"],
    [[50, 50, 50, 50, 50, 50], 110, [2, 2, 2], "two rows are too few"],
    [[200, 50, 50], 120, [1, 2], "a segment that is too wide has its own row"],
    [[50, 200, 50], 120, [1, 1, 1], "a segment that is too wide leaves both others alone"],
  ]) {
    assert.deepEqual(balancedRows(widths, GAP, space), rows, law);
  }
});

test("twelve segments have rows, thirteen are refused", () => {
  assert.deepEqual(balancedRows(Array(12).fill(50), GAP, 350), [6, 6]);
  assert.throws(() => balancedRows(Array(13).fill(50), GAP, 350), /^RangeError: 13 segments: at most 12$/);
});
