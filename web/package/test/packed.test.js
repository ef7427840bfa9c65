// The packed package, as users install it: in Node, in a Vite build, in a page without a bundler.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, mkdirSync, cpSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { build } from "vite";
import { serve } from "./serve.js";

const root = mkdtempSync(join(tmpdir(), "carom-package-"));
const installed = join(root, "node_modules/carom");
let browser;

before(async () => {
  const source = new URL("..", import.meta.url).pathname;
  const options = { cwd: source, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", root], options));
  writeFileSync(join(root, "package.json"), '{"name": "user", "type": "module"}');
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(root, filename)], {
    ...options,
    cwd: root,
  });
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  assert.ok(existsSync(executablePath), `${executablePath} is missing: install the package chromium, or set CHROMIUM`);
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
  browser = await chromium.launch({ executablePath, args });
});

after(async () => {
  await browser?.close();
  rmSync(root, { recursive: true });
});

/** Opens a page, waits for the text of its body, and fails on errors and failed requests. */
async function resultOf(folder, engine = "") {
  const server = await serve(folder);
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(request.url()));
  const requests = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  if (engine) await page.addInitScript(engine);
  await page.goto(server.address);
  await page.waitForFunction(() => document.body.dataset.done !== undefined, null, { timeout: 60_000 }).catch(() => {});
  const text = await page.evaluate(() => document.body.dataset.done);
  await page.close();
  server.end();
  assert.deepEqual(problems, []);
  return { text, requests };
}

const PROGRAM = `
  const world = new World();
  const a = world.add({ circle: { radius: 1 } });
  const b = world.add({ circle: { radius: 1 } }, { x: 1.5 });
  world.update();
  const [{ depth }] = world.contacts;
`;

test("it contains what it needs and nothing else", () => {
  const files = readdirSync(installed, { recursive: true }).map(String);
  for (const needed of [
    "README.md",
    "package.json",
    "dist/index.js",
    "dist/carom.wasm",
    "dist/carom-baseline.wasm",
    "types/index.d.ts",
  ]) {
    assert.ok(files.includes(needed), needed);
  }
  assert.ok(!files.some((file) => /test|node_modules|\.npmrc|^src/.test(file)), `${files}`);
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
});

test("every entry works in Node", () => {
  const program = `
    import { readFileSync } from "node:fs";
    import { fileURLToPath } from "node:url";
    import { World } from "carom";
    import { intersects } from "carom/narrow";
    import { init, read } from "carom/files";
    import * as slim from "carom/slim";
    ${PROGRAM}
    await init();
    const { scene } = read('{"carom": 1, "colliders": [{"shape": {"circle": {"radius": 2}}}]}');
    world.addScene(scene);
    const narrow = intersects({ circle: { radius: 1 } }, { shape: { circle: { radius: 1 } }, x: 2 });
    console.log(JSON.stringify([depth, world.size, narrow, typeof slim.World]));
  `;
  writeFileSync(join(root, "program.mjs"), program);
  assert.equal(execFileSync("node", ["program.mjs"], { cwd: root, encoding: "utf8" }), '[0.5,3,true,"function"]\n');
  const slim = `
    import { readFileSync } from "node:fs";
    import { fileURLToPath } from "node:url";
    import { init, simdSupported, World } from "carom/slim";
    let early = "";
    try { new World(); } catch (error) { early = error.message; }
    const file = simdSupported() ? "carom/carom.wasm" : "carom/carom-baseline.wasm";
    await init(readFileSync(fileURLToPath(import.meta.resolve(file))));
    ${PROGRAM}
    console.log(JSON.stringify([early, depth]));
  `;
  writeFileSync(join(root, "slim.mjs"), slim);
  const [early, depth] = JSON.parse(execFileSync("node", ["slim.mjs"], { cwd: root, encoding: "utf8" }));
  assert.match(early, /await init\(source\) first/);
  assert.equal(depth, 0.5);
});

/** Builds a page with Vite. Returns its folder and all scripts as one text. */
async function bundle(name, program) {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(
    join(folder, "index.html"),
    '<link rel="icon" href="data:,"><body><script type="module" src="./main.js"></script>',
  );
  writeFileSync(join(folder, "main.js"), program);
  await build({ root: folder, logLevel: "warn", base: "./", build: { outDir: "out", chunkSizeWarningLimit: 1e6 } });
  const out = join(folder, "out");
  const scripts = readdirSync(join(out, "assets")).filter((file) => file.endsWith(".js"));
  return { out, code: scripts.map((file) => readFileSync(join(out, "assets", file), "utf8")).join("\n") };
}

test("a Vite build of a world works and leaves out what is not used", async () => {
  const { out, code } = await bundle(
    "world",
    `import { World } from "carom"; ${PROGRAM} document.body.dataset.done = depth;`,
  );
  assert.equal((await resultOf(out)).text, "0.5");
  assert.ok(code.includes("world_add"));
  for (const unused of ["mover_new", "particles_new", "broad_phase_new", "pair_explain_gjk"]) {
    assert.ok(!code.includes(unused), unused);
  }
});

test("a Vite build of the entry slim loads the wasm from a file", async () => {
  const { out, code } = await bundle(
    "slim",
    `import { init, World } from "carom/slim"; import wasm from "carom/carom.wasm?url"; await init(wasm);
    ${PROGRAM} document.body.dataset.done = depth;`,
  );
  const { text, requests } = await resultOf(out);
  assert.equal(text, "0.5");
  assert.ok(requests.some((path) => path.endsWith(".wasm")) && code.length < 100_000, `${code.length} bytes`);
});

test("a Vite build of two shapes is small", async () => {
  const program = `
    import { intersects } from "carom/narrow";
    document.body.dataset.done = intersects({ circle: { radius: 1 } }, { shape: { circle: { radius: 1 } }, x: 2 });
  `;
  const { out, code } = await bundle("narrow", program);
  assert.equal((await resultOf(out)).text, "true");
  assert.ok(!code.includes("world_add") && code.length < 400_000, `${code.length} bytes`);
});

test("a page without a bundler works", async () => {
  const folder = join(root, "plain");
  mkdirSync(folder);
  cpSync(join(installed, "dist"), join(folder, "carom"), { recursive: true });
  const program = `import { ready, simd, World } from "./carom/index.js"; await ready(); ${PROGRAM}
    document.body.dataset.done = JSON.stringify([depth, simd()]);`;
  writeFileSync(
    join(folder, "index.html"),
    `<link rel="icon" href="data:,"><body><script type="module">${program}</script>`,
  );
  const { text, requests } = await resultOf(folder);
  assert.equal(text, "[0.5,true]");
  assert.ok(!requests.some((path) => path.endsWith(".wasm")), "the module is part of the script");
  // An engine without SIMD loads the other module.
  const without =
    "const validate = WebAssembly.validate; WebAssembly.validate = (bytes) => bytes.length > 100 && validate(bytes);";
  const old = await resultOf(folder, without);
  assert.equal(old.text, "[0.5,false]");
  assert.ok(old.requests.includes("/carom/carom-baseline.wasm"));
});
