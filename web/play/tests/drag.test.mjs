// The room Drag: its contacts are those of `carom check`, a click names the part, files open.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { repository, start } from "./browser.mjs";
import { carom, save } from "./native.mjs";
import { expectCount, expectText, expectValue, poll } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const pairs = (page) =>
  page.locator("[data-pair]").evaluateAll((rows) => rows.map((row) => [row.dataset.pair, Number(row.dataset.depth)]));

async function compare(page) {
  const scene = JSON.parse(await save(page, "Scene as JSON"));
  const sorted = (rows) => [...rows].sort((x, y) => (x[0] < y[0] ? -1 : 1));
  const native = sorted(carom("check", scene).contacts.map(({ a, b, depth }) => [`${a}|${b}`, depth]));
  const equal = ([pair, depth], [expected, exact]) => pair === expected && Math.abs(depth - exact) < 1e-9;
  await poll(
    async () => sorted(await pairs(page)),
    (shown) => shown.length === native.length && shown.every((row, i) => equal(row, native[i])),
    `not the contacts ${native.join(" ")}`,
  );
  return native;
}

const drop = (page, files) => page.setInputFiles(".toolbar input[type=file]", files);

test("the contacts equal those of the command line, before and after a drag", async () => {
  const page = await site.open("drag");
  const first = await compare(page);
  assert.ok(first.length >= 4);
  const box = await page.locator("[data-id=circle] path").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 180, box.y + box.height / 2 + 40, { steps: 6 });
  await page.mouse.up();
  const second = await compare(page);
  assert.notDeepEqual(second, first);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("shapes that meet are translucent", async () => {
  const page = await site.open("drag");
  const opacity = (id) =>
    page.locator(`[data-id=${id}] path`).evaluate((path) => Number(getComputedStyle(path).fillOpacity));
  await poll(
    () => opacity("circle"),
    (value) => value < 0.5,
    "the circle is not translucent",
  );
  await expectValue(() => opacity("invader"), 1, "the opacity");
  await page.context().close();
});

test("a click names the part, and the hole of the ring is no part of it", async () => {
  const page = await site.open("drag");
  const box = await page.locator("[data-id=ring] path").boundingBox();
  await page.mouse.click(box.x + box.width * 0.08, box.y + box.height / 2);
  await expectText(page, "[data-hit]", /hits ring: part \d+ of \d+/);
  await page.mouse.click(box.x + box.width * 0.4, box.y + box.height * 0.4);
  await expectText(page, "[data-hit]", /hits no shape/);
  await page.context().close();
});

test("keyboard alone: select, move, turn, click, remove, undo", async () => {
  const page = await site.open("drag");
  await page.locator("[data-id=star]").focus();
  const path = () => page.locator("[data-id=star] path").getAttribute("d");
  const first = await path();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("q");
  await poll(path, (d) => d !== first, "the star has not moved");
  await page.keyboard.press("Enter");
  await expectText(page, "[data-hit]", /star/);
  await page.keyboard.press("Delete");
  await expectCount(page, "[data-id=star]", 0);
  await page.keyboard.press("Control+z");
  await expectCount(page, "[data-id=star]", 1);
  await page.context().close();
});

test("a file replaces the shapes, and its contacts equal those of the command line", async () => {
  const page = await site.open("drag");
  await drop(page, join(repository, "scenes", "drawing.svg"));
  await page.waitForSelector("[data-id=heart]");
  await compare(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a dropped file opens too", async () => {
  const page = await site.open("drag");
  const text = readFileSync(join(repository, "scenes", "example.json"), "utf8");
  await page.evaluate((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], "example.json", { type: "application/json" }));
    document
      .querySelector(".canvas-box")
      .dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, text);
  await page.waitForSelector("[data-id=barrel]");
  await page.context().close();
});

test("a broken file shows the message of the library, and the shapes stay", async () => {
  const page = await site.open("drag");
  await drop(page, {
    name: "broken.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"carom": 1, "colliders": [{"shape": {"circle": {"radius": -1}}}]}'),
  });
  await expectText(page, ".message.error", /radius/);
  assert.equal(await page.locator("[data-id=star]").count(), 1);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("shapes are highlighted only while the row of their contact is below the pointer", async () => {
  const page = await site.open("drag");
  // The last row: after it goes, no other one lies below the pointer.
  await page.locator("[data-id=segment]").focus();
  await page.hover('[data-pair="rectangle|segment"]');
  await expectCount(page, ".lit", 2);
  await page.keyboard.press("Delete");
  await expectCount(page, '[data-pair="rectangle|segment"]', 0);
  await expectCount(page, ".lit", 0);
  await page.context().close();
});

test("a shape of a map, whose origin lies outside the figure, follows the pointer and the keys", async () => {
  const page = await site.open("drag");
  const ring = [100, 110].flatMap((x) => [x === 100 ? [x, 100] : [x, 110], x === 100 ? [110, 100] : [100, 110]]);
  const map = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
  const data = { name: "a.geojson", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(map)) };
  await page.setInputFiles(".toolbar input[type=file]", data);
  await expectCount(page, ".movable", 1);
  const box = () => page.locator(".movable .shape").boundingBox();
  const before = await box();
  const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 40, y + 30, { steps: 4 });
  await page.mouse.up();
  const moved =
    ([dx, dy]) =>
    (now) =>
      Math.hypot(now.x - before.x - dx, now.y - before.y - dy) < 2;
  await poll(box, moved([-40, 30]), "the shape has not followed the pointer");
  // An arrow key moves by 8 pixels.
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  await poll(box, moved([-64, 30]), "the shape has not followed the keys");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
