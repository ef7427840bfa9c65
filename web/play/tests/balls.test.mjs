// Tests the room Balls: counts of tests, the same pairs from every method, single steps, keyboard, widths, tasks.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { linkOf, start } from "./browser.mjs";
import { assertShort, recordTasks } from "./trace.mjs";
import { expectText, frames, PATIENCE, poll } from "./wait.mjs";

const METHODS = ["brute", "sweep", "sweep-insertion", "sweep-swaps", "strips", "bvh", "auto"];

let browser;
before(async () => {
  browser = await start();
});
after(() => browser.close());

/** Returns a number of the panel. */
const value = async (page, key) => Number((await page.textContent(`[data-value="${key}"]`)).replace(/[^\d.-]/g, ""));

/** Waits until a number of the panel is the expected one. */
const expectNumber = (page, key, expected) =>
  poll(
    () => value(page, key),
    (now) => now === expected,
    `${key} is not ${expected}`,
    2 * PATIENCE,
  );

/** Waits until the workers have answered all questions of balls that rest, and the page shows the answers. */
async function rest(page) {
  const read = () => page.evaluate(() => window.work);
  for (let before = -1; ;) {
    const { asked } = await poll(
      read,
      (work) => work.asked === work.answered,
      "the workers do not answer",
      4 * PATIENCE,
    );
    if (asked === before) return;
    before = asked;
    await frames(page); // An answer may lead to the next question: the painter draws balls of a step.
  }
}

const openBalls = (options = {}) => browser.open("balls", options);

/** Chooses a method while the balls rest, and waits for its search. */
async function choose(page, method) {
  await page.click(`[role="radio"][data-value="${method}"]`);
  await rest(page);
}

/** Sets the number of balls, by its index. */
async function setCount(page, index) {
  await page.locator('[data-part="size"] input').fill(String(index));
  await page.locator('[data-part="size"] input').dispatchEvent("change");
}

