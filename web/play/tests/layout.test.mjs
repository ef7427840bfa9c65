// Controls and lists have a good form at every width, and names are in the language of the page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ROOMS, settled, start } from "./browser.mjs";
import { save } from "./native.mjs";
import { expectText, expectValue, frames, poll } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** Returns the numbers of segments in the rows of each control, and its segments that are cut. */
const segments = (page) =>
  page.$$eval(".segments", (controls) =>
    controls.map((control) => {
      const buttons = [...control.querySelectorAll("button")];
      const tops = buttons.map((one) => one.offsetTop);
      const right = control.getBoundingClientRect().right;
      const isCut = (one) => one.getBoundingClientRect().right > right || one.scrollWidth > one.clientWidth;
      return {
        rows: [...new Set(tops)].map((top) => tops.filter((one) => one === top).length),
        cut: buttons.filter(isCut).length,
      };
    }),
  );

const isGood = (controls) => controls.every(({ rows, cut }) => cut === 0 && (rows.length === 1 || !rows.includes(1)));

test("no segment of a control stands alone in its row", async () => {
  for (const language of ["en", "zh"]) {
    for (const room of ["two-shapes", "balls", "pixels", "why-not-floats"]) {
      // One page for all widths: the rows follow the width.
      const page = await site.open(room, { width: 1920, height: 1080, language });
      for (const width of [1920, 900, 360, 821, 1280, 1100]) {
        await page.setViewportSize({ width, height: 800 });
        await frames(page); // The rows of the last width may be good as well.
        await poll(() => segments(page), isGood, `${room}, ${language}, ${width} pixels: segments of each row`);
      }
      await page.context().close();
    }
  }
});

test("another choice moves no segment to another row, and keeps the focus", async () => {
  const page = await site.open("balls", { width: 900 });
  const count = await page.locator(".segments button").count();
  await page.locator(".segments button[aria-checked=true]").focus();
  const rows = async () => (await segments(page)).map((one) => one.rows);
  const before = await rows();
  for (let i = 0; i < count; i++) {
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.activeElement.getAttribute("aria-checked") === "true");
    await frames(page);
    assert.deepEqual(await rows(), before);
  }
  await page.context().close();
});

for (const [width, height] of [
  [821, 700],
  [900, 800],
  [1280, 800],
  [360, 760],
]) {
  test(`no list hides the ends of its rows at ${width} pixels`, async () => {
    for (const room of ROOMS) {
      const page = await site.open(room, { width, height });
      const hidden = () =>
        page.evaluate(() => {
          const clips = (one) => getComputedStyle(one).overflowX !== "visible" && !one.classList.contains("live");
          const boxes = [...document.querySelectorAll(".side *")].filter((one) => one.checkVisibility() && clips(one));
          return boxes.flatMap((box) =>
            [...box.querySelectorAll("*")]
              .filter((one) => one.getBoundingClientRect().right > box.getBoundingClientRect().right + 1)
              .map((one) => `${box.className}: ${one.className} ${one.textContent}`),
          );
        });
      await expectValue(hidden, [], `${room}: hidden ends`);
      await page.context().close();
    }
  });
}

test("the bars of all axes have one left edge and one width", async () => {
  for (const width of [360, 900, 1920]) {
    const page = await site.open("two-shapes", { width });
    const places = () =>
      page.$$eval(".axis-row .bars", (all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ left, width: wide }) => `${left} ${wide}`),
      );
    await poll(places, (all) => all.length > 3 && new Set(all).size === 1, "the places of the bars");
    await page.context().close();
  }
});

