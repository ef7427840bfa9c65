// Tests the room Why not floats. Expected answers come from fractions of integers that are written here.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { linkOf, start } from "./browser.mjs";
import { expectText, expectValue, frames, poll } from "./wait.mjs";

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

/** Returns a number as an integer times 2 ** -200, by repeated doubling. */
function scaled(value) {
  let [number, power] = [value, 0];
  while (!Number.isInteger(number)) [number, power] = [number * 2, power + 1];
  return BigInt(number) << BigInt(200 - power);
}

/** 3, 4, 5: the sign of distance² − (sum of radii)². */
function circleSign([ax, ay, ra], [bx, by, rb]) {
  const d = scaled(bx) - scaled(ax);
  const e = scaled(by) - scaled(ay);
  const r = scaled(ra) + scaled(rb);
  const value = d * d + e * e - r * r;
  return value > 0n ? "no" : value < 0n ? "yes" : "yes, they touch";
}

const EXPECTED = {
  "three-four-five": { exact: circleSign([0.1, 0.1, 0.1], [0.4, 0.5, 0.4]), loop: "no" },
  reverse: { exact: circleSign([0.2, 0.4, 0.2], [0.5, 0.8, 0.3]), loop: "yes" },
  // The corner (0.8, 0.9) and the edge from (1.1, 0.6) to (0.6, 1.1): x + y = 1.7 for all three.
  corner: { exact: scaled(0.8) + scaled(0.9) === scaled(1.1) + scaled(0.6) ? "yes, they touch" : "?", loop: "no" },
  "corner-apart": { exact: cornerSign(), loop: "yes" },
  far: { exact: circleSign([1_000_000, 0.5, 0.5], [1_000_001.02, 0.5, 0.5]), loop: "no" },
};

/** The corner (1.1, 0.8) against the edge from (1.4, 0.7) to (0.8, 0.9), whose triangle lies below. */
function cornerSign() {
  const [x, y, ax, ay, bx, by] = [1.1, 0.8, 1.4, 0.7, 0.8, 0.9].map(scaled);
  const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  return cross < 0n ? "no" : cross > 0n ? "yes" : "yes, they touch";
}

const answers = (page) =>
  page.$$eval(".answers tr", (rows) =>
    Object.fromEntries(
      rows.map((row) => [
        row.dataset.answer,
        { text: row.querySelector("td span").textContent, wrong: row.dataset.wrong === "true" },
      ]),
    ),
  );

test("carom and the integers agree, the loop and libraries do not", { timeout: 600_000 }, async () => {
  const page = await browser.open("why-not-floats");
  for (const [id, { exact, loop }] of Object.entries(EXPECTED)) {
    await page.click(`[role="radio"][data-value="${id}"]`);
    const three = async () => {
      const all = await answers(page);
      return ["exact arithmetic (integers)", "carom", "textbook loop, 64-bit floats"].map((name) => all[name]);
    };
    const right = { text: exact, wrong: false };
    const ofLoop = { text: loop, wrong: (loop === "no") !== (exact === "no") };
    await expectValue(three, [right, right, ofLoop], id);
    if (id === "three-four-five") await page.getByRole("button", { name: "Ask other libraries" }).click();
    await page.waitForSelector('[data-answer="rapier2d"]');
    const all = await answers(page);
    if (id === "three-four-five" || id === "corner") assert.ok(all.check2d.wrong, id);
    if (id === "far") assert.ok(all.rapier2d.wrong);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("at the deepest zoom the gap is drawn, larger than 80 pixels", async () => {
  const page = await browser.open("why-not-floats");
  for (const id of Object.keys(EXPECTED)) {
    await page.click(`[role="radio"][data-value="${id}"]`);
    await page.getByRole("button", { name: "Go to the gap" }).click();
    await poll(
      () => page.inputValue(".under input"),
      (zoom) => zoom === "1000",
      `${id}: not the deepest zoom`,
    );
    await frames(page);
    const text = await page.$$eval(".floats svg text", (all) => all.map((one) => one.textContent).join(" "));
    if (id === "corner") continue;
    assert.match(text, /gap|overlap/, id);
    const line = await page.$eval('.floats svg line[style*="stroke-width: 3"]', (one) =>
      Math.hypot(one.x1.baseVal.value - one.x2.baseVal.value, one.y1.baseVal.value - one.y2.baseVal.value),
    );
    assert.ok(line > 80, `${id}: ${line}`);
    assert.ok((await page.$$('.floats svg line[style*="dasharray"]')).length > 1, id);
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("numbers of usual size have decimals, as in the text", async () => {
  const page = await browser.open("why-not-floats");
  await page.click('[role="radio"][data-value="far"]');
  await expectText(page, ".side", /with a gap of 0\.02\. .*Neighbours are 0\.0625 apart here/);
  await expectText(page, ".floats svg", /gap 0\.02(?!\d)/);
  await page.close();
});

test("at 360 pixels each answer of the table has one line", async () => {
  const page = await browser.open("why-not-floats", { width: 360, height: 760 });
  await expectText(page, ".answers", /no · wrong/);
  // The lines of a wrapped text have different tops.
  const lines = await page.$$eval(".answers td:last-child", (cells) =>
    cells.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
    }),
  );
  assert.ok(lines.length >= 3);
  assert.deepEqual(
    lines,
    lines.map(() => 1),
  );
  await page.close();
});

test("the keyboard zooms, and a link restores pair and zoom", async () => {
  const page = await browser.open("why-not-floats");
  await page.focus(".floats svg");
  for (let i = 0; i < 5; i++) await page.keyboard.press("+");
  await expectText(page, ".floats output", /× 10[²¹]/);
  await page.focus(".floats input");
  await page.keyboard.press("End");
  const hash = await linkOf(page, ({ zoom }) => zoom === 1000);
  const other = await browser.open("why-not-floats", { hash });
  await expectText(other, ".floats output", /× 10¹[⁵⁶⁷]/);
  await page.close();
  await other.close();
});
