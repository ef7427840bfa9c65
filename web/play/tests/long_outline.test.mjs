// One outline of 60 000 vertices in the room Level: a worker builds and paints it, and the page answers meanwhile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start } from './browser.mjs';
import { save } from './native.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

/** The longest task of the main thread in milliseconds. Other programs run on the machine too. */
const LONGEST = 200;

/** Opens the room, records its long tasks, and drops an island of 60 000 vertices. */
async function dropIsland() {
  const page = await site.open('level');
  await page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((one) => one.duration))).observe({
      type: 'longtask',
    });
    const count = 60_000;
    const points = Array.from({ length: count }, (_, i) => {
      const angle = (i / count) * 2 * Math.PI;
      const radius = 100 + 8 * Math.sin(9 * angle) + 0.3 * Math.sin(2111 * angle);
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });
    const text = JSON.stringify({ carom: 1, y: 'up', colliders: [{ id: 'island', shape: { polygon: { points } } }] });
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'island.json'));
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    // The task that makes the file is not one of the page.
    setTimeout(() => {
      window.tasks.length = 0;
      window.dropped = performance.now();
      document.querySelector('.canvas-box').dispatchEvent(event);
    }, 100);
  });
  await page.waitForSelector('.message.busy');
  return page;
}

/** Waits until a condition holds, at most 20 s. */
async function until(condition, problem) {
  const end = Date.now() + 20_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, problem());
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Waits until so many workers run or build a level. */
function levels(page, count) {
  const running = () => page.workers().filter((one) => /level_worker/.test(one.url())).length;
  return until(() => running() === count, () => `${running()} workers`);
}

/** Asserts that no task was long. */
async function assertShort(page, what) {
  const tasks = await page.evaluate(() => window.tasks.map(Math.round));
  console.log(`${what}: the longest tasks take ${tasks.sort((a, b) => b - a).slice(0, 3)} ms`);
  assert.ok(Math.max(0, ...tasks) <= LONGEST, `${what}: ${tasks} ms`);
}

test('an outline of 60 000 vertices opens without a long task of the page', { timeout: 120_000 }, async () => {
  const page = await dropIsland();
  await page.waitForFunction(() => /on island/.test(document.querySelector('[data-blocks]').textContent), null, {
    timeout: 100_000,
  });
  // A click shoots down at the island, and so does the key after it.
  const canvas = page.locator('.level-box canvas');
  const { width, height } = await canvas.boundingBox();
  await canvas.click({ position: { x: width / 2, y: height - 10 } });
  await page.keyboard.press('f');
  await page.waitForFunction(() => /hit island\. Hits: [2-9]/.test(document.querySelector('[data-shots]').textContent));
  await page.keyboard.down('ArrowRight');
  await page.waitForTimeout(1000);
  await page.keyboard.up('ArrowRight');
  await assertShort(page, 'build, walk, paint');
  // The state gets the new place when the mover has stood still for a while.
  const place = async () => JSON.parse(await save(page, 'Room as JSON')).state.at;
  await until(async () => (await place()) !== null, () => 'the mover has not left its start');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('another room opens while the outline is built, and the building ends', { timeout: 120_000 }, async () => {
  const page = await dropIsland();
  await page.getByText('island.json: 0 % of the level is built.').waitFor({ timeout: 60_000 });
  // One runs the level that is shown, the other builds.
  await levels(page, 2);
  await page.click('.rooms a[href*="two-shapes"]');
  await page.waitForSelector('[data-verdict][data-value]');
  assert.match(await page.locator('.rooms a[aria-current]').textContent(), /Two shapes/);
  await levels(page, 0);
  await assertShort(page, 'another room');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('Cancel ends the building, and the level before stays', { timeout: 120_000 }, async () => {
  const page = await dropIsland();
  await page.getByText('island.json: 0 % of the level is built.').waitFor({ timeout: 60_000 });
  await levels(page, 2);
  await page.locator('.message.busy').getByRole('button', { name: 'Cancel' }).click();
  await page.waitForSelector('.message', { state: 'detached' });
  await levels(page, 1);
  assert.equal(await page.$eval('select', (select) => select.selectedOptions[0].textContent), 'Cave');
  await page.keyboard.down('ArrowLeft');
  await page.waitForFunction(() => /wall 1 blocks it/.test(document.querySelector('[data-blocks]').textContent));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
