// Prints the times of the room Balls: script per frame on the main thread, step and search in
// the worker, medians; and the longest task of the main thread in processor time.
//
//     npm run frames                     10 000 balls in headless Chromium
//     xvfb-run npm run frames -- --headed

import { chromium } from "playwright-core";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "./serve.mjs";
import { recordTasks } from "./trace.mjs";

const folder = process.env.CAROM_PLAY_DIST ?? join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
const headed = process.argv.includes("--headed");
const flags = headed ? ["--use-gl=angle", "--use-angle=gl", "--ignore-gpu-blocklist"] : ["--disable-gpu"];
const server = await serve(folder);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: !headed,
  args: [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
    ...flags,
  ],
});

/** Values of the slider, and the numbers of balls. */
const SIZES = { 10: "10 000", 13: "100 000" };

async function measure(size, drawing) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${server.address}#/balls`);
  await page.waitForFunction(
    () => !["–", undefined].includes(document.querySelector('[data-value="possible"]')?.textContent),
  );
  await page.click('[role="radio"][data-value="auto"]');
  await page.locator('[data-part="size"] input').fill(size);
  const shown = (await page.textContent('[data-part="size"] output')).replace(/\s/g, "");
  if (shown !== SIZES[size].replace(/\s/g, "")) throw new Error(`the slider shows ${shown} balls`);
  if (!drawing) await page.getByLabel("Draw the balls").uncheck();
  await page.waitForTimeout(2000);
  const endRecord = await recordTasks(browser);
  await page.waitForTimeout(8000);
  const [longest] = await endRecord();
  const read = (key) => page.textContent(`[data-value="${key}"]`);
  const [script, draw, step, search, rate] = await Promise.all(["script", "draw", "step", "search", "rate"].map(read));
  console.log(
    `${SIZES[size]} balls, drawing ${drawing ? "on" : "off"}: script per frame ${script}, painter ${draw}, ` +
      `step ${step}, search ${search}, ${rate} frames per second, longest task of the page ${longest.toFixed(1)} ms`,
  );
  await page.close();
}

for (const size of Object.keys(SIZES)) for (const drawing of [true, false]) await measure(size, drawing);
await browser.close();
server.close();
