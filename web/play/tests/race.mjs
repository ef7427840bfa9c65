// Prints the table of the race, measured in Node with the modules of the page: npm run race

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const COUNTS = [2000, 10_000];
const ROUNDS = 100;

/** Processor time of this process in milliseconds: other programs do not change it. */
function clock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** In Node the module of carom is inlined instead of fetched. It is the same module. */
const inlined = {
  name: "inlined",
  load: (id) =>
    id.endsWith("/src/carom.ts") ? "import * as carom from 'carom'; export const loadCarom = async () => carom;" : null,
};

/** Builds the modules of the race for Node, all libraries included. */
async function load() {
  const folder = await mkdtemp(join(root, "node_modules", ".race-"));
  await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [inlined],
    ssr: { noExternal: true },
    build: { ssr: "src/rooms/race/measure.ts", outDir: folder, emptyOutDir: true, target: "node20" },
  });
  const module = await import(pathToFileURL(join(folder, "measure.js")).href);
  return { module, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function version(name) {
  const file = join(root, "node_modules", name, "package.json");
  return JSON.parse(await readFile(file, "utf8")).version;
}

const PACKAGES = {
  carom: "carom",
  rapier: "@dimforge/rapier2d-simd-compat",
  check2d: "check2d",
  matter: "matter-js",
  planck: "planck",
};

const { module, remove } = await load();
try {
  const results = new Map();
  for (const count of COUNTS) results.set(count, await module.measure(count, ROUNDS, clock));
  console.log(
    `Node ${process.version}, ${cpus()[0].model}. Processor time, medians of ${ROUNDS} frames each, in turns.\n`,
  );
  const head = COUNTS.flatMap((count) => [`${count} balls: ms per frame`, "× carom", "energy"]);
  console.log(`| | ${head.join(" | ")} |`);
  console.log(`|---|${head.map(() => "--:|").join("")}`);
  for (const { id, name } of module.ENTRANTS) {
    const label = PACKAGES[id] ? `${name} ${await version(PACKAGES[id])}` : name;
    const cells = COUNTS.flatMap((count) => {
      const reports = results.get(count);
      const own = reports.find((report) => report.id === id);
      if (!own) return ["–", "–", "–"];
      const carom = reports.find((report) => report.id === "carom").milliseconds;
      return [own.milliseconds.toFixed(3), (own.milliseconds / carom).toFixed(1), `×${own.energy.toFixed(4)}`];
    });
    console.log(`| ${label} | ${cells.join(" | ")} |`);
  }
} finally {
  await remove();
}
