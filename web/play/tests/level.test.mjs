// The room Level: the mover walks, is blocked, shoots; files open.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { linkOf, repository, simulate, start } from "./browser.mjs";
import { save } from "./native.mjs";
import { expectText } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const scenes = (...names) => names.map((name) => join(repository, "scenes", name));

test("the mover stands on the ground, walks to the wall, and the wall is named", async () => {
  const page = await site.open("level");
  await page.waitForFunction(() => /stands on/.test(document.querySelector("[data-blocks]").textContent));
  await page.keyboard.down("ArrowLeft");
  await page.waitForFunction(() => /wall 1 blocks it/.test(document.querySelector("[data-blocks]").textContent));
  await page.keyboard.up("ArrowLeft");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a bullet hits and names what it hits", async () => {
  const page = await site.open("level");
  await page.keyboard.press("f");
  await page.waitForFunction(() => /last bullet hit/.test(document.querySelector("[data-shots]").textContent));
  await page.context().close();
});

test("a press of Space jumps, even if it ends before the next frame", async () => {
  const page = await site.open("level");
  await page.waitForFunction(() => /stands on/.test(document.querySelector("[data-blocks]").textContent));
  await page.evaluate(() => {
    for (const kind of ["keydown", "keyup"])
      document.body.dispatchEvent(new KeyboardEvent(kind, { key: " ", bubbles: true }));
  });
  await page.waitForFunction(() => /in the air/.test(document.querySelector("[data-blocks]").textContent));
  await page.context().close();
});

test("the aim stays when the level is built again", async () => {
  const page = await site.open("level");
  // The mover looks to the right, the pointer is at its left.
  const canvas = page.locator(".level-box canvas");
  const { x, y, height } = await canvas.boundingBox();
  await page.mouse.move(x + 3, y + height / 2);
  await page.getByLabel("Gravity").uncheck();
  await page.waitForFunction(() => /moves freely/.test(document.querySelector("[data-blocks]").textContent));
  await canvas.focus();
  await page.evaluate(() => {
    const line = document.querySelector("[data-shots]");
    window.hits = [];
    new MutationObserver(() => window.hits.push(line.textContent)).observe(line, { childList: true });
  });
  await page.keyboard.press("f");
  await page.waitForFunction(() => window.hits.length > 0);
  // The bullet bounces on, so only the first hit counts.
  assert.match(await page.evaluate(() => window.hits[0]), /hit wall 1\./);
  await page.context().close();
});

