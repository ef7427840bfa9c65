// A visitor who goes back and forth, drags everything, and opens links and files of all kinds.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { linkOf, quiet, ROOMS, settled, start } from "./browser.mjs";
import { save } from "./native.mjs";
import { expectCount, expectText, expectValue, frames, poll } from "./wait.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site.close());

const INPUT = ".toolbar input[type=file]";
const file = (name, text, mimeType = "application/json") => ({ name, mimeType, buffer: Buffer.from(text) });
const link = (room, state) => `#/${room}?s=${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;
const expectRoom = (page, name) => expectText(page, ".rooms [aria-current]", name);

/** Opens a room, and returns the state that it saves. */
async function stateOf(room) {
  const page = await site.open(room);
  const { state } = JSON.parse(await save(page, "Room as JSON"));
  await page.context().close();
  return state;
}

test("the Back button returns to the room and to its state", async () => {
  const page = await site.open("two-shapes");
  await page.click("button[data-value=closest]");
  await linkOf(page, ({ mode }) => mode === "closest");
  await page.click('a[href="#/drag"]');
  await page.waitForSelector("[data-contacts]", { state: "attached" });
  await page.goBack();
  await page.waitForSelector("button[data-value=closest][aria-checked=true]");
  await expectRoom(page, "Two shapes");
  await page.goForward();
  await page.waitForSelector("[data-contacts]", { state: "attached" });
  await expectRoom(page, "Drag");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("rooms that follow each other quickly do not disturb each other", async () => {
  const links = await Promise.all(ROOMS.map(async (room) => link(room, await stateOf(room))));
  const page = await site.open("two-shapes");
  await page.evaluate(async (all) => {
    for (let round = 0; round < 6; round++) {
      for (const one of all) {
        location.hash = one;
        await new Promise((done) => setTimeout(done, (round * 7) % 30));
      }
    }
    location.hash = "#/drag";
  }, links);
  await page.waitForSelector('[data-contacts]:not([data-contacts="0"])', { state: "attached" });
  await expectRoom(page, "Drag");
  await quiet(page);
  await expectValue(() => page.workers().length, 0, "the number of workers");
  await expectRoom(page, "Drag");
  assert.equal(await page.locator(".side h1").count(), 1);
  assert.equal(await page.locator(".toolbar").count(), 1);
  assert.ok(await page.locator("button[aria-label=Undo]").isDisabled());
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [room, name, text] of [
  ["drag", "a.svg", '<svg xmlns="http://www.w3.org/2000/svg"><rect width="4" height="3"/></svg>'],
  ["level", "a.svg", '<svg xmlns="http://www.w3.org/2000/svg"><rect width="4" height="3"/></svg>'],
  ["pixels", "a.png", "P"],
]) {
  test(`${room}: a file that arrives after the room was left changes nothing`, async () => {
    const page = await site.open(room);
    const png = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 4, height: 4 });
      canvas.getContext("2d").fillRect(0, 0, 4, 4);
      return canvas.toDataURL();
    });
    const body = name.endsWith(".png") ? png.split(",")[1] : Buffer.from(text).toString("base64");
    await page.evaluate(
      ([fileName, base64]) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        // The page decodes an image after the room was left. A worker that reads a file is ended.
        const decode = window.createImageBitmap;
        const left = new Promise((done) => (window.goOn = done));
        window.decoded = 0;
        window.createImageBitmap = async (blob) => {
          await left;
          const bitmap = await decode(blob);
          window.decoded++;
          return bitmap;
        };
        const transfer = new DataTransfer();
        const type = fileName.endsWith(".png") ? "image/png" : "image/svg+xml";
        transfer.items.add(new File([bytes], fileName, { type }));
        const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.querySelector(".canvas-box").dispatchEvent(event);
        location.hash = "#/two-shapes";
      },
      [name, body],
    );
    await page.locator(".side h1.verdict[data-value]").waitFor();
    await page.evaluate(() => window.goOn());
    if (room === "pixels") await page.waitForFunction(() => window.decoded > 0);
    await expectValue(() => page.workers().length, 0, "the number of workers");
    await quiet(page);
    await expectRoom(page, "Two shapes");
    assert.equal(await page.locator(".side h1.verdict").count(), 1);
    assert.ok(await page.locator("button[aria-label=Undo]").isDisabled());
    assert.equal(await page.locator(".message").count(), 0);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

/** Changes one value of a state, by its path. */
function changed(state, path, value) {
  const copy = structuredClone(state);
  const keys = path.split(".");
  const last = keys.pop();
  keys.reduce((part, key) => part[key], copy)[last] = value;
  return copy;
}

const DAMAGED = {
  "two-shapes": [
    ["a.kind", "toString"],
    ["a", null],
    ["a.shape", null],
    ["a.shape", { polygon: {} }],
    ["b.x", 1e300],
    ["b.scale", -1],
    ["axis", 0.5],
    ["time", 5],
    ["motion", {}],
  ],
  drag: [
    ["items", 5],
    ["items.0.shape", null],
    ["items.1.id", "ring"],
    ["items.0.shape", { circle: { radius: -1 } }],
    ["items.0.x", 1e300],
    ["frame", [0, 0, null, 1]],
    ["click", "here"],
  ],
  balls: [
    ["method", "octree"],
    ["size", 99],
    ["speed", -1],
  ],
  level: [
    ["source", null],
    ["source", { example: "toString" }],
    ["source", { name: 5, scene: {} }],
    ["size", 1e300],
    ["size", -1],
    ["zoom", 1e9],
    ["at", [1]],
  ],
  pixels: [
    ["a.image", "toString"],
    ["a.x", 1e300],
    ["threshold", 0],
    ["deviation", -1],
    ["look", "constructor"],
  ],
  race: [
    ["size", 1.5],
    ["shown", "box2d"],
  ],
  "why-not-floats": [
    ["pair", "none"],
    ["zoom", 1e9],
  ],
};

for (const [room, changes] of Object.entries(DAMAGED)) {
  test(`${room}: a link with a wrong value says so, and the room works`, async () => {
    const state = await stateOf(room);
    for (const [path, value] of changes) {
      const page = await site.open(room, { hash: link(room, changed(state, path, value)), early: true });
      await page.waitForSelector(".message.error");
      await settled(page, room);
      await quiet(page);
      assert.equal(await page.locator(".message.error").count(), 1, path);
      assert.deepEqual(page.problems, [], `${path} = ${JSON.stringify(value)}`);
      const now = JSON.parse(await save(page, "Room as JSON"));
      assert.deepEqual(now.state, state, `${path} = ${JSON.stringify(value)}`);
      await page.context().close();
    }
  });
}

test("a link never loads an image from another place", async () => {
  const state = changed(await stateOf("pixels"), "a.image", "https://example.org/a.png");
  const page = await site.open("two-shapes");
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.evaluate((hash) => (location.hash = hash), link("pixels", state));
  await page.waitForSelector(".message.error");
  await settled(page, "pixels");
  await quiet(page);
  assert.deepEqual(
    requests.filter((url) => !url.startsWith(site.address) && !url.startsWith("blob:")),
    [],
  );
  await page.context().close();
});

test("balls: one drag of the slider leads from 10 to 100 000 balls", async () => {
  const page = await site.open("balls");
  const slider = page.locator("[data-part=size] input");
  const box = await slider.boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 12, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 4, y, { steps: 40 });
  await page.mouse.up();
  await expectValue(() => slider.inputValue(), "13");
  await page.locator("[data-part=speed]").waitFor({ state: "hidden" });
  await linkOf(page, ({ size }) => size === 13);
  await page.keyboard.press("Control+z");
  await expectValue(() => slider.inputValue(), "1");
  await page.locator("[data-part=speed]").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("balls: the check box of the drawing keeps its state when the method changes", async () => {
  const page = await site.open("balls");
  const box = page.locator("label.check input");
  await box.uncheck();
  await page.click('[role="radio"][data-value="strips"]');
  assert.equal(await box.isChecked(), false);
  await page.context().close();
});

test("why not floats: a zoom with the wheel can be undone", async () => {
  const page = await site.open("why-not-floats");
  const zoom = page.locator(".under input[type=range]");
  await page.hover(".floats svg");
  await page.mouse.wheel(0, -800);
  await linkOf(page, (state) => state.zoom === 200);
  assert.equal(await zoom.inputValue(), "200");
  await page.keyboard.press("Control+z");
  await expectValue(() => zoom.inputValue(), "0");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("why not floats: the size of every gap is inside the picture", async () => {
  for (const width of [360, 1280]) {
    const page = await site.open("why-not-floats", { width });
    const pairs = await page.locator(".segments button").evaluateAll((all) => all.map((one) => one.dataset.value));
    for (const pair of pairs) {
      await page.click(`[data-value="${pair}"]`);
      await page.getByRole("button", { name: "Go to the gap" }).click();
      await page.waitForFunction(() => document.querySelector(".under input").value === "1000");
      await frames(page);
      const outside = () =>
        page.evaluate(() => {
          const box = document.querySelector(".floats svg").getBoundingClientRect();
          return [...document.querySelectorAll(".floats text")]
            .map((text) => [text.textContent, text.getBoundingClientRect()])
            .filter(
              ([, at]) => at.left < box.left || at.right > box.right || at.top < box.top || at.bottom > box.bottom,
            )
            .map(([text]) => text);
        });
      await expectValue(outside, [], `${pair} at ${width}: texts outside`);
    }
    await page.context().close();
  }
});

test("drag: numbers of a map in metres stay what they are", async () => {
  const page = await site.open("drag");
  const scene = { carom: 1, colliders: [{ id: "far", shape: { circle: { radius: 5 } }, position: [2e7, 5e6] }] };
  await page.setInputFiles(INPUT, file("map.json", JSON.stringify(scene)));
  await page.locator("[data-id=far]").focus();
  const x = page.locator('input[aria-label="far: x"]');
  assert.equal(await x.inputValue(), "20000000");
  await x.focus();
  await page.keyboard.press("ArrowUp");
  await poll(
    async () => Number(await x.inputValue()),
    (now) => now > 2e7,
    "x has not changed",
  );
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

const CIRCLE = (radius, x = 0) => ({ shape: { circle: { radius } }, position: [x, 0] });
const scene = (...colliders) => JSON.stringify({ carom: 1, colliders });

test("a state of many letters has no link, and is saved as a file", async () => {
  const page = await site.open("drag");
  const points = Array.from({ length: 60_000 }, (_, i) => [
    Math.cos((i * Math.PI) / 30_000),
    Math.sin((i * Math.PI) / 30_000),
  ]);
  await page.setInputFiles(INPUT, file("round.json", scene({ id: "round", shape: { chain: { points } } })));
  await page.locator("[data-id=round]").focus();
  await page.keyboard.press("ArrowRight");
  await quiet(page);
  assert.equal(await page.evaluate(() => location.hash), "#/drag");
  const note = page.waitForSelector(".message.note");
  await Promise.all([page.waitForEvent("download"), page.click('button[aria-label="Copy link"]')]);
  assert.match(await (await note).textContent(), /A link holds 8192/);
  await page.keyboard.press("Control+z");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const room of ["drag", "level"]) {
  test(`${room}: odd files open, or say why not`, async () => {
    const page = await site.open(room);
    for (const [name, text, message] of [
      ["empty.json", "", /empty\.json/],
      ["empty.svg", "", /empty\.svg/],
      ["empty.tmx", "", /empty\.tmx/],
      ["empty.png", "", /empty\.png/],
      ["nothing.json", scene(), /no shapes/],
      ["point.json", scene(CIRCLE(0)), null],
      ["tiny.json", scene(CIRCLE(1e-30), CIRCLE(1e-30, 1e-30)), null],
      ["huge.json", scene(CIRCLE(1e29), CIRCLE(1e29, 5e29)), null],
      ["dust.json", scene(CIRCLE(1e-30), CIRCLE(1, 1e20)), null],
      ["text.txt", "hello", /text\.txt/],
    ]) {
      await page.setInputFiles(INPUT, file(name, text));
      await page.waitForSelector(".message.busy", { state: "detached" });
      await frames(page); // The room draws what it opened.
      const shown = await page.locator(".message.error").allTextContents();
      if (message) assert.match(shown.join(), message, name);
      assert.deepEqual(page.problems, [], name);
    }
    await page.click('button[aria-label="Reset"]');
    await expectCount(page, ".message.error", 0);
    await page.context().close();
  });
}

test("level: tiles without collision shapes become solid with a button, and undo takes it back", async () => {
  const page = await site.open("level");
  const map = `<map version="1.10" orientation="isometric" width="2" height="1" tilewidth="8" tileheight="4">
    <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
      <image source="t.png" width="8" height="8"/></tileset>
    <layer id="1" name="Walls" width="2" height="1"><data encoding="csv">1,1</data></layer>
    <objectgroup id="2" name="O"><object id="5" x="1" y="1" width="3" height="2"/></objectgroup></map>`;
  const note = page.waitForSelector(".message.note");
  await page.setInputFiles(INPUT, file("map.tmx", map));
  const shapes = async () => JSON.parse(await save(page, "Scene as JSON")).colliders.length;
  const make = page.getByRole("button", { name: "Make all tiles solid" });
  await make.waitFor();
  assert.match(await (await note).textContent(), /2 of layer "Walls"$/);
  assert.equal(await shapes(), 1);
  // Undo of another change keeps the button: the tiles are still unread.
  const zoom = page.locator("input[type=range]").nth(1);
  const before = await zoom.inputValue();
  await zoom.press("ArrowRight");
  await poll(
    () => zoom.inputValue(),
    (now) => now !== before,
    "the zoom has not changed",
  );
  await page.keyboard.press("Control+z");
  await page.waitForFunction(
    (value) => document.querySelectorAll(".side input[type=range]")[1]?.value === value,
    before,
  );
  assert.equal(await make.count(), 1);
  await make.click();
  await make.waitFor({ state: "detached" });
  assert.equal(await shapes(), 3);
  await page.keyboard.press("Control+z");
  await make.waitFor();
  assert.equal(await shapes(), 1);
  await page.keyboard.press("Control+Shift+z");
  await make.waitFor({ state: "detached" });
  assert.equal(await shapes(), 3);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a room whose code does not arrive says so, and a new page loads it", async () => {
  const page = await site.open("two-shapes");
  await page.context().setOffline(true);
  await page.click('.rooms a[href="#/drag"]');
  await expectText(page, ".message.error", /This room could not be loaded/);
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Reload the page" }).click();
  await page.waitForSelector('[data-contacts]:not([data-contacts="0"])', { state: "attached" });
  await expectRoom(page, "Drag");
  assert.equal(await page.locator(".message").count(), 0);
  await page.context().close();
});

for (const room of ROOMS) {
  test(`${room}: a package that does not arrive is reported once, in a sentence`, async () => {
    const page = await site.open("two-shapes");
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.route("**/*.wasm", (route) => route.abort());
    await page.goto(`about:blank`);
    await page.goto(`${site.address}#/${room}`);
    await expectText(page, ".message.error span", /^The library could not be loaded: /);
    await quiet(page);
    await expectText(page, ".message.error span", /^The library could not be loaded: /);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

