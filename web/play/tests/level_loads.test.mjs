// The room Level while another level is built.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { linkOf, quiet, simulate, start } from "./browser.mjs";
import { entries, says, walk, workers } from "./level_page.mjs";
import { save } from "./native.mjs";
import { expectText, expectValue } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const SMALL = {
  name: "small.json",
  mimeType: "application/json",
  buffer: Buffer.from(
    JSON.stringify({
      carom: 1,
      y: "up",
      colliders: [
        {
          id: "slab",
          shape: {
            polygon: {
              points: [
                [-20, -1],
                [20, -1],
                [20, 1],
                [-20, 1],
              ],
            },
          },
        },
      ],
    }),
  ),
};

/** Lets the workers of later levels wait for `release` before they build. */
const hold = (page) =>
  page.route(/level_worker.*\.js$/, async (route) => {
    const response = await route.fetch();
    const hook = `{
      const add = self.addEventListener.bind(self);
      self.addEventListener = (kind, call) => {
        const held = [];
        let free = false;
        const channel = new BroadcastChannel('build');
        channel.onmessage = ({ data }) => {
          if (data !== 'go on') return;
          free = true;
          held.splice(0).forEach((event) => call(event));
        };
        channel.postMessage('held');
        add(kind, (event) => (free ? call(event) : held.push(event)));
      };
    }\n`;
    await route.fulfill({ response, body: hook + (await response.text()) });
  });
/** Lets these workers go on, and those that start later: a worker may not have run its script yet. */
const release = (page) =>
  page.evaluate(() => {
    const channel = (window.channel = new BroadcastChannel("build"));
    channel.onmessage = () => channel.postMessage("go on");
    channel.postMessage("go on");
  });

/** Waits until the figure has the keyboard focus. */
const figureHasFocus = (page) =>
  expectValue(() => page.evaluate(() => document.activeElement.className), "figure", "the element with the focus");

/** Lets the requests for a level of the page fail, until the function that it returns is called. */
async function cut(page) {
  const pattern = /dungeon-.*\.tmj$/;
  await page.route(pattern, (route) => route.abort());
  return () => page.unroute(pattern);
}

const level = (page) => page.$eval("select", (select) => select.selectedOptions[0].textContent);
const savedState = async (page) => JSON.parse(await save(page, "Room as JSON")).state;

