// One outline of 60 000 vertices in the room Level: a worker builds and paints it, and the page answers meanwhile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start } from './browser.mjs';

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
  await page.keyboard.press('f');
  await page.keyboard.down('ArrowRight');
  await page.waitForTimeout(1000);
  await page.keyboard.up('ArrowRight');
  await assertShort(page, 'build, walk, paint');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('another room opens while the outline is built, and the building ends', { timeout: 120_000 }, async () => {
  const page = await dropIsland();
  const builders = () => page.workers().filter((one) => /level_worker/.test(one.url()));
  await page.getByText('island.json: 0 % of the level is built.').waitFor();
  // One runs the level that is shown, the other builds.
  while (builders().length < 2) await page.waitForTimeout(20);
  await page.click('.rooms a[href*="two-shapes"]');
  await page.waitForSelector('[data-verdict][data-value]');
  assert.match(await page.locator('.rooms a[aria-current]').textContent(), /Two shapes/);
  while (builders().length > 0) await page.waitForTimeout(20);
  await assertShort(page, 'another room');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