test("drag: shapes of the room have names in the language of the page, shapes of files their ids", async () => {
  const page = await site.open("drag", { language: "zh" });
  const rows = () => page.$$eval("[data-pair] span:first-child", (all) => all.map((one) => one.textContent));
  await poll(rows, (all) => all.length === 5 && all.every((text) => !/[a-z]/i.test(text)), "names in Chinese");
  assert.ok((await rows()).includes("圆环 · 圆"));
  await page.locator("[data-id=ring]").focus();
  await expectText(page, ".item-row h2", "已选择：圆环");
  const labels = () => page.$$eval(".numbers input", (all) => all.map((one) => one.ariaLabel));
  await expectValue(labels, ["圆环：x", "圆环：y", "圆环：旋转角度"]);
  await page.getByRole("button", { name: "添加" }).click();
  await expectText(page, ".item-row h2", "已选择：星形 2");
  await page.click("[data-key=language]");
  await expectText(page, ".item-row h2", "Selected: star 2");
  const scene = JSON.parse(await save(page, "Scene as JSON"));
  assert.ok(scene.colliders.some(({ id }) => id === "star 2"));
  await page.click("[data-key=language]");
  // The name and not the shape of the room.
  const circle = (id, radius) => ({ id, shape: { circle: { radius } } });
  const ring = { carom: 1, colliders: [circle("ring", 2), circle("b", 1)] };
  const buffer = Buffer.from(JSON.stringify(ring));
  await page.setInputFiles(".toolbar input[type=file]", { name: "a.json", mimeType: "application/json", buffer });
  await expectValue(rows, ["ring · b"]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the labels of numbers are in the language of the page", async () => {
  for (const room of ["two-shapes", "pixels"]) {
    const page = await site.open(room, { language: "zh" });
    const labels = () => page.$$eval(".numbers input", (all) => all.map((one) => one.ariaLabel));
    const isGood = (all) => all.length >= 6 && all.every((label) => !/[a-z]{2}/i.test(label));
    await poll(labels, isGood, `${room}: the labels`);
    await page.context().close();
  }
});

test("level: colliders of the cave have names in the language of the page", async () => {
  const page = await site.open("level", { language: "zh" });
  await expectText(page, "[data-blocks]", /^它站在 地面 \d+ 上。$/);
  await page.click("[data-key=language]");
  await expectText(page, "[data-blocks]", /^It stands on ground \d+\.$/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("two shapes: the start of a motion and its handles lie in the figure", async () => {
  for (const width of [360, 900, 1280, 1920]) {
    const page = await site.open("two-shapes", { width });
    await page.click("button[data-value=impact]");
    await page.waitForSelector("button[data-value=impact][aria-checked=true]");
    const outside = () =>
      page.$eval(".pair-box > svg", (svg) => {
        const box = svg.getBoundingClientRect();
        const marks = [...svg.querySelectorAll("[data-shape=b] path, [data-handle]")];
        const isOutside = ({ left, right }) => left < box.left || right > box.right;
        return marks.length < 3 ? "missing" : marks.map((one) => one.getBoundingClientRect()).filter(isOutside).length;
      });
    await expectValue(outside, 0, `${width} pixels: shapes and handles outside`);
    await page.context().close();
  }
});

test("two shapes: a shape at the border of one mode lies in the narrower figure of the next", async () => {
  const page = await site.open("two-shapes", { width: 360 });
  /** Returns the place of B in the figure: 0 at the left border, 1 at the right one. */
  const x = () =>
    page.$eval(".pair-box > svg", (svg) => {
      const box = svg.getBoundingClientRect();
      const label = svg.querySelector("[data-shape=b] text").getBoundingClientRect();
      return (label.left + label.width / 2 - box.left) / box.width;
    });
  const choose = async (mode) => {
    await page.click(`button[data-value=${mode}]`);
    await page.waitForSelector(`button[data-value=${mode}][aria-checked=true]`);
    await frames(page);
  };
  await choose("impact");
  // An arrow key moves by 0.1 units. The border stops the shape.
  await page.focus("[data-shape=b]");
  for (let i = 0; i < 80; i++) await page.keyboard.press("ArrowRight");
  await poll(x, (share) => share > 0.9, "B is at the right border");
  for (const mode of ["axes", "impact", "gjk", "closest"]) {
    await choose(mode);
    await poll(x, (share) => share > 0 && share < 1, `${mode}: B lies in the figure`);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("on a phone on its side the header is one row, and every room is in reach", async () => {
  const page = await site.open("two-shapes", { width: 740, height: 360, touch: true });
  const { height } = await page.locator(".top").boundingBox();
  assert.ok(height <= 50, `${height} pixels`);
  await page.locator('.rooms a[href="#/why-not-floats"]').tap();
  await settled(page, "why-not-floats");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 740);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a message about a file names no option of the package", async () => {
  const page = await site.open("level", { width: 900 });
  const map = `<map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="9" tileheight="9">
    <tileset firstgid="1" source="a.tsx"/></map>`;
  const bowTie = '{"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}';
  for (const [name, text, message] of [
    ["a.tmx", map, /"a\.tsx" cannot be read: it is not among the given files: drop it together with the others/],
    ["a.geojson", bowTie, /crosses itself near \(1, 1\).*: reorder or split it$/],
  ]) {
    await page.setInputFiles(".toolbar input[type=file]", { name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await expectText(page, ".message.error span", message);
  }
  await page.context().close();
});