test("the level that still runs changes nothing of the state whose level is built", { timeout: 600_000 }, async () => {
  const page = await site.open("level");
  const [undo, redo] = ["Undo", "Redo"].map((name) => page.getByRole("button", { name, exact: true }));
  await walk(page);
  await page.waitForFunction(() => location.hash.includes("?s="));
  await page.setInputFiles(".toolbar input[type=file]", SMALL);
  await says(page, "stands on slab");
  await page.waitForSelector(".message.busy", { state: "detached" });
  await page.getByLabel("Light", { exact: true }).uncheck();
  await undo.click();
  await undo.click();
  await says(page, "stands on ground");
  await workers(page, 1);

  await hold(page);
  await redo.click();
  await says(page, "small.json: 0 % of the level is built.");
  await simulate(page, 1.2); // The mover of the old level stands still for 0.6 s.
  assert.match(await level(page), /small/);
  assert.equal((await savedState(page)).at, null);
  assert.ok(await redo.isEnabled());
  assert.ok(!(await entries(page)).includes("Scene as JSON"), "the scene of the old level is offered");

  // The level of the undone state still runs, so nothing is built.
  await undo.click();
  await says(page, "stands on ground");
  await workers(page, 1);
  assert.ok((await entries(page)).includes("Scene as JSON"));

  // The second redo wants the same level. The old worker does not get its place.
  await redo.click();
  await says(page, "0 % of the level is built.");
  await redo.click();
  await says(page, "0 % of the level is built.");
  await release(page);
  await says(page, "stands on slab");
  await simulate(page, 1.2);
  const { at, light } = await savedState(page);
  assert.deepEqual({ at, light }, { at: null, light: false });
  assert.equal(await page.locator(".message").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a second Reset while the level is built leads to the first level", { timeout: 600_000 }, async () => {
  const page = await site.open("level");
  await page.setInputFiles(".toolbar input[type=file]", SMALL);
  await says(page, "stands on slab");
  await page.waitForSelector(".message.busy", { state: "detached" });
  await hold(page);
  const reset = page.getByRole("button", { name: "Reset", exact: true });
  await reset.click();
  await says(page, "Cave: 0 % of the level is built.");
  await reset.click();
  await says(page, "Cave: 0 % of the level is built.");
  await workers(page, 2);
  await release(page);
  await says(page, "stands on ground 2");
  await workers(page, 1);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a link to the level that is being built sets the place of the mover", { timeout: 600_000 }, async () => {
  const page = await site.open("level");
  await walk(page);
  const hash = await linkOf(page, (state) => state.at !== null);
  const { at } = await savedState(page);
  await page.setInputFiles(".toolbar input[type=file]", SMALL);
  await says(page, "stands on slab");
  await page.waitForSelector(".message.busy", { state: "detached" });
  await hold(page);
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  await says(page, "Cave: 0 % of the level is built.");
  await page.evaluate((link) => (location.hash = link), hash);
  await expectValue(async () => (await savedState(page)).at, at, "the place of the link");
  await release(page);
  await says(page, "stands on ground");
  await simulate(page, 1.2); // A mover at another place would write it to the state after 0.6 s.
  assert.deepEqual((await savedState(page)).at, at);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test(
  "Cancel ends what an undo builds: the state before is back, and so is its place in undo",
  { timeout: 600_000 },
  async () => {
    const page = await site.open("level");
    const [undo, redo, reset] = ["Undo", "Redo", "Reset"].map((name) =>
      page.getByRole("button", { name, exact: true }),
    );
    const light = page.getByLabel("Light", { exact: true });
    const busy = page.locator(".message.busy", { hasText: "Cave: 0 % of the level is built." });
    const cancel = busy.getByRole("button", { name: "Cancel" });
    await page.setInputFiles(".toolbar input[type=file]", SMALL);
    await says(page, "stands on slab");
    await page.waitForSelector(".message.busy", { state: "detached" });
    await light.uncheck();
    const small = await savedState(page);
    await hold(page);
    /** Asserts that the level of the file is there, and stays. */
    const back = async () => {
      await busy.waitFor({ state: "detached" });
      await workers(page, 1);
      assert.match(await level(page), /small/);
      await says(page, "stands on slab");
      assert.deepEqual(await savedState(page), small);
    };

    // Undo leads over a state of the running level.
    await undo.click();
    await page.waitForFunction(() => !document.querySelector(".message"));
    assert.ok(await light.isChecked());
    await undo.click();
    await workers(page, 2);
    assert.equal(await level(page), "Cave");
    await cancel.click();
    await busy.waitFor({ state: "detached" });
    assert.match(await level(page), /small/);
    assert.ok(await light.isChecked());
    assert.ok((await undo.isEnabled()) && (await redo.isEnabled()));
    await redo.click();
    await back();
    assert.ok((await undo.isEnabled()) && (await redo.isDisabled()));

    // Two steps while the level of the first is built.
    await undo.click();
    await undo.click();
    await cancel.focus();
    await page.keyboard.press("Enter");
    await workers(page, 1);
    await figureHasFocus(page);
    assert.ok(await light.isChecked());
    await redo.click();
    await back();

    // A change while the level is built replaces the states after it. The state before is added again.
    await undo.click();
    await undo.click();
    await cancel.waitFor();
    await page.getByLabel("Gravity").uncheck();
    await cancel.waitFor();
    await cancel.click();
    await busy.waitFor({ state: "detached" });
    assert.match(await level(page), /small/);
    assert.ok((await undo.isEnabled()) && (await redo.isDisabled()));

    // Reset goes back in the same way. A file that cannot be opened changes nothing of it.
    await reset.click();
    await cancel.click();
    await busy.waitFor({ state: "detached" });
    assert.match(await level(page), /small/);
    assert.ok(await redo.isEnabled());
    await reset.click();
    await cancel.waitFor();
    await page.setInputFiles(".toolbar input[type=file]", { ...SMALL, name: "broken.json", buffer: Buffer.from("{") });
    await page.locator(".message.error").waitFor();
    assert.equal(await level(page), "Cave");
    await workers(page, 2);
    await undo.click();
    await says(page, "stands on slab");
    assert.equal(await page.locator(".message").count(), 0);
    await workers(page, 1);

    // Without Cancel the level of the redone state comes.
    await redo.click();
    await cancel.focus();
    await release(page);
    await says(page, "stands on ground");
    assert.equal(await level(page), "Cave");
    await page.waitForSelector(".message", { state: "detached" });
    await figureHasFocus(page);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },
);

test("Cancel goes back over states that were never shown", { timeout: 600_000 }, async () => {
  const page = await site.open("level");
  const light = page.getByLabel("Light", { exact: true });
  const cancel = page.locator(".message.busy").getByRole("button", { name: "Cancel" });
  await says(page, "stands on ground");
  await cut(page);
  await hold(page);
  await page.selectOption("select", "dungeon");
  await page.locator(".message.error", { hasText: "did not arrive" }).waitFor();
  await light.uncheck();
  await page.selectOption("select", "walk");
  await cancel.focus();
  await page.keyboard.press("Enter");
  await workers(page, 1);
  assert.equal(await level(page), "Cave");
  assert.ok(await light.isChecked());
  assert.equal(await page.locator(".message").count(), 0);
  await says(page, "stands on ground");
  await figureHasFocus(page);

  // The running level is shown again, and so is a change of it: Cancel goes back to the change.
  await light.uncheck();
  await page.selectOption("select", "walk");
  await cancel.click();
  assert.equal(await level(page), "Cave");
  assert.ok(!(await light.isChecked()));
  // An error takes the place of the message with Cancel, which has the focus.
  await page.selectOption("select", "walk");
  await cancel.focus();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["{"], "broken.json"));
    document.querySelector(".figure").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
  });
  await page.locator(".message.error").waitFor();
  await figureHasFocus(page);
  await page.context().close();
});

