// Opens files in a worker: Tiled, SVG, GeoJSON, CSV, PNG, scene files.

import type { ReadOptions } from "carom/files";
import type { FromReader, NamedFile, SceneOfFiles, ToReader } from "./read_worker";
import { say } from "./shell/language";
import { beginsAsRoom, parseRoom, type SavedRoom } from "./shell/saved_state";
import { words } from "./shell/words";

export type { NamedFile } from "./read_worker";

/** Bytes of files after which a worker waits for the next ones. It would keep the memory that larger ones took. */
const LARGEST_KEPT = 1e6;

/** Bytes of the largest saved state that the page itself parses. A worker parses larger ones. */
const LARGEST_PARSED = 1e6;

/** The most names of files in a message. */
const MOST_NAMES = 3;

/** A worker that has read a file and waits for the next one. */
let idle: Worker | null = null;

function makeWorker(): Worker {
  return new Worker(new URL("./read_worker.ts", import.meta.url), { type: "module", name: "reader" });
}

/** Reads files that belong together as one scene. If `signal` aborts, the worker ends and the promise rejects. */
export async function readScene(files: NamedFile[], options: ReadOptions, signal: AbortSignal): Promise<SceneOfFiles> {
  const found = (await request({ kind: "scene", files, options }, sizeOf(files), signal)) as SceneOfFiles;
  const { name, unrelated } = found;
  if (unrelated.length) {
    const others = unrelated.slice(0, MOST_NAMES).join(say(words.comma)) + (unrelated.length > MOST_NAMES ? " …" : "");
    found.warnings.push(say(words.unrelated, { name, others }));
  }
  return found;
}

/** Returns the saved state of a room, if the only file is one. */
export async function savedRoom(files: File[], signal: AbortSignal): Promise<SavedRoom | null> {
  const [file] = files;
  if (files.length !== 1 || !file || !file.name.endsWith(".json")) return null;
  if (file.size > LARGEST_PARSED) {
    return beginsAsRoom(await file.slice(0, 100).text()) ? readRoom(file, signal) : null;
  }
  const text = await file.text();
  try {
    return parseRoom(text);
  } catch (error) {
    // Then it is a damaged scene, and the reader says where.
    if (!beginsAsRoom(text)) return null;
    throw new Error(say(words.damagedRoom, { name: file.name, reason: (error as Error).message }));
  }
}

/** Reads the saved state of a room. Returns null if the file is none, and throws if it is damaged. */
async function readRoom(file: File, signal: AbortSignal): Promise<SavedRoom | null> {
  const answer = await request({ kind: "room", file }, file.size, signal);
  if (answer.kind === "damaged") throw new Error(say(words.damagedRoom, { name: file.name, reason: answer.reason }));
  // The worker answers in the kind of the request, or the request throws.
  return (answer as { room: SavedRoom | null }).room;
}

/** Sends files to a worker and returns its answer. */
function request(message: ToReader, size: number, signal: AbortSignal): Promise<FromReader> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const worker = idle ?? makeWorker();
    idle = null;
    const end = (keep: boolean): void => {
      worker.onmessage = worker.onerror = null;
      signal.removeEventListener("abort", abort);
      if (keep && !idle) idle = worker;
      else worker.terminate();
    };
    const fail = (error: unknown): void => {
      end(false);
      reject(error);
    };
    const abort = (): void => fail(signal.reason);
    signal.addEventListener("abort", abort);
    worker.onerror = (event) => fail(new Error(event.message || say(words.noReader)));
    worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
      if (data.kind === "failed") return fail(new Error(data.message));
      end(size <= LARGEST_KEPT);
      resolve(data);
    };
    worker.postMessage(message);
  });
}

function sizeOf(files: NamedFile[]): number {
  return files.reduce((sum, { data }) => sum + (data instanceof Blob ? data.size : data.byteLength), 0);
}

/** Returns dropped files with their names. The worker reads them. */
export function named(files: File[]): NamedFile[] {
  return files.map((file) => ({ name: file.name, data: file }));
}