test("the lift of the first level carries the mover", async () => {
  const page = await site.open("level", { reducedMotion: "no-preference" });
  const state = JSON.parse(await save(page, "Room as JSON"));
  state.state.at = [36, 0.9];
  await page.setInputFiles(".toolbar input[type=file]", {
    name: "level.room.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(state)),
  });
  await page.waitForFunction(() => /stands on lift 1/.test(document.querySelector("[data-blocks]").textContent));
  // The lift is the only floor at this x that is higher than the step. It carries the mover for 2 s.
  await page.evaluate(() => {
    const line = document.querySelector("[data-blocks]");
    window.texts = [];
    new MutationObserver(() => window.texts.push(line.textContent)).observe(line, { childList: true });
  });
  await simulate(page, 2);
  assert.deepEqual(
    (await page.evaluate(() => window.texts)).filter((text) => !/stands on lift 1/.test(text)),
    [],
  );
  await expectText(page, "[data-blocks]", /stands on lift 1/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const shortcut of ["Control", "Alt", "Meta"]) {
  test(`a direction that is released beside the key ${shortcut} ends`, async () => {
    const page = await site.open("level");
    await page.focus("canvas");
    await page.keyboard.down("ArrowRight");
    await simulate(page, 0.2);
    await page.keyboard.down(shortcut);
    await page.keyboard.up("ArrowRight");
    await page.keyboard.up(shortcut);
    await simulate(page, 0.2);
    const blocks = await page.textContent("[data-blocks]");
    // At 4 units or more per second, the mover would leave the tile of 2 units.
    await simulate(page, 1);
    assert.equal(await page.textContent("[data-blocks]"), blocks, "the mover walks on");
    await page.context().close();
  });
}

test("touch buttons walk and jump", async () => {
  const page = await site.open("level", { width: 360, height: 760, touch: true });
  await page.waitForFunction(() => /stands on/.test(document.querySelector("[data-blocks]").textContent));
  await page.locator(".touch [aria-label=Jump]").dispatchEvent("pointerdown");
  await page.waitForFunction(() => /in the air/.test(document.querySelector("[data-blocks]").textContent));
  await page.context().close();
});

test("the touch buttons walk down in a level without gravity", async () => {
  const page = await site.open("level", { width: 360, height: 760, touch: true });
  await page.selectOption("select", "dungeon");
  await page.waitForFunction(() => /moves freely/.test(document.querySelector("[data-blocks]").textContent));
  const down = page.locator(".touch [aria-label=Down]");
  await down.dispatchEvent("pointerdown");
  // The mover starts above a wall.
  await page.waitForFunction(() => /blocks it \(wall\)/.test(document.querySelector("[data-blocks]").textContent));
  await down.dispatchEvent("pointerup");
  for (const one of await page.locator(".touch .button").all()) {
    const { x, width } = await one.boundingBox();
    assert.ok(x >= 0 && x + width <= 360 && width >= 44, JSON.stringify({ x, width }));
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

// The first text of each level: what the mover stands on, or that nothing blocks it.
for (const [example, text] of [
  ["walk", "stands on Ground[1,9]"],
  ["platformer", "stands on Ground[3,9]"],
  ["dungeon", "moves freely"],
  ["drawing", "moves freely"],
  ["countries", "stands on Angola"],
]) {
  test(`the level ${example} opens`, async () => {
    const page = await site.open("level");
    await page.selectOption("select", example);
    await page.locator("[data-blocks]", { hasText: text }).waitFor();
    await linkOf(page, ({ source }) => source.example === example);
    assert.equal(await page.locator(".message.error").count(), 0);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test("a dropped Tiled map opens with its tileset, and says which file is missing without it", async () => {
  const page = await site.open("level");
  const input = ".toolbar input[type=file]";
  await page.setInputFiles(input, scenes("platformer.tmx"));
  await expectText(page, ".message.error", /platformer\.tsx/);
  await page.setInputFiles(
    input,
    scenes("platformer.tmx", "tiles/platformer.tsx", "templates/crate.tx", "templates/zone.tx"),
  );
  await page.waitForFunction(() =>
    /platformer\.tmx/.test(document.querySelector("select").selectedOptions[0].textContent),
  );
  assert.equal(await page.locator(".message.error").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("files are found by their paths in quotes of both kinds", async () => {
  const page = await site.open("level");
  const file = (name, text) => ({ name, mimeType: "application/xml", buffer: Buffer.from(text) });
  const map = `<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="9" tileheight="9">
    <tileset firstgid="1" source="Ann's tiles/a.tsx"/><tileset firstgid="2" source='more/b.tsx'/>
    <layer id="1" name="ground" width="2" height="1"><data encoding="csv">1,2</data></layer></map>`;
  const tiles = (name) => `<tileset name="${name}" tilewidth="9" tileheight="9" tilecount="1" columns="1">
    <image source="a.png" width="9" height="9"/></tileset>`;
  const files = [file("a.tmx", map), ...["a", "b"].map((name) => file(`${name}.tsx`, tiles(name)))];
  await page.setInputFiles(".toolbar input[type=file]", files);
  await expectText(page, "select option:checked", /a\.tmx/);
  await expectText(page, "[data-blocks]", /ground\[0,0\]/);
  assert.equal(await page.locator(".message.error").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a file that does not belong to the one that is shown is named", async () => {
  const page = await site.open("level");
  await page.setInputFiles(".toolbar input[type=file]", scenes("icons/rust.svg", "example.json"));
  await expectText(
    page,
    ".message span, .message",
    /Only rust\.svg is shown\. No file was found that refers to example\.json\./,
  );
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [file, ground] of [
  ["sprites/bee.png", "bee.png"],
  ["icons/rust.svg", "#0"],
  ["example.json", "floor"],
  ["countries.geojson", "Angola"],
]) {
  test(`${file} opens as a level, and the mover stands on it`, async () => {
    const page = await site.open("level");
    await page.setInputFiles(".toolbar input[type=file]", scenes(file));
    await page.waitForFunction((name) => document.querySelector("[data-blocks]").textContent.includes(name), ground);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test("a broken file shows the message, and the level stays", async () => {
  const page = await site.open("level");
  await page.setInputFiles(".toolbar input[type=file]", {
    name: "broken.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from("<svg"),
  });
  await expectText(page, ".message.error", /broken\.svg/);
  await expectText(page, "[data-blocks]", /stands|air/);
  await page.context().close();
});

test("a state with two equal ids is refused, however far apart they are", async () => {
  const page = await site.open("level");
  const { caromRoom, state } = JSON.parse(await save(page, "Room as JSON"));
  const ball = (id, x) => ({ id, shape: { circle: { radius: 1 } }, position: [x, 0] });
  // They are added in pieces of less than 200 circles.
  const colliders = Array.from({ length: 600 }, (_, i) => ball(`ball ${i}`, 3 * i));
  colliders[599].id = "ball 2";
  state.source = { name: "twice", scene: { carom: 1, colliders } };
  await page.setInputFiles(".toolbar input[type=file]", {
    name: "twice.room.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ caromRoom, state })),
  });
  const message = 'colliders[599].id is "ball 2", as that of another collider: ids are unique';
  await expectText(page, ".message.error", message);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the link restores the place of the mover", async () => {
  const page = await site.open("level");
  await page.waitForFunction(() => /stands on/.test(document.querySelector("[data-blocks]").textContent));
  await page.keyboard.down("ArrowLeft");
  await page.waitForFunction(() => /wall 1/.test(document.querySelector("[data-blocks]").textContent));
  await page.keyboard.up("ArrowLeft");
  const hash = await linkOf(page, ({ at }) => at !== null);
  const other = await site.open("level", { hash });
  await other.waitForFunction(() => /stands on/.test(document.querySelector("[data-blocks]").textContent));
  await simulate(other, 0.9); // A mover at another place would write it to the address after 0.6 s.
  assert.equal(await other.evaluate(() => location.hash), hash);
  await page.context().close();
  await other.context().close();
});
