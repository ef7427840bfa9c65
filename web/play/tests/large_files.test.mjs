// Large files are read in a worker and built in another: the page answers, and the opening can be cancelled.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./browser.mjs";
import { expectText, expectWorkers, frames } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** Makes a GeoJSON file of 10 MB in the page: stars of 100 vertices in rows. */
const makeLarge = (page) =>
  page.evaluate(() => {
    const [count, vertices, side] = [4500, 100, 68];
    const star = (x, y, salt) =>
      Array.from({ length: vertices + 1 }, (_, i) => {
        const angle = ((i % vertices) / vertices) * 2 * Math.PI;
        const radius = 0.3 + 0.1 * (((i % vertices) * 7919 + salt) % 13) * 0.07;
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)].map((v) => Number(v.toFixed(7)));
      });
    const features = Array.from({ length: count }, (_, i) => {
      const coordinates = [star(i % side, Math.floor(i / side), i)];
      return { type: "Feature", properties: { name: `star ${i}` }, geometry: { type: "Polygon", coordinates } };
    });
    window.large = new File([JSON.stringify({ type: "FeatureCollection", features })], "large.geojson");
    return window.large.size;
  });

/** Drops the large file. */
const dropLarge = (page) =>
  page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(window.large);
    const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector(".canvas-box").dispatchEvent(event);
  });

/** Records what the readers send: names of files that were read, and the kind of their scene. */
const watchReaders = (page) =>
  page.evaluate(() => {
    window.read = [];
    window.scenes = [];
    window.Worker = class extends Worker {
      constructor(...all) {
        super(...all);
        this.addEventListener("message", ({ data }) => {
          if (data.kind !== "read") return;
          window.read.push(data.name);
          window.scenes.push(data.scene.json.constructor.name);
        });
      }
    };
  });

/** Waits until so many readers run. */
const readers = (page, count) => expectWorkers(page, "read_worker", count);

const level = (page) => page.$eval("select", (select) => select.selectedOptions[0].textContent);
const SMALL = {
  name: "small.json",
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify({ carom: 1, colliders: [{ id: "rock", shape: { circle: { radius: 3 } } }] })),
};

test("a file of 10 MB opens in many tasks, and the page says how far it is", { timeout: 900_000 }, async () => {
  const page = await site.open("level");
  assert.ok((await makeLarge(page)) > 9e6);
  await watchReaders(page);
  await page.evaluate(() => {
    // A message to itself in each task: the count stands still while other work is one task.
    window.count = 0;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => port2.postMessage(++window.count);
    port2.postMessage(0);
    window.texts = new Map();
    new MutationObserver(() => {
      const text = document.querySelector(".message.busy span")?.textContent;
      if (text && !window.texts.has(text)) window.texts.set(text, window.count);
    }).observe(document.querySelector(".canvas-box"), { childList: true, subtree: true, characterData: true });
  });
  await dropLarge(page);
  await page.waitForFunction(
    () => /large/.test(document.querySelector("select").selectedOptions[0].textContent),
    null,
    {
      timeout: 800_000,
    },
  );
  await page.waitForSelector(".message.busy", { state: "detached" });
  const { texts, scenes } = await page.evaluate(() => ({ texts: [...window.texts], scenes: window.scenes }));
  assert.equal(texts[0][0], "large.geojson is being read…");
  const built = texts.filter(([text]) => /^large\.geojson: \d+ % of the level is built\.$/.test(text));
  assert.ok(built.length > 5, JSON.stringify(texts));
  // The numbers of tasks do not depend on pauses of the machine, as times do. In one task all counts are equal.
  const tasks = new Set(built.map(([, count]) => count)).size;
  console.log(`10 MB: ${built.at(-1)[1] - built[0][1]} tasks between ${built.length} messages`);
  assert.ok(tasks > built.length / 2, JSON.stringify(built));
  assert.deepEqual(scenes, ["Blob"]); // The page gets no text, so it cannot parse it.
  // A reader of a large file gives its memory back, one of a small file waits for the next.
  await readers(page, 0);
  await page.setInputFiles(".toolbar input[type=file]", SMALL);
  await page.waitForFunction(() => /small/.test(document.querySelector("select").selectedOptions[0].textContent));
  await readers(page, 1);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("Cancel, another file and another level end the opening of a file", { timeout: 900_000 }, async () => {
  const page = await site.open("level");
  await makeLarge(page);
  await watchReaders(page);
  const before = await level(page);
  const busy = page.locator(".message.busy");

  await dropLarge(page);
  await busy.getByRole("button", { name: "Cancel" }).click();
  await busy.waitFor({ state: "detached" });
  await readers(page, 0);
  await frames(page);
  assert.equal(await level(page), before);

  await dropLarge(page);
  await busy.waitFor();
  await page.setInputFiles(".toolbar input[type=file]", SMALL);
  await page.waitForFunction(() => /small/.test(document.querySelector("select").selectedOptions[0].textContent));
  await busy.waitFor({ state: "detached" });

  await dropLarge(page);
  await busy.waitFor();
  const hash = await page.evaluate(() => location.hash);
  await page.selectOption("select", "drawing");
  await busy.waitFor({ state: "detached" });
  await page.waitForFunction((last) => location.hash !== last, hash);
  await expectText(page, "[data-blocks]", /moves freely/); // Its file has arrived.

  await dropLarge(page);
  await busy.waitFor();
  await page.keyboard.press("Control+z");
  await busy.waitFor({ state: "detached" });
  assert.match(await level(page), /small/);

  // None of them comes back later: the readers ended before they had read the file, and nothing is built.
  await readers(page, 0);
  await frames(page);
  assert.equal(await busy.count(), 0);
  assert.deepEqual(await page.evaluate(() => window.read.filter((name) => /large/.test(name))), []);
  assert.match(await level(page), /small/);
  assert.equal(await page.locator(".message.error").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
