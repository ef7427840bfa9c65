// Reads and steers the room Level.

import { expectWorkers } from "./wait.mjs";

/** Waits until the line about the mover contains a text. */
export const says = (page, text) => page.locator("[data-blocks]", { hasText: text }).waitFor();

/** Walks to the wall at the left, and stands there. */
export async function walk(page) {
  await page.focus(".level-box canvas");
  await page.keyboard.down("ArrowLeft");
  await says(page, "wall 1 blocks it");
  await page.keyboard.up("ArrowLeft");
}

/** Returns the entries of the menu "Save". */
export async function entries(page) {
  await page.click('button[aria-label="Save"]');
  const texts = await page.locator("menu button").allTextContents();
  await page.keyboard.press("Escape");
  return texts;
}

/** Waits until so many workers run or build a level. */
export const workers = (page, count) => expectWorkers(page, "level_worker", count);