for (const room of ["balls", "race"]) {
  test(`${room}: a worker that does not arrive is reported in a sentence`, async () => {
    const page = await site.open("two-shapes");
    await page.route(/worker/, (route) => route.abort());
    await page.click(`.rooms a[href="#/${room}"]`);
    if (room === "race") await page.click('button:text-is("Start")');
    await expectText(page, ".message.error span", /worker of this room could not be loaded\. Check the connection/);
    // The race can be started again.
    if (room === "race") assert.equal(await page.locator('button:text-is("Start")').count(), 1);
    await page.context().close();
  });
}

test("a saved room of another room is named as in the header", async () => {
  const page = await site.open("pixels");
  const data = { name: "a.json", mimeType: "application/json", buffer: Buffer.from('{"caromRoom":"drag","state":{}}') };
  await page.setInputFiles(".toolbar input[type=file]", data);
  await expectText(page, ".message.error span", "The file belongs to the room “Drag”.");
  await page.context().close();
});

test("an error can be closed with the keyboard, and another level removes the one before", async () => {
  const page = await site.open("level");
  await page.setInputFiles(INPUT, file("broken.svg", "<svg"));
  const close = page.locator(".message.error").getByRole("button", { name: "Close" });
  await close.focus();
  await page.keyboard.press("Enter");
  await expectCount(page, ".message", 0);
  await expectValue(() => page.evaluate(() => document.activeElement.id), "figure");
  assert.deepEqual(page.problems, []);

  await page.context().setOffline(true);
  await page.selectOption("select", "dungeon");
  await expectText(page, ".message.error", /^The file dungeon\.tmj of this level did not arrive/);
  await page.context().setOffline(false);
  await page.selectOption("select", "own");
  await expectCount(page, ".message", 0);
  await page.selectOption("select", "dungeon");
  await page.locator("[data-blocks]", { hasText: "moves freely" }).waitFor();
  await page.waitForSelector(".message", { state: "detached" });
  await page.context().close();
});

