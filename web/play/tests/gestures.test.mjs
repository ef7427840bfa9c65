// Fingers and the mouse: a gesture follows one pointer, and no shape gets lost outside the figure.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { settled, start } from "./browser.mjs";
import { expectValue, frames, poll } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** Returns a function that sends touch events: a list of [id, x, y], the fingers that touch. */
async function fingers(page) {
  const session = await page.context().newCDPSession(page);
  return (type, ...points) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([id, x, y]) => ({ id, x, y })) });
}

/** Returns the centre of an element in pixels of the window. */
const centre = (page, selector) =>
  page.$eval(selector, (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });

const number = async (page, label) => Number(await page.inputValue(`input[aria-label="${label}"]`));

for (const [room, grip, seen] of [
  ["two-shapes", "[data-shape=a] text", "[data-shape=a] text"],
  ["drag", "[data-id=hexagon] path", "[data-id=hexagon] path"],
  ["pixels", "[data-sprite=a] image", "[data-sprite=a] image"],
]) {
  test(`${room}: a second finger on a shape does not move it`, async () => {
    const page = await site.open(room, { width: 360, touch: true });
    const touch = await fingers(page);
    await page.waitForSelector(seen);
    const [x, y] = await centre(page, grip);
    await touch("touchStart", [1, x, y]);
    await touch("touchMove", [1, x + 20, y]);
    await frames(page);
    const first = await centre(page, seen);
    await touch("touchStart", [1, x + 20, y], [2, x + 8, y + 6]);
    await touch("touchMove", [1, x + 20, y], [2, x + 40, y + 40]);
    await frames(page);
    assert.deepEqual(await centre(page, seen), first, "the second finger moved the shape");
    await touch("touchMove", [1, x + 30, y], [2, x + 40, y + 40]);
    await touch("touchEnd");
    await poll(
      () => centre(page, seen),
      ([now]) => Math.abs(now - first[0] - 10) < 1,
      "the first finger moved the shape by 10 pixels",
    );
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test("two shapes: a tap on A does not take the handle of B from the finger that drags it", async () => {
  const page = await site.open("two-shapes", { width: 360, touch: true });
  const touch = await fingers(page);
  const turned = await number(page, "B: rotation");
  const [x, y] = await centre(page, "[data-handle=turn]");
  const [ax, ay] = await centre(page, "[data-shape=a] text");
  await touch("touchStart", [1, x, y]);
  await touch("touchMove", [1, x + 20, y + 10]);
  await touch("touchStart", [1, x + 20, y + 10], [2, ax, ay]);
  await frames(page);
  await touch("touchMove", [1, x + 40, y + 40], [2, ax, ay]);
  await touch("touchEnd");
  await poll(
    () => number(page, "B: rotation"),
    (now) => Math.abs(now - turned) > 20,
    "B turns",
  );
  assert.equal(await number(page, "A: rotation"), 10, "A turns");
  await page.click('button[aria-label="Undo"]');
  await expectValue(() => number(page, "B: rotation"), turned, "the rotation after Undo");
  await page.context().close();
});

test("pixels: the right button drags no sprite", async () => {
  const page = await site.open("pixels");
  const [x, y] = await centre(page, "[data-sprite=a] image");
  await page.mouse.move(x, y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(x + 60, y + 30, { steps: 3 });
  await page.mouse.up({ button: "right" });
  await frames(page);
  assert.deepEqual(await centre(page, "[data-sprite=a] image"), [x, y]);
  await page.context().close();
});

/** Waits until the labels of both shapes lie in the figure. */
const expectInside = (page, what) =>
  expectValue(
    () =>
      page.$eval(".pair-box > svg", (svg) => {
        const box = svg.getBoundingClientRect();
        return [...svg.querySelectorAll("[data-shape] text")].map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom;
        });
      }),
    [true, true],
    what,
  );

test("two shapes: a phone that is turned, a link from a wide window and a typed place show both shapes", async () => {
  const page = await site.open("two-shapes", { width: 740, height: 360 });
  const [x, y] = await centre(page, "[data-shape=b] text");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(735, 340, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => location.hash.includes("?s="));
  const place = [await number(page, "B: x"), await number(page, "B: y")];
  await page.setViewportSize({ width: 360, height: 740 });
  await expectInside(page, "the turned phone");
  const hash = await page.evaluate(() => location.hash);
  const phone = await site.open("two-shapes", { width: 360, height: 740, hash });
  await expectInside(phone, "the link");
  assert.deepEqual([await number(phone, "B: x"), await number(phone, "B: y")], place, "the place of the link");
  await phone.context().close();
  // The largest number of the control. Its picture took seconds.
  await page.fill('input[aria-label="B: x"]', "1e6");
  await page.keyboard.press("Enter");
  await expectInside(page, "the typed place");
  await page.click('button[aria-label="Undo"]');
  await expectInside(page, "Undo");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [room, shape] of [
  ["drag", "[data-id=hexagon] path"],
  ["pixels", "[data-sprite=b] image"],
]) {
  test(`${room}: a phone that is turned, and a link from a wide window, show a shape at the border`, async () => {
    const page = await site.open(room, { width: 740, height: 360 });
    const [x, y] = await centre(page, shape);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(735, 300, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => location.hash.includes("?s="));
    const hash = await page.evaluate(() => location.hash);
    await page.setViewportSize({ width: 360, height: 740 });
    const phone = await site.open(room, { width: 360, height: 740, hash });
    for (const one of [page, phone]) {
      const inside = async () => {
        const [[px, py], box] = [await centre(one, shape), await one.locator(".canvas-box").boundingBox()];
        return px > box.x && px < box.x + box.width && py > box.y && py < box.y + box.height;
      };
      await expectValue(inside, true, "the middle of the shape in the figure");
      assert.deepEqual(one.problems, []);
      await one.context().close();
    }
  });
}

test("two shapes: a link with a shape that is far away or large does not stop the page", async () => {
  const item = (shape, more) => ({ kind: "circle", shape, x: 0, y: 0, rotation: 0, scale: 1, ...more });
  const b = item({ circle: { radius: 1 } }, { x: 2 });
  const motion = { dx: 1, dy: 0, rotation: 0 };
  for (const more of [{ x: 1e9 }, { scale: 1e9 }]) {
    const state = { a: item({ circle: { radius: 1 } }, more), b, mode: "axes", axis: -1, step: 0, motion, time: 0 };
    const page = await site.open("two-shapes");
    const text = JSON.stringify({ caromRoom: "two-shapes", state });
    const drop = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], "far.room.json"));
      return data;
    }, text);
    // A million steps of 10 pixels take seconds; a hundred millions take minutes.
    const start = Date.now();
    await page.dispatchEvent(".canvas-box", "drop", { dataTransfer: drop });
    await poll(
      () => number(page, "A: x"),
      (now) => now === (more.x ?? 0),
      "the state of the file",
    );
    await poll(
      () => number(page, "A: scale"),
      (now) => now === (more.scale ?? 1),
      "the state of the file",
    );
    await frames(page);
    assert.ok(Date.now() - start < 20_000, `${JSON.stringify(more)}: ${Date.now() - start} ms`);
    await settled(page, "two-shapes");
    await page.context().close();
  }
});
