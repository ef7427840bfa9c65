// Every room loads, fits, is readable, and works with the keyboard alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { ROOMS, settled, start } from "./browser.mjs";
import { save } from "./native.mjs";
import { expectText, expectValue, frames, poll } from "./wait.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let site;

before(async () => {
  site = await start();
});
after(() => site.close());

for (const room of ROOMS) {
  for (const [width, theme, language] of [
    [1280, "light", "en"],
    [1280, "dark", "zh"],
    [360, "light", "zh"],
    [360, "dark", "en"],
  ]) {
    test(`${room} at ${width}, ${theme}, ${language}: no errors, no scrolling sideways, axe is content`, async () => {
      const page = await site.open(room, { width, height: 760, theme, language });
      assert.deepEqual(page.problems, []);
      const sizes = () => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      await poll(sizes, ([wide, most]) => wide <= most, "the page is wider than the window");
      if ((width === 1280) !== (theme === "light")) return page.context().close(); // axe: two of four suffice.
      await page.evaluate(axe);
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(
        serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html)]),
        [],
      );
      await page.context().close();
    });
  }

  test(`${room}: every control is at least 44 pixels high and wide at 360 pixels`, async () => {
    const page = await site.open(room, { width: 360, height: 760 });
    const small = () =>
      page.evaluate(() => {
        const controls = document.querySelectorAll(
          "button, select, a[href]:not(.skip), label.check, .scrub, input[type=range], summary",
        );
        const seen = [...controls].filter((one) => one.checkVisibility());
        return seen
          .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
          .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
          .map(([html]) => html);
      });
    await expectValue(small, [], "the small controls");
    await page.context().close();
  });

  test(`${room}: the Tab key reaches the whole page, and each stop has a name`, async () => {
    const page = await site.open(room);
    const names = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const focus = document.activeElement;
        if (!focus || focus === document.body) return null;
        const label = focus.getAttribute("aria-label") ?? focus.closest("label")?.textContent ?? focus.textContent;
        return label?.trim() || `nameless ${focus.outerHTML.slice(0, 80)}`;
      });
      if (name === null) break;
      names.push(name);
    }
    assert.ok(names.length > 10, names.join(" | "));
    assert.deepEqual(
      names.filter((name) => name.startsWith("nameless")),
      [],
    );
    await page.context().close();
  });
}

for (const [width, height, font] of [
  [1280, 800, 32],
  [360, 740, 32],
  [320, 480, 16],
]) {
  test(`no text is cut at ${width} × ${height} pixels with a font of ${font} pixels`, async () => {
    for (const room of ROOMS) {
      const page = await site.open(room, { width, height });
      const session = await page.context().newCDPSession(page);
      await session.send("Page.enable");
      await session.send("Page.setFontSizes", { fontSizes: { standard: font } });
      await page.waitForFunction((size) => parseFloat(getComputedStyle(document.body).fontSize) === size, font);
      await frames(page);
      const found = () =>
        page.evaluate(() => {
          const { clientWidth, scrollWidth } = document.documentElement;
          const all = [...document.querySelectorAll(".figure *, .side *")].filter(
            (one) => one.checkVisibility() && !(one.closest("svg") && one.localName !== "svg"),
          );
          const name = (one) => `${one.localName}.${one.className}`;
          const outside = all.filter((one) => {
            const { left, right, width: wide } = one.getBoundingClientRect();
            return wide > 0 && (left < -1 || right > clientWidth + 1);
          });
          const cut = all.filter(
            (one) =>
              one.children.length === 0 &&
              one.clientWidth > 0 &&
              one.scrollWidth > one.clientWidth + 1 &&
              getComputedStyle(one).overflow !== "visible",
          );
          return [scrollWidth <= clientWidth ? [] : ["the page"], outside.map(name), cut.map(name)].flat();
        });
      await expectValue(found, [], `${room}: what is cut`); // Canvases follow in a later frame.
      await page.context().close();
    }
  });
}

