// Writes pictures of all rooms to docs/play: wide and light, narrow and dark. Look at them before you commit.
// If pngquant is installed, it makes the files smaller.
//
//     npm run shots                                 all rooms
//     npm run shots -- level race                   these rooms
//     xvfb-run -a npm run shots -- balls-10000      10 000 balls, in a browser with a window

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { repository, ROOMS, start } from "./browser.mjs";

/** Gestures before the picture: what a reader does first in the room. */
const GESTURES = {
  "two-shapes": (page) => drag(page, "[data-shape=b] path", 0.08, -0.06),
  drag: async (page) => {
    const box = await page.locator("[data-id=comb] path").boundingBox();
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.85);
  },
  level: async (page) => {
    await page.keyboard.down("ArrowRight");
    await page.waitForTimeout(700);
    await page.keyboard.up("ArrowRight");
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press("f");
      await page.waitForTimeout(60);
    }
  },
  balls: async (page) => {
    for (let i = 0; i < 16; i++) await page.click('[data-key="step"]');
  },
  race: async (page) => {
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForFunction(
      () => [...document.querySelectorAll(".lane")].every(({ dataset }) => Number(dataset.frames) > 60),
      null,
      { timeout: 120_000 },
    );
  },
  pixels: (page) => page.click("button[data-value=outline]"),
};

async function drag(page, selector, across, down) {
  const { width, height } = page.viewportSize();
  const box = await page.locator(selector).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + across * width, y + down * height, { steps: 4 });
  await page.mouse.up();
}

async function shoot(page, name) {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, scale: "css" });
  spawnSync("pngquant", ["--force", "--skip-if-larger", "--ext", ".png", "--quality", "80-98", path]);
  if (page.problems.length) console.error(name, page.problems);
  await page.context().close();
}

/** Writes the picture of 10 000 balls that move. */
async function shootCrowd() {
  const site = await start({ headed: true });
  const page = await site.open("balls", { width: 1280, height: 800 });
  await page.click("[role=radio][data-value=auto]");
  await page.locator("[data-part=size] input").fill("10");
  await page.click("[data-key=play]");
  await page.waitForTimeout(8000);
  await shoot(page, "balls-10000-1280");
  await site.close();
}

const CROWD = "balls-10000";
const only = process.argv.slice(2);
const folder = join(repository, "docs", "play");
mkdirSync(folder, { recursive: true });
if (only.includes(CROWD)) await shootCrowd();
const rooms = ROOMS.filter((one) => only.length === 0 || only.includes(one));
const site = await start();
for (const room of rooms) {
  for (const [width, height, theme] of [
    [1280, 800, "light"],
    [360, 760, "dark"],
  ]) {
    const page = await site.open(room, { width, height, theme });
    await page.waitForTimeout(500);
    await GESTURES[room]?.(page);
    await page.waitForTimeout(300);
    await shoot(page, `${room}-${width}`);
  }
}
await site.close();