test("brute force tests n(n - 1)/2 pairs, one per step", async () => {
  const page = await openBalls();
  await setCount(page, 0);
  await expectNumber(page, "possible", 45);
  await choose(page, "brute");
  await expectNumber(page, "tests", 0);
  for (let tests = 1; tests <= 45; tests++) {
    await page.click('[data-key="step"]');
    await expectNumber(page, "tests", tests);
  }
  await expectText(page, '[data-value="share"]', /100 %/);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("every method finds the same pairs with at most n(n - 1)/2 tests", async () => {
  const page = await openBalls();
  await setCount(page, 7);
  await expectNumber(page, "possible", 499500);
  // The balls start apart. They fly until boxes of some intersect, and rest again.
  await choose(page, "strips");
  await page.click('[data-key="play"]');
  await poll(
    () => value(page, "pairs"),
    (pairs) => pairs > 20,
    "too few pairs",
    4 * PATIENCE,
  );
  await page.click('[data-key="play"]');
  await rest(page);
  const pairs = [];
  for (const method of METHODS) {
    await choose(page, method);
    if (method === "brute") await expectNumber(page, "tests", 499500);
    pairs.push(await value(page, "pairs"));
    if (method === "brute") continue;
    if (method !== "sweep-swaps") assert.ok((await value(page, "tests")) < 100_000, method);
  }
  assert.ok(pairs[0] > 0);
  assert.deepEqual(
    pairs,
    METHODS.map(() => pairs[0]),
  );
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("the sweep is explained action by action", async () => {
  const page = await openBalls();
  await choose(page, "sweep");
  await page.click('[data-key="step"]');
  await expectText(page, ".caption", /The line reaches the left edge of \d+/);
  const seen = new Set();
  for (let i = 0; i < 30; i++) {
    await page.click('[data-key="step"]');
    await rest(page);
    seen.add((await page.textContent(".caption")).replace(/\d+/g, "#").slice(0, 8));
  }
  assert.ok(seen.has("Test # a") && seen.has("# begins"), [...seen].join());
  assert.ok((await value(page, "tests")) > 0);
  await page.close();
});

test("a method with a smaller maximum reduces the number of balls, and says so", async () => {
  const page = await openBalls();
  await choose(page, "strips");
  await setCount(page, 13);
  await expectNumber(page, "possible", 4999950000);
  const message = page.waitForSelector(".message.note");
  await choose(page, "brute");
  assert.match(await (await message).textContent(), /10\s?000/);
  await expectNumber(page, "possible", 49995000);
  await expectNumber(page, "tests", 49995000);
  await page.close();
});

test("space plays and the arrow steps, with the keyboard alone", async () => {
  const page = await openBalls();
  await page.focus(".balls canvas");
  await page.keyboard.press("ArrowRight");
  await expectText(page, ".caption", /The line|Test/);
  await page.keyboard.press(" ");
  assert.equal(await page.getAttribute('[data-key="play"]', "aria-label"), "Pause");
  await page.keyboard.press(" ");
  assert.equal(await page.getAttribute('[data-key="play"]', "aria-label"), "Play");
  await page.focus('[role="radio"][aria-checked="true"]');
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector('[data-value="sweep-insertion"][aria-checked="true"]');
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("a link restores method, number and speed", async () => {
  const page = await openBalls();
  await setCount(page, 2);
  await choose(page, "sweep-swaps");
  const hash = await linkOf(page, ({ method, size }) => method === "sweep-swaps" && size === 2);
  const other = await browser.open("balls", { hash });
  await expectNumber(other, "possible", 435);
  assert.equal(await other.getAttribute('[data-value="sweep-swaps"]', "aria-checked"), "true");
  await page.close();
  await other.close();
});

test("measuring draws a point for each method up to its maximum", { timeout: 900_000 }, async () => {
  const page = await openBalls();
  const measure = page.getByRole("button", { name: "Measure all methods" });
  await measure.click();
  await measure.waitFor({ timeout: 840_000 });
  const rows = await page.$$eval(".charts tbody tr", (all) => all.map((row) => row.textContent));
  const brute = rows.filter((row) => row.startsWith("all pairs"));
  assert.equal(brute.length, 7);
  assert.ok(
    brute.some((row) => row.replace(/\s/g, "").includes("allpairs1000049995000")),
    brute.join("\n"),
  );
  assert.ok(rows.some((row) => row.replace(/\s/g, "").startsWith("strips100000")));
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** Returns the share of the most frequent colour of the figure: 1 if it is blank. */
async function plainShare(page) {
  const picture = (await page.locator(".stage").screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const counts = new Map();
    for (const pixel of new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer))
      counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return Math.max(...counts.values()) / (image.width * image.height);
  }, picture);
}

/** Waits until 100 000 balls cover much of the figure. */
const shown = (page) =>
  poll(
    () => plainShare(page),
    (share) => share <= 0.85,
    "the figure is blank",
    4 * PATIENCE,
  );

/** Shows 100 000 balls. */
async function showMany(page) {
  await choose(page, "strips");
  await setCount(page, 13);
  await expectNumber(page, "possible", 4999950000);
  await shown(page);
}

test("100 000 balls at 360 pixels are shown without a GPU, and move", { timeout: 600_000 }, async () => {
  const page = await openBalls({ width: 360, height: 760 });
  await showMany(page);
  await page.click('[data-key="play"]');
  // The rate is shown after six frames. Instances of a quad took seconds per frame.
  await page.waitForFunction(() => /\d/.test(document.querySelector('[data-value="rate"]').textContent), null, {
    timeout: 4 * PATIENCE,
  });
  assert.deepEqual(page.problems, []);
  await page.close();
});

/** Runs a script in the painters before their own. */
const hookPainter = (page, hook) =>
  page.route(/painter.*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: hook + (await response.text()) });
  });

test("a lost WebGL context gets a new painter, at most twice a minute", { timeout: 600_000 }, async () => {
  const page = await openBalls({ width: 360, height: 760 });
  await hookPainter(
    page,
    `const get = OffscreenCanvas.prototype.getContext;
    OffscreenCanvas.prototype.getContext = function (...all) { return (self.context = get.apply(this, all)); };`,
  );
  await showMany(page);
  const painters = () => page.workers().filter((one) => /painter/.test(one.url()));
  /** Loses the context, and waits until so many painters run, none of them the last one. */
  const lose = async (count) => {
    const [last] = painters();
    await last.evaluate(() => self.context.getExtension("WEBGL_lose_context").loseContext());
    await poll(painters, (all) => all.length === count && !all.includes(last), `not ${count} new painters`);
    await shown(page);
  };
  await lose(1);
  await lose(1);
  await page.evaluate(() => {
    // The clock stands still from here, so the three losses lie in one minute however slow the machine is.
    const now = performance.now() + 61_000;
    performance.now = () => now;
  });
  await lose(1);
  await lose(1);
  assert.equal(await page.locator(".message").count(), 0);
  // The third loss of a minute: the page draws.
  const message = page.waitForSelector(".message.note");
  await lose(0);
  assert.match(
    await (await message).textContent(),
    /failed 3 times within a minute \(the context was lost\)\. The page draws/,
  );
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("a time that was not measured is a dash", { timeout: 600_000 }, async () => {
  const page = await openBalls();
  const shown = (key) => page.textContent(`[data-value="${key}"]`);
  const expectTime = (key) => expectText(page, `[data-value="${key}"]`, /^\d+\.\d\d ms$/);
  // The balls rest, so nothing was simulated.
  await expectTime("draw");
  for (const key of ["step", "search", "rate"]) assert.equal(await shown(key), "–", key);
  await choose(page, "auto");
  await setCount(page, 10);
  await expectNumber(page, "possible", 49995000);
  await page.click('[data-key="play"]');
  for (const key of ["draw", "step", "search", "script"]) await expectTime(key);
  // Nothing is drawn, and the picture of the last frame does not count.
  await page.getByLabel("Draw the balls").uncheck();
  await expectText(page, '[data-value="draw"]', "–");
  const answered = () => page.evaluate(() => window.work.answered);
  const begin = await answered();
  await poll(answered, (count) => count > begin + 20, "the balls do not move", 4 * PATIENCE);
  assert.equal(await shown("draw"), "–");
  for (const key of ["step", "search", "script"]) await expectTime(key);
  await page.getByLabel("Draw the balls").check();
  await expectTime("draw");
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("the bar of the tests is empty before the first test", async () => {
  const page = await openBalls();
  const width = () => page.evaluate(() => document.querySelector(".counts .bar i").getBoundingClientRect().width);
  await choose(page, "brute");
  await expectNumber(page, "tests", 0);
  assert.equal(await width(), 0);
  await page.click('[data-key="step"]');
  await expectNumber(page, "tests", 1);
  assert.ok((await width()) >= 2);
  await page.close();
});

test("a painter that does not load ends at once: the page draws, and says why", { timeout: 600_000 }, async () => {
  const page = await openBalls({ width: 360, height: 760 });
  let asked = 0;
  await page.route(/painter.*\.js$/, (route) => {
    asked++;
    return route.fulfill({ status: 404 });
  });
  const message = page.waitForSelector(".message.note", { timeout: 4 * PATIENCE });
  await showMany(page);
  assert.match(await (await message).textContent(), /\(the painter could not be loaded\)\. The page draws/);
  assert.equal(asked, 1);
  await page.close();
});

test("balls that are larger than the points of WebGL2 are drawn by the page", { timeout: 600_000 }, async () => {
  const page = await openBalls({ width: 360, height: 760 });
  await hookPainter(
    page,
    `const get = WebGL2RenderingContext.prototype.getParameter;
    WebGL2RenderingContext.prototype.getParameter = function (name) {
      return name === this.ALIASED_POINT_SIZE_RANGE ? new Float32Array([1, 1]) : get.call(this, name);
    };`,
  );
  const message = page.waitForSelector(".message.note", { timeout: 4 * PATIENCE });
  await showMany(page);
  assert.match(await (await message).textContent(), /\(balls of 2 pixels, its points have at most 1\)/);
  assert.equal(page.workers().filter((one) => /painter/.test(one.url())).length, 0);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("100 000 balls leave no task above 50 ms on the main thread", { timeout: 600_000 }, async () => {
  const page = await openBalls({ reducedMotion: "no-preference" });
  await page.click('[role="radio"][data-value="strips"]');
  await setCount(page, 13);
  await expectNumber(page, "possible", 4999950000);
  const painted = () => page.evaluate(() => window.work.answered);
  const begin = await painted();
  const end = await recordTasks(browser.browser);
  await poll(painted, (count) => count > begin + 30, "the balls do not move", 4 * PATIENCE);
  // Processor time, as a loaded machine makes tasks longer.
  const tasks = await end();
  const script = await page.textContent('[data-value="script"]');
  assertShort(tasks, `100 000 balls, script per frame ${script}`);
  assert.deepEqual(page.problems, []);
  await page.close();
});