for (const [width, height] of [
  [640, 400],
  [320, 256],
]) {
  test(`the figure does not cover the text in a window of ${width} × ${height} pixels`, async () => {
    for (const room of ROOMS) {
      const page = await site.open(room, { width, height });
      const covered = () =>
        page.evaluate(() => {
          document.querySelector(".side p").scrollIntoView();
          const { left, top, width: wide, height: high } = document.querySelector(".side p").getBoundingClientRect();
          return !document.elementFromPoint(left + wide / 2, top + Math.min(high, innerHeight) / 2)?.closest(".side");
        });
      await expectValue(covered, false, `${room}: covered`);
      await page.context().close();
    }
  });
}

for (const room of ["balls", "race"]) {
  test(`${room}: a caption of several lines does not distort the balls`, async () => {
    const page = await site.open(room, { width: 360, height: 740 });
    await page.waitForFunction(() => document.querySelector(".stage canvas")?.width > 0);
    const sizes = () =>
      page.$eval(".stage canvas", (canvas) => {
        const { width, height } = canvas.getBoundingClientRect();
        return { drawn: canvas.width / canvas.height, shown: width / height, height };
      });
    /** Waits until the canvas is drawn in the size that it has on the page, at a height below `most`. */
    const drawn = (most) =>
      poll(
        sizes,
        (now) => now.height < most && Math.abs(now.drawn / now.shown - 1) <= 0.02,
        "not the size on the page",
      );
    const { height } = await drawn(Infinity);
    await page.evaluate(() => {
      const line = document.querySelector(".balls .caption, .race .drawn");
      line.style.minHeight = "150px"; // As many lines have.
    });
    await drawn(height);
    await page.context().close();
  });
}

test("the first paint does not wait for the package", async () => {
  const page = await site.open("two-shapes", { early: true });
  assert.ok(await page.locator("[data-shape=a] path").getAttribute("d"));
  await page.context().close();
});

test("theme and language change without a reload, and are remembered", async () => {
  const page = await site.open("two-shapes");
  await page.click("[data-key=theme]");
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await expectValue(theme, "dark");
  await page.click("[data-key=language]");
  await expectText(page, "h1", /重叠/);
  await page.reload();
  await page.waitForSelector("[data-verdict][data-value]");
  await expectValue(theme, "dark");
  await expectText(page, "h1", /重叠/);
  await page.context().close();
});

