// The room Two shapes: its numbers are those of the native library, and every gesture can be undone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { linkOf, start } from "./browser.mjs";
import { carom, save } from "./native.mjs";
import { expectCount, expectText, expectValue, frames, poll } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
/** Waits until a number that is read is the expected one. */
const expectNear = (read, expected, what) => poll(read, (now) => near(now, expected), `${what} is not ${expected}`);
const value = async (page) => Number(await page.locator("[data-verdict]").getAttribute("data-value"));

async function drag(page, selector, dx, dy) {
  const box = await page.locator(selector).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 4 });
  await page.mouse.move(x + dx, y + dy, { steps: 4 });
  await page.mouse.up();
  await frames(page);
}

/** Compares the verdict with `carom explain` on the exported scene. Returns its JSON. */
async function compare(page) {
  const scene = JSON.parse(await save(page, "Scene as JSON"));
  const native = carom("explain", scene, "A", "B");
  const size = native.depth ?? native.distance;
  await poll(
    () => page.locator("[data-verdict]").evaluate(({ dataset }) => [dataset.verdict, Number(dataset.value)]),
    ([verdict, shown]) =>
      (verdict === "apart") === !native.intersects && (verdict === "overlap") === native.overlaps && near(shown, size),
    `not ${native.overlaps ? "overlap" : native.intersects ? "touch" : "apart"}, ${size}`,
  );
  return native;
}

test("dragging changes the numbers, and they equal those of the command line", async () => {
  const page = await site.open("two-shapes");
  const first = await value(page);
  await compare(page);
  await drag(page, "[data-shape=b] path", 40, -10);
  await poll(
    () => value(page),
    (now) => now !== first,
    "the number has not changed",
  );
  await compare(page);
  await drag(page, "[data-shape=b] path", 160, -60);
  const native = await compare(page);
  assert.equal(native.intersects, false);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the rows show the projections of the command line, one row for each line", async () => {
  const page = await site.open("two-shapes");
  const native = await compare(page);
  const overlap = ({ shadow_a: a, shadow_b: b }) => Math.abs(Math.min(a[1] - b[0], b[1] - a[0])).toFixed(2);
  const rows = async () => {
    const texts = await page.locator(".axis-row .value").allTextContents();
    return [new Set(texts.map((text) => text.replace(/[^\d.]/g, ""))), texts.length];
  };
  // Three edges of the triangle and two directions of the rectangle.
  await expectValue(rows, [new Set(native.axes.map(overlap)), 5], "the rows");
  await page.context().close();
});

const KIND_WORDS = {
  circle: /circle/,
  capsule: /capsule/,
  star: /star/,
  ring: /ring/,
  hook: /hook/,
  pair: /dumbbell/,
  rounded: /rounded/,
  segment: /segment/,
  triangle: /triangle/,
  hexagon: /hexagon/,
};

