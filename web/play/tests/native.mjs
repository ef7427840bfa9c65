// Runs the native command line on a scene of the page.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./browser.mjs";
import { PATIENCE } from "./wait.mjs";

const program =
  process.env.CAROM ?? join(process.env.CARGO_TARGET_DIR ?? join(repository, "target"), "release", "carom");

/** Returns the JSON that `carom` prints for a scene on stdin. */
export function carom(command, scene, ...more) {
  if (!existsSync(program)) throw new Error(`${program} is missing: run "cargo build --release", or name it in CAROM`);
  const output = execFileSync(program, [command, "-", ...more, "--format", "json"], { input: JSON.stringify(scene) });
  return JSON.parse(output.toString());
}

/** Opens the menu "Save" and returns the file of the entry. A level that is being built offers none: it is tried again. */
export async function save(page, entry) {
  const until = Date.now() + 4 * PATIENCE;
  for (;;) {
    await page.click('button[aria-label="Save"]');
    if ((await page.locator(`menu >> text=${entry}`).count()) > 0) break;
    if (Date.now() > until) throw new Error(`no entry "${entry}" in the menu Save`);
    await page.keyboard.press("Escape");
    await page.waitForTimeout(100);
  }
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`menu >> text=${entry}`)]);
  const stream = await download.createReadStream();
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}
