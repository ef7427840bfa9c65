// Starts Chromium and opens rooms. Each page collects console errors and failed requests.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './serve.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const repository = join(here, '..', '..', '..');
export const ROOMS = ['two-shapes', 'drag', 'balls', 'level', 'pixels', 'race', 'why-not-floats'];

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Flags of a browser with a window: WebGL2 draws with llvmpipe, four times as fast as headless. */
const WINDOW = [...FLAGS.filter((flag) => flag !== '--disable-gpu'), '--use-gl=angle', '--use-angle=gl', '--ignore-gpu-blocklist'];

/** Starts a server of the built page, and a browser. A browser with a window needs a display, as of xvfb-run. */
export async function start({ headed = false } = {}) {
  const folder = process.env.CAROM_PLAY_DIST ?? join(here, '..', 'dist');
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`${folder} is missing: run "npm run build" first`);
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const [server, browser] = await Promise.all([serve(folder), chromium.launch({ executablePath, headless: !headed, args: headed ? WINDOW : FLAGS })]);

  /** Opens a room in a fresh context. `page.problems` collects what went wrong. */
  async function open(room = '', options = {}) {
    const { width = 1280, height = 800, theme = 'light', language = 'en', touch = false, hash = `#/${room}` } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: language === 'zh' ? 'zh-CN' : 'en-US',
      hasTouch: touch,
      reducedMotion: options.reducedMotion ?? 'reduce',
      acceptDownloads: true,
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    page.setDefaultTimeout(8000);
    page.problems = [];
    page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
    page.on('pageerror', (error) => page.problems.push(error.message));
    page.on('requestfailed', (request) => page.problems.push(`${request.url()} failed`));
    page.on(
      'response',
      (response) => response.status() >= 400 && page.problems.push(`${response.status()} ${response.url()}`),
    );
    await page.goto(server.address + hash);
    await page.waitForSelector('.toolbar');
    if (!options.early) await settled(page, room);
    return page;
  }
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { open, close, address: server.address };
}

/** Waits until the package has arrived and the room shows its first results. */
async function settled(page, room) {
  const sign = {
    'two-shapes': '[data-verdict][data-value]',
    pixels: '[data-verdict][data-value]',
    drag: '[data-contacts]:not([data-contacts="0"])',
    level: '[data-shots]:not(:empty)',
  }[room];
  if (sign) await page.waitForSelector(sign, { state: 'attached' });
}