for (const [a, b] of [
  ["circle", "capsule"],
  ["star", "ring"],
  ["hook", "pair"],
  ["rounded", "segment"],
  ["triangle", "hexagon"],
]) {
  test(`${a} and ${b}: the same answer as the command line`, async () => {
    const page = await site.open("two-shapes");
    await page.selectOption('select[aria-label="Kind of A"]', a);
    await page.selectOption('select[aria-label="Kind of B"]', b);
    for (const [name, kind] of [
      ["a", a],
      ["b", b],
    ]) {
      const label = () => page.locator(`[data-shape=${name}]`).getAttribute("aria-label");
      await poll(label, (text) => KIND_WORDS[kind].test(text.toLowerCase()), `not a ${kind}`);
    }
    await compare(page);
    await drag(page, "[data-shape=b] path", 30, 60);
    await compare(page);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test("a row highlights its axis, and an axis its row", async () => {
  // The pointer leaves an axis that was drawn anew before the browser has seen it below the pointer.
  const page = await site.open("two-shapes", { delay: 200 });
  await page.hover('[data-row="1"]');
  await page.waitForSelector('.axis-chosen[data-axis="1"]');
  await page.mouse.move(5, 5);
  // The page draws a moment after the pointer has left the row.
  const found = await page.waitForFunction(() => {
    for (const path of document.querySelectorAll('.axis-faint[data-axis="2"] .axis-hit')) {
      for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const p = path.getPointAtLength(path.getTotalLength() * share).matrixTransform(path.getScreenCTM());
        if (document.elementFromPoint(p.x, p.y) === path) return [p.x, p.y];
      }
    }
    return null;
  });
  await page.mouse.move(...(await found.jsonValue()));
  await page.waitForSelector('[data-row="2"].lit');
  await page.mouse.move(5, 5);
  await page.waitForSelector('[data-row="2"]:not(.lit)');
  await page.context().close();
});

test("undo, redo and reset", async () => {
  const page = await site.open("two-shapes");
  const first = await value(page);
  await drag(page, "[data-shape=b] path", 60, 0);
  const second = await value(page);
  assert.notEqual(second, first);
  await page.keyboard.press("Control+z");
  await expectValue(() => value(page), first);
  await page.click('button[aria-label="Redo"]');
  await expectValue(() => value(page), second);
  await page.click('button[aria-label="Reset"]');
  await expectValue(() => value(page), first);
  await page.context().close();
});

test("the link restores the state", async () => {
  const page = await site.open("two-shapes");
  await drag(page, "[data-shape=a] path", -50, 30);
  await page.click("button[data-value=closest]");
  await page.waitForFunction(() => location.hash.includes("?s="));
  const message = page.waitForSelector(".message");
  await page.click('button[aria-label="Copy link"]');
  await message;
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.length < 8192);
  const other = await site.open("two-shapes", { hash: new URL(link).hash });
  await other.waitForSelector(".contact-facts");
  await expectValue(() => value(other), await value(page));
  await page.context().close();
  await other.context().close();
});

test("a damaged link says so and starts from the beginning", async () => {
  const page = await site.open("two-shapes", { hash: "#/two-shapes?s=nonsense" });
  await expectText(page, ".message.error", /damaged/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("keyboard alone: move, turn, scale, edit a vertex, scrub a number", async () => {
  const page = await site.open("two-shapes");
  await page.selectOption('select[aria-label="Kind of A"]', "pentagon");
  await page.locator("[data-shape=a]").focus();
  const path = () => page.locator("[data-shape=a] path").getAttribute("d");
  await frames(page);
  /** Presses a key, and waits until the outline is another one that stays. */
  const press = async (key) => {
    const last = await path();
    await page.keyboard.press(key);
    await poll(path, (next) => next !== last, `${key} changes nothing`);
    await frames(page);
  };
  for (const key of ["ArrowLeft", "q", "-"]) await press(key);
  for (const key of ["ArrowUp", "Delete"]) {
    await page.locator("[data-handle=vertex-0]").focus();
    await press(key);
  }
  const x = page.locator('input[aria-label="A: x"]');
  const before = Number(await x.inputValue());
  await x.focus();
  await page.keyboard.press("ArrowUp");
  await expectNear(async () => Number(await x.inputValue()), before + 0.05, "x");
  await x.fill("-2");
  await page.keyboard.press("Enter");
  await compare(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("Escape restores a number that was typed", async () => {
  const page = await site.open("two-shapes");
  const x = page.locator('input[aria-label="B: x"]');
  const [before, first] = [await x.inputValue(), await value(page)];
  await x.fill("7");
  await page.keyboard.press("Escape");
  assert.equal(await x.inputValue(), before);
  await page.keyboard.press("Tab");
  await frames(page);
  assert.equal(await value(page), first);
  await page.context().close();
});

test("a number can be dragged", async () => {
  const page = await site.open("two-shapes");
  const input = page.locator('input[aria-label="B: x"]');
  const before = Number(await input.inputValue());
  await input.scrollIntoViewIfNeeded();
  const box = await page.locator("label.scrub", { has: input }).boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 20, { steps: 5 });
  await page.mouse.up();
  // 40 pixels are 10 steps of 0.05.
  await expectNear(async () => Number(await input.inputValue()), before + 0.5, "x");
  await page.context().close();
});

test("a polygon that crosses itself shows the message of the library", async () => {
  const page = await site.open("two-shapes");
  await page.selectOption('select[aria-label="Kind of A"]', "hook");
  await page.locator("[data-shape=a]").focus();
  for (let i = 0; i < 22; i++) {
    await page.locator("[data-handle=vertex-0]").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
  }
  await page.waitForSelector(".message.error");
  await page.keyboard.press("Control+z");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a refused shape keeps its message in every view, and after Undo and Redo", async () => {
  const page = await site.open("two-shapes");
  await page.click("summary >> nth=0");
  await page.click('button:has-text("Add a vertex") >> nth=0');
  // The triangle is (-1.5, -1), (1.5, -1), (0, 1.5). The fourth vertex below it makes two edges cross.
  for (const [axis, to] of [
    ["x", 0],
    ["y", -3],
  ]) {
    await page.locator(`input[aria-label$=" 3 ${axis}"]`).first().fill(String(to));
    await page.keyboard.press("Enter");
  }
  await expectText(page, ".message.error span", /crosses itself/);
  for (const mode of ["impact", "gjk", "closest", "axes"]) {
    await page.click(`button[data-value=${mode}]`);
    await linkOf(page, (state) => state.mode === mode);
    await expectText(page, ".message.error span", /crosses itself/);
  }
  const [undo, redo] = ["Undo", "Redo"].map((name) => page.locator(`button[aria-label="${name}"]`));
  while (await undo.isEnabled()) await undo.click();
  await expectCount(page, ".message.error", 0);
  while (await redo.isEnabled()) await redo.click();
  await expectText(page, ".message.error span", /crosses itself/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the outline of a rounded star keeps the radius as its distance from the star", async () => {
  const page = await site.open("two-shapes");
  await page.selectOption('select[aria-label="Kind of A"]', "star");
  const places = () =>
    page.$eval("[data-shape=a] path", (path) => {
      const length = path.getTotalLength();
      return Array.from({ length: 500 }, (_, i) => path.getPointAtLength((i / 500) * length)).map(({ x, y }) => [x, y]);
    });
  const corners = await page.$eval("[data-shape=a] path", (path) =>
    [...path.getAttribute("d").matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
  );
  assert.equal(corners.length, 10);
  await page.fill('input[aria-label="A: radius"]', "0.2");
  await page.keyboard.press("Enter");
  await frames(page);
  /** Returns the distance of a point from the border of the star, edge by edge. */
  const distance = ([x, y]) =>
    Math.min(
      ...corners.map(([ax, ay], i) => {
        const [bx, by] = corners[(i + 1) % 10];
        const [dx, dy] = [bx - ax, by - ay];
        const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
        return Math.hypot(x - ax - t * dx, y - ay - t * dy);
      }),
    );
  const distances = (await places()).map(distance);
  const [least, most] = [Math.min(...distances), Math.max(...distances)];
  // Coordinates have two decimals.
  assert.ok(most - least < 0.1, `between ${least} and ${most} pixels`);
  await page.context().close();
});

test("the time of impact equals that of the command line", async () => {
  const page = await site.open("two-shapes");
  await page.click("button[data-value=impact]");
  await drag(page, "[data-shape=b] path", 150, -60);
  const scene = JSON.parse(await save(page, "Scene as JSON"));
  const { hits } = carom("check", scene, "--sweep");
  await poll(
    () => page.locator("section p").first().textContent(),
    (shown) => Math.abs(Number(/time ([\d.]+)/.exec(shown)?.[1]) - hits[0].time) < 6e-4,
    `not the time ${hits[0].time}`,
  );
  await page.click("text=To the impact");
  await expectText(page, ".row p", /is (0|[\d.]+e−\d+)\.$/);
  await page.context().close();
});

test("the steps of an impact have different times", async () => {
  const page = await site.open("two-shapes");
  await page.click("button[data-value=impact]");
  // The last steps are shorter than 0.00005 of this motion.
  for (const [name, text] of [
    ["Motion of B: dx", "-400"],
    ["Motion of B: rotation", "359"],
  ]) {
    await page.fill(`input[aria-label="${name}"]`, text);
    await page.keyboard.press("Enter");
  }
  await frames(page);
  const times = await page.locator(".steps tbody td:first-child").allTextContents();
  assert.ok(times.length > 2, `${times}`);
  times.forEach((time, i) => assert.notEqual(time, times[i - 1]));
  await page.context().close();
});

test("a saved room with more points than the page draws is refused with the number", async () => {
  const page = await site.open("two-shapes");
  const room = JSON.parse(await save(page, "Room as JSON"));
  const points = Array.from({ length: 20_000 }, (_, i) => (i * Math.PI) / 10_000).map((t) => [
    Math.cos(t),
    Math.sin(t),
  ]);
  room.state.a.shape = { polygon: { points } };
  const drop = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "a.room.json"));
    return data;
  }, JSON.stringify(room));
  await page.dispatchEvent(".canvas-box", "drop", { dataTransfer: drop });
  await expectText(page, ".message.error span", /a shape has 20000 points, and this room draws at most 1000/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("GJK: each step has a simplex, and the last one says why", async () => {
  const page = await site.open("two-shapes");
  await page.click("button[data-value=gjk]");
  const title = page.locator("section h2").first();
  const [, count] = await poll(
    async () => /of (\d+)/.exec(await title.textContent()) ?? [],
    (found) => found.length > 0,
    "no number of steps",
  );
  for (let i = 1; i < Number(count); i++) {
    await page.click('button[aria-label="Next step"]');
    const step = new RegExp(`Step ${i + 1} of`);
    await poll(
      () => title.textContent(),
      (text) => step.test(text),
      `not step ${i + 1}`,
    );
    assert.ok(await page.locator("svg.difference .simplex").getAttribute("d"));
  }
  const reason = () => page.locator("section p").first().textContent();
  await poll(reason, (text) => /contains the origin/.test(text), "not the reason");
  await page.context().close();
});

test("the picture is saved as an SVG of its own", async () => {
  const page = await site.open("two-shapes");
  const svg = await save(page, "Picture as SVG");
  assert.match(svg, /^<svg xmlns/);
  assert.ok(!/class=|var\(/.test(svg));
  await page.context().close();
});

test("the picture of GJK has both figures", async () => {
  const page = await site.open("two-shapes");
  await page.click("button[data-value=gjk]");
  await page.waitForSelector("svg.difference text");
  const svg = await save(page, "Picture as SVG");
  for (const word of ["A", "B", "origin", "A − B"]) assert.ok(svg.includes(`>${word}</text>`), word);
  const [view, ...boxes] = [...svg.matchAll(/<svg [^>]*?(?:viewBox="0 0|x=)[^>]*>/g)].map(([tag]) => tag);
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(view).map(Number);
  assert.equal(boxes.length, 2);
  const places = boxes.map((tag) =>
    ["x", "y", "width", "height"].map((name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(tag)[1])),
  );
  // Each place is rounded.
  for (const [x, y, w, h] of places) {
    assert.ok(w > 50 && h > 50 && x + w <= width + 1 && y + h <= height + 1, `${places}`);
  }
  const [pair, difference] = places;
  assert.ok(difference[0] >= pair[0] + pair[2] - 1 || difference[1] >= pair[1] + pair[3] - 1, `${places}`);
  await page.context().close();
});
