// Tests the room Race: every entrant runs, and energy is kept where it should be.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./browser.mjs";
import { expectText, PATIENCE } from "./wait.mjs";

const ENTRANTS = ["carom", "rapier", "check2d", "matter", "planck", "sorted", "nested"];

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

test("the bars are empty before the race, in both languages", async () => {
  const page = await browser.open("race");
  const widths = () => page.$$eval(".lane i", (bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  assert.deepEqual(
    await widths(),
    ENTRANTS.map(() => 0),
  );
  await page.getByRole("button", { name: "中文" }).click();
  await page.getByRole("button", { name: "开始" }).waitFor();
  assert.deepEqual(
    await widths(),
    ENTRANTS.map(() => 0),
  );
  await page.close();
});

test("all entrants run the same balls, side by side", { timeout: 900_000 }, async () => {
  const page = await browser.open("race");
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.getByRole("button", { name: "Start" }).click();
  for (const id of ENTRANTS) {
    await page.waitForFunction(
      (of) => Number(document.querySelector(`.lane[data-id="${of}"]`)?.dataset.frames) > 20,
      id,
      { timeout: 10 * PATIENCE },
    );
  }
  const lanes = await page.$$eval(".lane", (all) =>
    Object.fromEntries(
      all.map((lane) => [
        lane.dataset.id,
        {
          milliseconds: Number(lane.dataset.milliseconds),
          energy: Number(/× ([\d.]+)/.exec(lane.querySelector(".more").textContent)[1]),
          bar: lane.querySelector("i").getBoundingClientRect().width,
        },
      ]),
    ),
  );
  for (const id of ENTRANTS) assert.ok(lanes[id].milliseconds > 0 && lanes[id].bar > 0, id);
  for (const id of ["carom", "check2d", "sorted", "nested"]) assert.ok(Math.abs(lanes[id].energy - 1) < 1e-3, id);
  // The code of the libraries is loaded when the race starts, and from this host only.
  assert.ok(
    requests.length > 0 && requests.every((url) => url.startsWith(browser.address) || url.startsWith("blob:")),
    requests.join("\n"),
  );
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("an entrant is drawn when it is chosen with the keyboard", { timeout: 900_000 }, async () => {
  const page = await browser.open("race");
  await page.getByRole("button", { name: "Start" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    () => Number(document.querySelector('.lane[data-id="planck"]')?.dataset.frames) > 3,
    null,
    { timeout: 10 * PATIENCE },
  );
  await page.focus('.lane[data-id="planck"]');
  await page.keyboard.press("Enter");
  await expectText(page, ".drawn", "Drawn: planck");
  await page.close();
});