test("the code of a room loads when the room is entered", async () => {
  const page = await site.open("two-shapes");
  const scripts = [];
  page.on("request", (request) => scripts.push(request.url()));
  await page.click('a[href="#/drag"]');
  await page.waitForSelector('[data-contacts]:not([data-contacts="0"])', { state: "attached" });
  assert.ok(
    scripts.some((url) => /drag/.test(url)),
    scripts.join(),
  );
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

// Numbers of the shapes that the rooms begin with, drawn as circles, paths or polygons.
for (const [room, least] of [
  ["two-shapes", 2],
  ["drag", 13],
  ["balls", 12],
  ["level", 60],
  ["pixels", 2],
  ["race", 1000],
  ["why-not-floats", 2],
]) {
  test(`${room}: the picture is saved as an SVG that needs no style sheet`, async () => {
    const page = await site.open(room);
    const svg = await save(page, "Picture as SVG");
    const found = await page.evaluate((text) => {
      const { documentElement: root } = new DOMParser().parseFromString(text, "image/svg+xml");
      return { name: root.localName, shapes: root.querySelectorAll("circle, path, polygon, image").length };
    }, svg);
    assert.equal(found.name, "svg");
    assert.ok(found.shapes >= least, `${found.shapes} shapes`);
    assert.ok(!/class=|var\(/.test(svg));
    assert.ok(!/stroke="(transparent|rgba\(0, 0, 0, 0\))"/.test(svg), "a line that only receives the pointer");
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

/** Returns the styles of the elements of a room, one text for each class. */
const looks = (page) =>
  page.evaluate(() => {
    // Messages come and go.
    const all = document.querySelectorAll(".side *, .figure :not(.message, .message *)");
    const look = (element) => {
      const { display, fontSize, fontWeight, color, fill, margin } = getComputedStyle(element);
      const name = `${element.tagName} .${element.getAttribute("class") ?? ""}`;
      return `${name}: ${[display, fontSize, fontWeight, color, fill, margin].join()}`;
    };
    return [...new Set([...all].map(look))].sort();
  });

test("the styles of one room do not change another", async () => {
  const after = await site.open("two-shapes");
  for (const room of [...ROOMS, ...ROOMS]) {
    await after.click(`.rooms a[href="#/${room}"]`);
    await after.waitForFunction((id) => document.querySelector(".rooms a[aria-current]").hash === `#/${id}`, room);
    await settled(after, room);
  }
  for (const room of ROOMS) {
    await after.click(`.rooms a[href="#/${room}"]`);
    const alone = await site.open(room);
    // Rooms write results for a while, so the styles are compared until they are equal.
    const differences = async () => {
      const [first, later] = await Promise.all([looks(alone), looks(after)]);
      return [first.filter((look) => !later.includes(look)), later.filter((look) => !first.includes(look))];
    };
    await expectValue(differences, [[], []], `${room}: looks of one page`);
    await alone.context().close();
  }
  await after.context().close();
});

for (const width of [1280, 360]) {
  test(`no control covers the menu "Save" at ${width} pixels`, async () => {
    for (const room of ROOMS) {
      for (const language of ["en", "zh"]) {
        const page = await site.open(room, { width, language });
        await page.locator(".toolbar button").last().click();
        await page.locator("menu button").first().waitFor();
        const covered = () =>
          page.$$eval("menu button", (items) =>
            items
              .filter((item) => {
                const { left, right, top, height } = item.getBoundingClientRect();
                const at = (share) => document.elementFromPoint(left + share * (right - left), top + height / 2);
                return [0.05, 0.5, 0.95].some((share) => !item.contains(at(share)));
              })
              .map((item) => item.textContent),
          );
        await expectValue(covered, [], `${room}, ${language}: covered entries`);
        await page.context().close();
      }
    }
  });
}

test("the sliders of a group have one left edge", async () => {
  for (const [room, count] of [
    ["level", 3],
    ["pixels", 2],
  ]) {
    const page = await site.open(room);
    const edges = () => page.$$eval(".side .slider input", (all) => all.map((one) => one.getBoundingClientRect().left));
    await poll(edges, (all) => all.length === count && new Set(all).size === 1, `${room}: not ${count} equal edges`);
    await page.context().close();
  }
});

for (const room of ROOMS) {
  test(`${room}: no number that changes by itself or with its control is announced`, async () => {
    const page = await site.open(room);
    const live = await page.$$eval("output", (all) =>
      all.filter((one) => one.ariaLive !== "off" && one.ariaHidden !== "true").map((one) => one.outerHTML),
    );
    assert.deepEqual(live, []);
    await page.context().close();
  });
}

/** Returns the contrast of two colours as WCAG defines it: 1 to 21. */
function contrast(...colours) {
  const luminances = colours.map((colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((part) => {
      const c = part / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  });
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

test("forced colours show the projections, the bars, and the chosen segment", async () => {
  const background = (page, selector) => page.$eval(selector, (one) => getComputedStyle(one).backgroundColor);
  for (const theme of ["light", "dark"]) {
    for (const [room, marks] of [
      ["two-shapes", [".bars .bar-a", ".bars .bar-b", "[aria-checked=true]", "[aria-checked=false]"]],
      ["balls", [".counts .bar i", ".counts .bar"]],
      ["race", [".lane .bar i", ".lane .bar"]],
    ]) {
      const page = await site.open(room, { theme });
      await page.emulateMedia({ forcedColors: "active" });
      const colours = await Promise.all(marks.map((one) => background(page, one)));
      const chosen = await page.$$eval("[aria-checked=true]", (all) =>
        all.map((one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]),
      );
      for (const pair of chosen) assert.ok(contrast(...pair) >= 4.5, `${room}, ${theme}: ${pair}`);
      assert.equal(
        new Set(colours).size,
        marks.length,
        `${room}, ${theme}: ${marks.map((m, i) => `${m} ${colours[i]}`)}`,
      );
      await page.context().close();
    }
  }
});
