// The room Pixels: its verdict is that of `carom explain`; a PNG of the reader opens.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { linkOf, repository, start } from "./browser.mjs";
import { carom, save } from "./native.mjs";
import { expectCount, expectText, expectValue, frames, poll } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

async function compare(page) {
  const scene = JSON.parse(await save(page, "Scene as JSON"));
  const native = carom("explain", scene, "A", "B");
  const expected = native.overlaps ? "overlap" : native.intersects ? "touch" : "apart";
  await poll(
    () => page.locator("[data-verdict]").evaluate(({ dataset }) => [dataset.verdict, Number(dataset.value)]),
    ([verdict, value]) => verdict === expected && (native.intersects || Math.abs(value - native.distance) < 1e-9),
    `not ${expected}, ${native.distance}`,
  );
  return expected;
}

test("moving a sprite changes the answer, and it equals that of the command line", async () => {
  const page = await site.open("pixels");
  await compare(page);
  const seen = new Set();
  for (let i = 0; i < 5; i++) {
    await page.locator("[data-sprite=b]").focus();
    for (let k = 0; k < 14; k++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("q");
    seen.add(await compare(page));
  }
  assert.ok(seen.has("apart"));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("outlines and parts are drawn: fewer vertices than the pixels, and more rings", async () => {
  const page = await site.open("pixels");
  const d = () => page.locator("[data-sprite=a] .solid").getAttribute("d");
  const vertices = async () => (await d()).split("L").length;
  const rings = async () => (await d()).split("Z").length - 1;
  const pixels = await vertices();
  await page.click("button[data-value=outline]");
  await poll(vertices, (count) => count < pixels / 3, `more vertices than a third of ${pixels}`);
  const outlines = await rings();
  await page.click("button[data-value=parts]");
  await poll(rings, (count) => count > outlines, `not more than ${outlines} rings`);
  await page.context().close();
});

test("a PNG of the reader replaces the sprite; a broken one shows the message", async () => {
  const page = await site.open("pixels");
  const input = page.locator('input[type=file][aria-label="Open a PNG for A"]');
  await input.setInputFiles(join(repository, "scenes", "tiles", "rock.png"));
  await page.waitForFunction(
    () => document.querySelector('select[aria-label="Image of A"]').selectedOptions[0].textContent === "your image",
  );
  await compare(page);
  assert.deepEqual(page.problems, []);
  await input.setInputFiles({ name: "broken.png", mimeType: "image/png", buffer: Buffer.from("no png") });
  await expectText(page, ".message.error", /broken\.png/);
  await compare(page);
  await page.context().close();
});

test("undo restores the image", async () => {
  const page = await site.open("pixels");
  await page.selectOption('select[aria-label="Image of B"]', "saw");
  await linkOf(page, ({ b }) => b.image === "saw");
  await page.keyboard.press("Control+z");
  await expectValue(() => page.locator('select[aria-label="Image of B"]').inputValue(), "bee");
  await page.context().close();
});

const PNG = "image/png";
const imageOf = (page, name) => page.locator(`select[aria-label="Image of ${name}"] option:checked`).textContent();
const images = async (page) => [await imageOf(page, "A"), await imageOf(page, "B")];

/** Makes a PNG in which the right part is visible, `share` of its width, with this alpha. */
async function png(page, share, alpha = 255) {
  const data = await page.evaluate(
    ([part, opacity]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 16, height: 12 });
      const context = canvas.getContext("2d");
      context.globalAlpha = opacity / 255;
      context.fillRect(16 * (1 - part), 0, 16 * part, 12);
      return canvas.toDataURL("image/png").split(",")[1];
    },
    [share, alpha],
  );
  return Buffer.from(data, "base64");
}

/** Returns the room as a file, and the picture of both sprites. */
const contents = async (page) => [
  await save(page, "Room as JSON"),
  await page.$$eval("[data-sprite] image", (all) => all.map((one) => one.getAttribute("href"))),
];

test("a file that does not fit shows the message, and the room stays as it was", async () => {
  const page = await site.open("pixels");
  const before = await contents(page);
  const hash = await page.evaluate(() => location.hash);
  const clear = { name: "clear.png", mimeType: PNG, buffer: await png(page, 0) };
  const solid = { name: "solid.png", mimeType: PNG, buffer: await png(page, 0.5) };
  const broken = { name: "broken.png", mimeType: PNG, buffer: Buffer.from("no png") };
  for (const [input, files, message] of [
    ['input[aria-label="Open a PNG for A"]', clear, /The image of A has no solid pixel/],
    ['input[aria-label="Open a PNG for B"]', clear, /The image of B has no solid pixel/],
    [".toolbar input[type=file]", [solid, clear], /The image of B has no solid pixel/],
    [".toolbar input[type=file]", [solid, broken], /broken\.png/],
  ]) {
    await page.setInputFiles(input, files);
    await expectText(page, ".message.error", message);
    assert.deepEqual(await contents(page), before);
    assert.equal(await page.evaluate(() => location.hash), hash);
    assert.equal(await page.getByRole("button", { name: "Undo" }).isDisabled(), true);
    await page.evaluate(() => document.querySelector(".message").remove());
  }
  // Two files that fit replace both.
  await page.setInputFiles(".toolbar input[type=file]", [solid, solid]);
  await linkOf(page, ({ a, b }) => [a, b].every(({ image }) => image.startsWith("data:")));
  await expectValue(() => images(page), ["your image", "your image"], "the images");
  await expectCount(page, ".message", 0);
  await compare(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a file opens although the other sprite has no solid pixel, and the message about that one stays", async () => {
  const page = await site.open("pixels");
  const threshold = page.getByRole("slider", { name: "Alpha threshold" });
  await threshold.fill("50");
  const faint = { name: "faint.png", mimeType: PNG, buffer: await png(page, 0.5, 100) };
  await page.setInputFiles('input[aria-label="Open a PNG for B"]', faint);
  await expectValue(() => imageOf(page, "B"), "your image", "the image of B");
  await threshold.fill("128");
  const refused = /The image of B has no solid pixel/;
  await expectText(page, ".message.error", refused);
  const solid = { name: "solid.png", mimeType: PNG, buffer: await png(page, 0.5) };
  await page.setInputFiles('input[aria-label="Open a PNG for A"]', solid);
  await page.waitForFunction(
    () => document.querySelector('select[aria-label="Image of A"]').selectedOptions[0].textContent === "your image",
  );
  // A of the reader has 8 × 12 solid pixels.
  await page.getByText("96 solid pixels").first().waitFor();
  await expectText(page, ".message.error", refused);
  await threshold.fill("50");
  await page.waitForSelector(".message.error", { state: "detached" });
  await compare(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("each view has a text of its own, in both languages", async () => {
  for (const [language, texts] of [
    ["en", [/^A pixel is solid/, /^An outline follows/, /^The simplified outlines are split/]],
    ["zh", [/像素为实心/, /^轮廓沿/, /凸部分/]],
  ]) {
    const page = await site.open("pixels", { language });
    for (const [i, look] of ["pixels", "outline", "parts"].entries()) {
      await page.click(`button[data-value=${look}]`);
      await expectText(page, "[data-intro]", texts[i]);
    }
    await page.context().close();
  }
});

test("Cancel ends the opening of two files, and none of them is used", async () => {
  const page = await site.open("pixels");
  const before = await contents(page);
  // The second image is decoded when the test says so.
  await page.evaluate(() => {
    const decode = window.createImageBitmap;
    window.hold = true;
    window.begun = window.decoded = 0;
    window.createImageBitmap = async (blob) => {
      if (window.begun++ > 0 && window.hold) await new Promise((done) => (window.goOn = done));
      const bitmap = await decode(blob);
      window.decoded++;
      return bitmap;
    };
  });
  const buffer = await png(page, 0.5);
  const files = ["one.png", "two.png"].map((name) => ({ name, mimeType: PNG, buffer }));
  await page.setInputFiles(".toolbar input[type=file]", files);
  await page.waitForFunction(() => window.goOn);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.evaluate(() => {
    window.hold = false;
    window.goOn();
  });
  // Both files are decoded when they are read, and their image once more for the sprites. They are equal.
  await page.waitForFunction(() => window.decoded === 3);
  await frames(page);
  assert.deepEqual(await contents(page), before);
  // The later opening of one file is not disturbed, and it fills A: the first opening used no sprite.
  await page.setInputFiles(".toolbar input[type=file]", files[0]);
  await linkOf(page, ({ a }) => a.image.startsWith("data:"));
  await expectValue(() => images(page), ["your image", "bee"], "the images");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
