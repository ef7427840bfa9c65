// Large levels in the room Level: workers read, build and paint them, and the page answers meanwhile.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { simulate, start } from "./browser.mjs";
import { save } from "./native.mjs";
import { assertShort, recordTasks } from "./trace.mjs";
import { expectText, expectValue, expectWorkers, PATIENCE, poll } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** Makes the scene of an island of so many vertices. The page runs it. */
function island(count) {
  const points = Array.from({ length: count }, (_, i) => {
    const angle = (i / count) * 2 * Math.PI;
    const radius = 100 + 8 * Math.sin(9 * angle) + 0.3 * Math.sin(2111 * angle);
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return { carom: 1, y: "up", colliders: [{ id: "island", shape: { polygon: { points } } }] };
}

/** Makes rows of stars of 40 vertices, as a scene. The page runs it. */
function stars(count) {
  const star = (x, y, salt) =>
    Array.from({ length: 40 }, (_, i) => {
      const radius = 0.3 + 0.007 * ((i * 7919 + salt) % 13);
      return [x + radius * Math.cos((i * Math.PI) / 20), y + radius * Math.sin((i * Math.PI) / 20)];
    });
  const shape = (i) => ({ polygon: { points: star(i % 100, Math.floor(i / 100), i) } });
  return { carom: 1, y: "up", colliders: Array.from({ length: count }, (_, i) => ({ shape: shape(i) })) };
}

/** Makes one polygon with many vertices, and rows of triangles, as GeoJSON. The page runs it. */
function map(count) {
  const ring = (n, x, y, r) =>
    Array.from({ length: n + 1 }, (_, i) => {
      const angle = ((i % n) / n) * 2 * Math.PI;
      // A ring with many dents is built for longer than a message needs to appear.
      const radius = n > 3 ? r * (1 + 0.08 * Math.sin(9 * angle) + 0.003 * Math.sin(2111 * angle)) : r;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    });
  const feature = (coordinates) => ({ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates } });
  const small = Array.from({ length: 1000 }, (_, i) => feature([ring(3, i % 100, Math.floor(i / 100), 0.4)]));
  return { type: "FeatureCollection", features: [feature([ring(count, 0, -500, 400)]), ...small] };
}

/** Opens a room, and drops a file with a scene. Returns the page, the size of the file, and `tasks` of `dropFile`. */
async function drop(make, count, { name = "island.json", room = "level" } = {}) {
  const page = await site.open(room);
  const size = await page.evaluate(
    ([source, many, fileName]) => {
      window.sent = [];
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...rest) {
        post.call(this, message, ...rest);
        window.sent.push(message.kind);
      };
      const text = JSON.stringify(new Function(`return (${source})(${many})`)());
      window.file = new File([text], fileName);
      return text.length;
    },
    [String(make), count, name],
  );
  const tasks = await dropFile(page);
  await page.waitForSelector(".message.busy");
  return { page, size, tasks };
}

/** Drops the file that the page has made. Returns a function that returns the times of the tasks since then. */
async function dropFile(page) {
  const tasks = await recordTasks(site.browser);
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(window.file);
    const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector(".canvas-box").dispatchEvent(event);
  });
  return tasks;
}

/** Drops an island of 60 000 vertices. */
const dropIsland = () => drop(island, 60_000);

/** Drops an island that takes seconds to build. The smaller one can be built before a loaded machine shows "0 %". */
const dropLargeIsland = () => drop(island, 400_000);

/** Waits until so many workers run or build a level. */
const levels = (page, count) => expectWorkers(page, "level_worker", count);

