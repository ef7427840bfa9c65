// The keyboard focus: a control that is replaced keeps it, so the keyboard alone goes on where it was.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./browser.mjs";
import { expectCount, expectValue, frames } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** Returns the name of the control with the focus. */
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return one.getAttribute("aria-label") ?? (one === document.body ? "no control" : one.textContent);
  });

/** Each case: the control, the keys, and the control with the focus afterwards (default: the same). */
const CASES = [
  ["two-shapes", 'select[aria-label="Kind of A"]', ["ArrowDown"], "Kind of A"],
  ["two-shapes", "[data-value=axes]", ["ArrowRight", "Control+z"], "Axes"],
  ["two-shapes", 'input[aria-label="A: x"]', ["ArrowUp", "Control+z", "Control+y"], "A: x"],
  ["two-shapes", "[data-key=theme]", ["Enter"], "Light theme"],
  ["drag", "[data-id=hammer]", ["Delete"], "spiral"],
  ["drag", "[data-id=invader]", ["Delete", "Control+z"], "hammer"],
  ["drag", 'button:has-text("Add")', ["Enter"], "Add"],
  ["drag", 'button:has-text("Add")', ["Enter", "Control+z"], "Add"],
  ["balls", "[data-value=sweep]", ["ArrowRight", "Control+z"], "sweep"],
  ["balls", 'input[aria-label="Balls"]', ["ArrowRight", "Control+z"], "Balls"],
  ["balls", "[data-key=play]", ["Enter"], "Pause"],
  ["level", 'select[aria-label="Level"]', ["ArrowDown"], "Level"],
  ["level", 'input[aria-label="Range of the light"]', ["ArrowRight", "Control+z"], "Range of the light"],
  ["pixels", 'select[aria-label="Image of A"]', ["ArrowDown"], "Image of A"],
  ["pixels", 'input[aria-label="Alpha threshold"]', ["ArrowRight", "Control+z"], "Alpha threshold"],
  ["race", 'input[aria-label="Balls"]', ["ArrowLeft", "Control+z"], "Balls"],
  ["why-not-floats", "[data-value=reverse]", ["Enter"], "reversed"],
  ["why-not-floats", 'input[aria-label="Zoom"]', ["ArrowRight", "Control+z"], "Zoom"],
];

for (const [room, selector, keys, name] of CASES) {
  test(`${room}: ${keys.join(", ")} at ${selector} leaves the focus at “${name}”`, async () => {
    const page = await site.open(room);
    await page.locator(selector).first().focus();
    for (const key of keys) {
      await page.keyboard.press(key);
      await frames(page);
    }
    await expectValue(() => focused(page), name, "the control with the focus");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test("two shapes: the list of vertices keeps the focus when a vertex is added and removed", async () => {
  const page = await site.open("two-shapes");
  await page.click("summary >> nth=0");
  await page.locator('button:has-text("Add a vertex")').first().focus();
  await page.keyboard.press("Enter");
  await expectValue(() => focused(page), "Add a vertex");
  // Of four vertices, three are left, which cannot be removed. So the triangle gets a fifth one first.
  await page.keyboard.press("Enter");
  await page.locator('[aria-label="Remove vertex 1"]').first().focus();
  await page.keyboard.press("Enter");
  await expectCount(page, '[aria-label="Remove vertex 4"]', 0);
  await expectValue(() => focused(page), "Remove vertex 1");
  await page.context().close();
});