test("a drop without files, or with too many bytes, leaves the room as it is", async () => {
  const page = await site.open("drag");
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(65e6)], "large.geojson"));
    const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
    document.querySelector(".canvas-box").dispatchEvent(event);
  });
  await expectText(page, ".message.error", /65 MB.*64 MB/);
  assert.equal(await page.locator("[data-id=star]").count(), 1);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

// Last: drawing 10 000 balls without a GPU keeps the browser busy for a while.
test("race: the caption does not cover the balls", async () => {
  for (const width of [360, 1280]) {
    const page = await site.open("race", { width });
    await page.waitForSelector(".race canvas");
    const boxes = () => Promise.all([".race canvas", ".race .drawn"].map((one) => page.locator(one).boundingBox()));
    await poll(
      boxes,
      ([canvas, caption]) => caption.y >= canvas.y + canvas.height && canvas.height > 200,
      "the caption covers the balls",
    );
    await page.context().close();
  }
});

test("race: another language keeps the limits of the entrants", async () => {
  const page = await site.open("race");
  await page.locator(".slider input").fill("5");
  const time = ".lane[data-id=nested] .time";
  await expectText(page, time, /at most 5\s000/);
  await page.click("[data-key=language]");
  await expectText(page, time, /最多 5\s000/);
  await expectText(page, ".lane[data-id=nested] .name", /双重循环/);
  await page.context().close();
});