test("an outline of 60 000 vertices opens without a long task of the page", { timeout: 600_000 }, async () => {
  const { page, tasks } = await dropIsland();
  await page.waitForFunction(() => /on island/.test(document.querySelector("[data-blocks]").textContent), null, {
    timeout: 8 * PATIENCE,
  });
  // A click shoots down at the island, and so does the key after it.
  const canvas = page.locator(".level-box canvas");
  const { width, height } = await canvas.boundingBox();
  await canvas.click({ position: { x: width / 2, y: height - 10 } });
  await page.keyboard.press("f");
  await page.waitForFunction(() => /hit island\. Hits: [2-9]/.test(document.querySelector("[data-shots]").textContent));
  await page.keyboard.down("ArrowRight");
  await simulate(page, 1);
  await page.keyboard.up("ArrowRight");
  assertShort(await tasks(), "build, walk, paint");
  // The state gets the new place when the mover has stood still for a while.
  const place = async () => JSON.parse(await save(page, "Room as JSON")).state.at;
  await poll(place, (at) => at !== null, "the mover has not left its start");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("another room opens while the outline is built, and the building ends", { timeout: 600_000 }, async () => {
  const { page, tasks } = await dropLargeIsland();
  await page.getByText("island.json: 0 % of the level is built.").waitFor({ timeout: 4 * PATIENCE });
  // One runs the level that is shown, the other builds.
  await levels(page, 2);
  await page.click('.rooms a[href*="two-shapes"]');
  await page.waitForSelector("[data-verdict][data-value]");
  await expectText(page, ".rooms a[aria-current]", /Two shapes/);
  await levels(page, 0);
  // The page compiles and draws another room. An outline that the page itself builds takes 2200 ms.
  assertShort(await tasks(), "another room", 100);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("Cancel ends the building, and the level before stays", { timeout: 600_000 }, async () => {
  const { page, tasks } = await dropLargeIsland();
  await page.getByText("island.json: 0 % of the level is built.").waitFor({ timeout: 4 * PATIENCE });
  await levels(page, 2);
  await page.locator(".message.busy").getByRole("button", { name: "Cancel" }).click();
  await page.waitForSelector(".message", { state: "detached" });
  assertShort(await tasks(), "Cancel");
  await levels(page, 1);
  assert.equal(await page.$eval("select", (select) => select.selectedOptions[0].textContent), "Cave");
  await page.keyboard.down("ArrowLeft");
  await page.waitForFunction(() => /wall 1 blocks it/.test(document.querySelector("[data-blocks]").textContent));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [what, make, count, name] of [
  ["a scene with one outline", island, 760_000, "island.json"],
  ["a GeoJSON file with one large polygon", map, 760_000, "map.geojson"],
]) {
  test(`${what} of 30 MB is read without a long task of the page`, { timeout: 900_000 }, async () => {
    const { page, size, tasks } = await drop(make, count, { name });
    assert.ok(size > 28e6, `${size} bytes`);
    await page
      .getByText(`${name}: 0 % of the level is built.`)
      .first()
      .waitFor({ timeout: 8 * PATIENCE });
    await levels(page, 2);
    // The scene was sent to the worker that builds it.
    await page.waitForFunction(() => window.sent.includes("load"));
    await page.locator(".message.busy").getByRole("button", { name: "Cancel" }).click();
    await page.waitForSelector(".message", { state: "detached" });
    assertShort(await tasks(), what);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test("a level of 12 MB is changed, undone, redone and saved without a long task", { timeout: 900_000 }, async () => {
  const { page, size, tasks } = await drop(stars, 8000, { name: "stars.json" });
  assert.ok(size > 10e6, `${size} bytes`);
  await page.waitForSelector(".message.busy", { state: "detached", timeout: 8 * PATIENCE });
  assert.equal(await page.locator(".message").count(), 0);
  const tool = (name) => page.getByRole("button", { name, exact: true });
  const select = () => page.$eval("select", (one) => one.selectedOptions[0].textContent);
  await page.getByLabel("Light", { exact: true }).uncheck();
  await tool("Undo").click();
  await tool("Undo").click();
  await expectValue(select, "Cave");
  await page.waitForFunction(() => /stands on ground/.test(document.querySelector("[data-blocks]").textContent));
  await levels(page, 1);
  const busy = page.locator(".message.busy").waitFor(); // It comes and goes.
  await tool("Redo").click();
  await busy;
  await page.waitForSelector(".message.busy", { state: "detached", timeout: 8 * PATIENCE });
  await levels(page, 1);
  await poll(select, (text) => /stars/.test(text), "not the level of the file");
  assertShort(await tasks(), "undo, redo");
  const later = await recordTasks(site.browser);
  const saved = await save(page, "Room as JSON");
  const { source, light } = JSON.parse(saved).state;
  assert.deepEqual([source.name, source.scene.colliders.length, light], ["stars.json", 8000, true]);
  assert.deepEqual(JSON.parse(await save(page, "Scene as JSON")), source.scene);
  const note = page.getByText(/This state has 1\d MB\. A link holds 8192 bytes/).waitFor();
  await Promise.all([page.waitForEvent("download"), tool("Copy link").click()]);
  await note;
  assertShort(await later(), "save, share");

  // The saved room opens again, in another page.
  const other = await site.open("level");
  await other.evaluate((text) => (window.file = new File([text], "level.room.json")), saved);
  const opened = await dropFile(other);
  await other.waitForFunction(
    () =>
      /stars/.test(document.querySelector("select").selectedOptions[0].textContent) &&
      !document.querySelector(".message"),
    null,
    { timeout: 8 * PATIENCE },
  );
  await levels(other, 1);
  assertShort(await opened(), "open the saved room");
  assert.deepEqual([page.problems, other.problems], [[], []]);
  await page.context().close();
  await other.context().close();
});

test("the room Drag refuses an outline of 30 MB without a long task", { timeout: 600_000 }, async () => {
  const { page, tasks } = await drop(island, 760_000, { room: "drag" });
  await page.locator(".message.error", { hasText: "island.json take" }).waitFor({ timeout: 4 * PATIENCE });
  assertShort(await tasks(), "Drag");
  assert.equal(await page.locator("[data-id=star]").count(), 1);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
