// Opens files in a worker: Tiled, SVG, GeoJSON, CSV, PNG, scene files.

import type { ReadOptions, Scene, SceneCollider } from 'carom/files';
import type { FromReader, NamedFile, ToReader } from './read_worker';

export type { NamedFile } from './read_worker';

/** A level that was read. */
export interface OpenedScene {
  name: string;
  scene: Scene;
  /** The scene as JSON. To write it again would take long. */
  text: string;
  warnings: string[];
  /** True if tiles without collision shapes were not read. With the option `solid` they are. */
  hasUnreadTiles: boolean;
}

/** Bytes of files after which a worker waits for the next ones. It would keep the memory that larger ones took. */
const LARGEST_KEPT = 1e6;

/** A worker that has read a file and waits for the next one. */
let idle: Worker | null = null;

function makeWorker(): Worker {
  return new Worker(new URL('./read_worker.ts', import.meta.url), { type: 'module', name: 'reader' });
}

/** Reads files that belong together as one scene. If `signal` aborts, the worker ends and the promise rejects. */
export function readScene(files: NamedFile[], options: ReadOptions, signal: AbortSignal): Promise<OpenedScene> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const worker = idle ?? makeWorker();
    idle = null;
    const colliders: SceneCollider[] = [];
    const texts: string[] = [];
    const end = (keep: boolean): void => {
      worker.onmessage = worker.onerror = null;
      signal.removeEventListener('abort', abort);
      if (keep && !idle) idle = worker;
      else worker.terminate();
    };
    const fail = (error: unknown): void => {
      end(false);
      reject(error);
    };
    const abort = (): void => fail(signal.reason);
    signal.addEventListener('abort', abort);
    worker.onerror = (event) => fail(new Error(event.message || 'the reader could not be loaded'));
    worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
      if (data.kind === 'colliders') {
        for (const one of JSON.parse(`[${data.text}]`) as SceneCollider[]) colliders.push(one);
        texts.push(data.text);
      } else if (data.kind === 'read') {
        end(sizeOf(files) <= LARGEST_KEPT);
        const { name, head, warnings, hasUnreadTiles } = data;
        const text = `${JSON.stringify(head).slice(0, -1)},"colliders":[${texts.join()}]}`;
        resolve({ name, scene: { ...head, colliders }, text, warnings, hasUnreadTiles });
      } else fail(new Error(data.message));
    };
    worker.postMessage({ files, options } satisfies ToReader);
  });
}

function sizeOf(files: NamedFile[]): number {
  return files.reduce((sum, { data }) => sum + (data instanceof Blob ? data.size : data.byteLength), 0);
}

/** Returns dropped files with their names. The worker reads them. */
export function named(files: File[]): NamedFile[] {
  return files.map((file) => ({ name: file.name, data: file }));
}
