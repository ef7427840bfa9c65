// Starts Chromium and opens rooms. Each page collects console errors and failed requests.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";
import { DELAY, slowDown } from "./delay.mjs";
import { serve } from "./serve.mjs";
import { frames, PATIENCE, poll } from "./wait.mjs";
import { watch } from "./watch.mjs";

const here = dirname(fileURLToPath(import.meta.url));
export const repository = join(here, "..", "..", "..");
export const ROOMS = ["two-shapes", "drag", "balls", "level", "pixels", "race", "why-not-floats"];

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Flags of a browser with a window: WebGL2 draws with llvmpipe, four times as fast as headless. */
const WINDOW = [
  ...FLAGS.filter((flag) => flag !== "--disable-gpu"),
  "--use-gl=angle",
  "--use-angle=gl",
  "--ignore-gpu-blocklist",
];

/** Starts a server of the built page, and a browser. A browser with a window needs a display, as of xvfb-run. */
export async function start({ headed = false } = {}) {
  const folder = process.env.CAROM_PLAY_DIST ?? join(here, "..", "dist");
  if (!existsSync(join(folder, "index.html"))) throw new Error(`${folder} is missing: run "npm run build" first`);
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const [server, browser] = await Promise.all([
    serve(folder, DELAY),
    chromium.launch({ executablePath, headless: !headed, args: headed ? WINDOW : FLAGS }),
  ]);

  /** Opens a room in a fresh context. `page.problems` collects what went wrong. */
  async function open(room = "", options = {}) {
    const { width = 1280, height = 800, theme = "light", language = "en", touch = false, hash = `#/${room}` } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: language === "zh" ? "zh-CN" : "en-US",
      hasTouch: touch,
      reducedMotion: options.reducedMotion ?? "reduce",
      acceptDownloads: true,
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    await slowDown(page, options.delay);
    await page.addInitScript(watch);
    page.requests = server.open;
    page.problems = [];
    page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
    page.on("pageerror", (error) => page.problems.push(error.message));
    page.on("requestfailed", (request) => page.problems.push(`${request.url()} failed`));
    page.on(
      "response",
      (response) => response.status() >= 400 && page.problems.push(`${response.status()} ${response.url()}`),
    );
    await page.goto(server.address + hash);
    await page.waitForSelector(".toolbar");
    if (!options.early) await settled(page, room);
    return page;
  }
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { open, close, address: server.address, browser };
}

/** What a room shows when the package has arrived and its first results are there. */
const FIRST_RESULTS = {
  "two-shapes": "[data-verdict][data-value]",
  drag: '[data-contacts]:not([data-contacts="0"])',
  balls: '[data-value="possible"]:not(:text-is("–"))',
  level: "[data-shots]:not(:empty)",
  pixels: "[data-verdict][data-value]",
  race: ".race .stage canvas",
  "why-not-floats": '[data-answer="carom"]',
};

/** Waits until the package has arrived and the room shows its first results. */
export async function settled(page, room) {
  if (FIRST_RESULTS[room]) await page.waitForSelector(FIRST_RESULTS[room], { state: "attached" });
}

/** Waits until nothing is on its way: no request, no state that is packed or unpacked, no work of the next frames. */
export async function quiet(page) {
  const busy = async () => page.requests() + (await page.evaluate(() => window.work.packing));
  for (let round = 0; round < 3; round++) {
    await poll(busy, (count) => count === 0, "requests and states on their way");
    await frames(page);
  }
}

/** Waits until a level that runs has shown so many more seconds. They do not depend on the speed of the machine. */
export async function simulate(page, seconds) {
  const shown = () => page.evaluate(() => window.work.seconds);
  const end = (await shown()) + seconds;
  await poll(shown, (now) => now >= end, `${seconds} s of the level are not over, ${end}`, 4 * PATIENCE);
}

/** Waits until the state in the address is an expected one. Returns the end of the address. */
export async function linkOf(page, expected) {
  const read = async () => {
    const hash = await page.evaluate(() => location.hash);
    const packed = new URLSearchParams(hash.split("?")[1]).get("s");
    return { hash, state: packed && JSON.parse(inflateRawSync(Buffer.from(packed, "base64url")).toString()) };
  };
  const found = await poll(
    read,
    ({ state }) => state !== null && expected(state),
    "not the expected state in the address",
  );
  return found.hash;
}
