// The room Level when a worker or a picture fails.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./browser.mjs";
import { entries, walk, workers } from "./level_page.mjs";
import { expectText } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

test("an error of the worker is shown, and Reset builds the level again", async () => {
  const page = await site.open("level");
  const [worker] = page.workers().filter((one) => /level_worker/.test(one.url()));
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error("out of luck");
    });
  });
  await expectText(page, ".message.error", /out of luck/);
  await workers(page, 0);
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  await workers(page, 1);
  await page.waitForSelector(".message.error", { state: "detached" });
  await walk(page);
  await page.context().close();
});

test("a picture is made when its entry is chosen, and its failure does not end the level", async () => {
  const page = await site.open("level");
  await page.evaluate(() => {
    window.sent = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      window.sent.push(message.kind);
      return post.call(this, message, ...rest);
    };
  });
  const asked = () => page.evaluate(() => window.sent.filter((kind) => kind === "svg").length);
  assert.ok((await entries(page)).includes("Picture as SVG"));
  assert.equal(await asked(), 0);
  const [worker] = page.workers().filter((one) => /level_worker/.test(one.url()));
  await worker.evaluate(() => {
    const { join } = Array.prototype;
    Array.prototype.join = function (between) {
      if (between === "\n") throw new Error("no rows"); // The rows of the picture.
      return join.call(this, between);
    };
  });
  await page.click('button[aria-label="Save"]');
  await page.click("menu >> text=Picture as SVG");
  await expectText(page, ".message.error", "no rows");
  assert.equal(await asked(), 1);
  await walk(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a browser without a canvas in workers gets a message", async () => {
  const page = await site.open("two-shapes");
  await page.evaluate(() => delete window.OffscreenCanvas);
  await page.click('.rooms a[href*="level"]');
  await expectText(page, ".message.error", /OffscreenCanvas with a 2D context is missing/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