test("Cancel goes back over states from before the package was there", { timeout: 600_000 }, async () => {
  const page = await site.open("two-shapes");
  let arrive;
  const arrived = new Promise((done) => (arrive = done));
  await page.route(/carom.*\.wasm$/, async (route) => {
    await arrived;
    await route.continue();
  });
  await hold(page);
  await page.goto(`${site.address}?new#/level`);
  await page.locator("select").waitFor();
  await page.selectOption("select", "walk");
  arrive();
  const busy = page.locator(".message.busy");
  await busy.filter({ hasText: "Slopes and lifts" }).waitFor();
  await page.selectOption("select", "drawing");
  await busy.filter({ hasText: "Drawing" }).getByRole("button", { name: "Cancel" }).click();
  // No level was shown yet: the first one of the room comes.
  assert.equal(await level(page), "Cave");
  await release(page);
  await says(page, "stands on ground");
  await workers(page, 1);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("Cancel goes back to a file that was opened before the package was there", { timeout: 600_000 }, async () => {
  const page = await site.open("two-shapes");
  // The page gets the package later. Its workers load it themselves.
  await page.addInitScript(() => {
    const { fetch } = window;
    const arrived = new Promise((done) => (window.arrive = done));
    window.fetch = async (...all) => {
      if (/\.wasm/.test(all[0].url ?? all[0])) await arrived;
      return fetch(...all);
    };
  });
  await page.goto(`${site.address}?new#/level`);
  await page.setInputFiles(".toolbar input[type=file]", SMALL);
  await says(page, "stands on slab");
  await page.waitForSelector(".message.busy", { state: "detached" });
  await hold(page);
  await page.selectOption("select", "walk");
  await page.evaluate(() => window.arrive());
  const busy = page.locator(".message.busy", { hasText: "Slopes and lifts" });
  await busy.getByRole("button", { name: "Cancel" }).click();
  await busy.waitFor({ state: "detached" });
  assert.match(await level(page), /small/);
  await says(page, "stands on slab");
  await workers(page, 1);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [language, text, again] of [
  ["en", /dungeon\.tmj.*did not arrive.*Check the connection/, "Try again"],
  ["zh", /未能取得.*dungeon\.tmj.*请检查网络连接/, "重试"],
]) {
  test(`a level that does not arrive says what to do, and comes with a button (${language})`, async () => {
    const page = await site.open("level", { language });
    const join = await cut(page);
    await page.selectOption("select", "dungeon");
    const error = page.locator(".message.error");
    await expectText(page, ".message.error", text);
    await join();
    await error.getByRole("button", { name: again }).click();
    await page.waitForFunction(() =>
      /^(It moves freely|它自由移动)/.test(document.querySelector("[data-blocks]").textContent),
    );
    assert.equal(await error.count(), 0);
    assert.match(await level(page), /Tiled/);
    await workers(page, 1);
    await page.context().close();
  });

  test(`a damaged saved room is named, with what to do (${language})`, async () => {
    const page = await site.open("level", { language });
    const saved = await page.evaluate(() => '{"caromRoom":"level","state":{"source":' + " ".repeat(2e6) + "}");
    // The page reads the short file, a worker the long one.
    for (const content of [saved.slice(0, 100), saved]) {
      await page.setInputFiles(".toolbar input[type=file]", {
        name: "my.room.json",
        mimeType: "application/json",
        buffer: Buffer.from(content),
      });
      const error = page.locator(".message.error");
      const named =
        language === "en"
          ? /^The saved room my\.room\.json is damaged: .*Save it again/
          : /^保存的房间 my\.room\.json 已损坏：.*重新保存/;
      await expectText(page, ".message.error", named);
      await error.getByRole("button").click();
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test("Copy link copies a link, also if the state changes meanwhile", async () => {
  const page = await site.open("level");
  await says(page, "stands on ground");
  let downloads = 0;
  page.on("download", () => downloads++);
  // A changed state is packed, which takes a while.
  await page.getByLabel("Light", { exact: true }).uncheck();
  await linkOf(page, (state) => !state.light);
  const first = await page.evaluate(() => location.href);
  // The note stays for a while only.
  const note = page.locator(".message.note", { hasText: "The link is copied." }).waitFor();
  // Both write the address. The second write is the one that counts.
  await page.evaluate(() => {
    document.querySelector('button[aria-label="Copy link"]').click();
    [...document.querySelectorAll(".side input[type=checkbox]")].at(-1).click();
  });
  await note;
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /#\/level\?s=/);
  assert.notEqual(copied, first);
  assert.equal(copied, await page.evaluate(() => location.href));
  // Another room is opened before the state of this one is packed.
  await page.evaluate(() => {
    document.querySelector('button[aria-label="Copy link"]').click();
    document.querySelector('.rooms a[href*="two-shapes"]').click();
  });
  await page.waitForSelector("[data-verdict][data-value]");
  await quiet(page);
  assert.equal(await page.locator(".message").count(), 0);
  assert.equal(downloads, 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
