// A worker that reads files with the package: Tiled, SVG, GeoJSON, CSV, PNG, scene files. The page stays free.

import filesModule from "carom/carom-files.wasm?url";
import type { ReadOptions, ReadResult } from "carom/files";
import { sceneText, type SceneText } from "./scene_text";
import { parseRoom, type SavedRoom } from "./shell/saved_state";

/** A file with its name, and its content or a handle of it. */
export interface NamedFile {
  name: string;
  data: Blob | Uint8Array;
}

export type ToReader = { kind: "scene"; files: NamedFile[]; options: ReadOptions } | { kind: "room"; file: File };

/** A scene that was read. */
export interface SceneOfFiles {
  name: string;
  scene: SceneText;
  /** Number of colliders. */
  count: number;
  warnings: string[];
  /** Names of the files that were not read, because no other file refers to them. */
  unrelated: string[];
  /** True if tiles without collision shapes were not read. With the option `solid` they are. */
  hasUnreadTiles: boolean;
}

export type FromReader =
  | ({ kind: "read" } & SceneOfFiles)
  | { kind: "room"; room: SavedRoom | null }
  | { kind: "damaged"; reason: string }
  | { kind: "failed"; message: string };

interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}

const SECONDARY = /\.(tsx|tsj|tx|tj)$/i;

const reader = import("carom/files").then(async (module) => {
  await module.init(new URL(filesModule, import.meta.url));
  return module;
});
reader.catch(() => {}); // The answer to the first file says why.

/** Returns the file that refers to the others: a map before an image, never a tileset. */
function mainFile(files: NamedBytes[]): NamedBytes {
  const rank = ({ name }: NamedBytes) => (SECONDARY.test(name) ? 2 : /\.(png|jpe?g|webp)$/i.test(name) ? 1 : 0);
  return [...files].sort((a, b) => rank(a) - rank(b))[0]!;
}

/** Files by the paths that other files mention, and the names of files that no other file mentions. */
interface Paths {
  files: Record<string, Uint8Array>;
  unrelated: string[];
}

/** Maps the paths that the texts mention to the files of the same name. A drop has no folders. */
function pathsOf(files: NamedBytes[]): Paths {
  const found: Record<string, Uint8Array> = {};
  const unrelated: string[] = [];
  const texts = files
    .filter(({ name }) => !/\.png$/i.test(name))
    .map(({ name, bytes }) => ({ of: name, text: new TextDecoder().decode(bytes) }));
  for (const { name, bytes } of files) {
    found[name] = bytes;
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const quoted = ['"', "'"].map((quote) => `${quote}((?:[^${quote}]*[/\\\\])?${escaped})${quote}`);
    const pattern = new RegExp(quoted.join("|"), "g");
    const others = texts.filter(({ of }) => of !== name);
    const mentions = others.flatMap(({ text }) => [...text.matchAll(pattern)]);
    const paths = mentions.map(([, double, single]) => (double ?? single)!.replaceAll("\\/", "/"));
    for (const path of paths) found[path] = bytes;
    if (!paths.length) unrelated.push(name);
  }
  return { files: found, unrelated };
}

const post = (message: FromReader): void => postMessage(message);

async function bytesOf({ name, data }: NamedFile): Promise<NamedBytes> {
  return { name, bytes: data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data };
}

/** Reads files that belong together as one scene. A map without shapes is read again with all tiles solid. */
async function read(files: NamedFile[], options: ReadOptions): Promise<SceneOfFiles> {
  const { read: readFile } = await reader;
  const named = await Promise.all(files.map(bytesOf));
  const main = mainFile(named);
  const others: Paths = named.length > 1 ? pathsOf(named) : { files: {}, unrelated: [] };
  const all: ReadOptions = { name: main.name, files: others.files, ...options };
  let result: ReadResult = readFile(main.bytes, all);
  const tiled = /\.(tmx|tmj|json)$/i.test(main.name);
  if (tiled && result.scene.colliders.length === 0 && !options.solid)
    result = readFile(main.bytes, { ...all, solid: true });
  // The page has a button for the option.
  const warnings = result.warnings.map((text) => text.replace(/; solid: .*$/s, ""));
  const hasUnreadTiles = warnings.some((text) => text.startsWith("tiles without collision shapes"));
  const { scene } = result;
  const count = scene.colliders.length;
  const unrelated = others.unrelated.filter((name) => name !== main.name);
  return { name: main.name, scene: sceneText(JSON.stringify(scene)), count, warnings, unrelated, hasUnreadTiles };
}

/** Reads the saved state of a room. */
async function readRoom(file: File): Promise<FromReader> {
  const text = await file.text();
  try {
    return { kind: "room", room: parseRoom(text) };
  } catch (error) {
    return { kind: "damaged", reason: (error as Error).message };
  }
}

async function answer(message: ToReader): Promise<FromReader> {
  if (message.kind === "room") return readRoom(message.file);
  return { kind: "read", ...(await read(message.files, message.options)) };
}

/** Replaces the options of `read` in a message: the page has other ways. */
function inPage(message: string): string {
  return message
    .replace("add it to `files`", "drop it together with the others")
    .replace(/(, or| or)? repair (it|them) \(repair: "nonzero"\)/, "");
}

addEventListener("message", ({ data }: MessageEvent<ToReader>) => {
  answer(data).then(post, (error: unknown) =>
    post({ kind: "failed", message: inPage(error instanceof Error ? error.message : String(error)) }),
  );
});
