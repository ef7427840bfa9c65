// The room Pixels: its verdict is that of `carom explain`; a PNG of the reader opens.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { repository, start } from './browser.mjs';
import { carom, save } from './native.mjs';

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

async function compare(page) {
  const scene = JSON.parse(await save(page, 'Scene as JSON'));
  const native = carom('explain', scene, 'A', 'B');
  const shown = await page.locator('[data-verdict]').getAttribute('data-verdict');
  assert.equal(shown, native.overlaps ? 'overlap' : native.intersects ? 'touch' : 'apart');
  if (!native.intersects) {
    const value = Number(await page.locator('[data-verdict]').getAttribute('data-value'));
    assert.ok(Math.abs(value - native.distance) < 1e-9);
  }
  return shown;
}

test('moving a sprite changes the answer, and it equals that of the command line', async () => {
  const page = await site.open('pixels');
  await compare(page);
  const seen = new Set();
  for (let i = 0; i < 5; i++) {
    await page.locator('[data-sprite=b]').focus();
    for (let k = 0; k < 14; k++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('q');
    seen.add(await compare(page));
  }
  assert.ok(seen.has('apart'));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('outlines and parts are drawn: fewer vertices than the pixels, and more rings', async () => {
  const page = await site.open('pixels');
  const d = () => page.locator('[data-sprite=a] .solid').getAttribute('d');
  const vertices = async () => (await d()).split('L').length;
  const rings = async () => (await d()).split('Z').length - 1;
  const pixels = await vertices();
  await page.click('button[data-value=outline]');
  assert.ok((await vertices()) < pixels / 3);
  const outlines = await rings();
  await page.click('button[data-value=parts]');
  assert.ok((await rings()) > outlines);
  await page.context().close();
});

test('a PNG of the reader replaces the sprite; a broken one shows the message', async () => {
  const page = await site.open('pixels');
  const input = page.locator('input[type=file][aria-label="Open a PNG for A"]');
  await input.setInputFiles(join(repository, 'scenes', 'tiles', 'rock.png'));
  await page.waitForFunction(
    () => document.querySelector('select[aria-label="Image of A"]').selectedOptions[0].textContent === 'your image',
  );
  await compare(page);
  assert.deepEqual(page.problems, []);
  await input.setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no png') });
  assert.match(await page.locator('.message.error').textContent(), /broken\.png/);
  await compare(page);
  await page.context().close();
});

test('undo restores the image', async () => {
  const page = await site.open('pixels');
  await page.selectOption('select[aria-label="Image of B"]', 'saw');
  await page.waitForFunction(() => location.hash.includes('?s='));
  await page.keyboard.press('Control+z');
  assert.equal(await page.locator('select[aria-label="Image of B"]').inputValue(), 'bee');
  await page.context().close();
});
