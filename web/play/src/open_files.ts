// Reads dropped files with the package: Tiled, SVG, GeoJSON, PNG, scene files.

import filesModule from 'carom/carom-files.wasm?url';
import type { ReadOptions, ReadResult, Scene } from 'carom/files';

type FilesModule = typeof import('carom/files');

let loading: Promise<FilesModule> | undefined;

/** Returns the reader, loading it on the first call. */
function loadReader(): Promise<FilesModule> {
  loading ??= import('carom/files').then(async (module) => {
    await module.init(new URL(filesModule, import.meta.url));
    return module;
  });
  return loading;
}

/** A file with its name and content. */
export interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}

/** A level that was read. */
export interface OpenedScene {
  name: string;
  scene: Scene;
  warnings: string[];
  /** True if tiles without collision shapes were not read. With the option `solid` they are. */
  hasUnreadTiles: boolean;
}

const SECONDARY = /\.(tsx|tsj|tx|tj)$/i;

/** Returns the file that refers to the others: a map before an image, never a tileset. */
function mainFile(files: NamedBytes[]): NamedBytes {
  const rank = ({ name }: NamedBytes) => (SECONDARY.test(name) ? 2 : /\.(png|jpe?g|webp)$/i.test(name) ? 1 : 0);
  return [...files].sort((a, b) => rank(a) - rank(b))[0]!;
}

/** Maps the paths that the texts mention to the files of the same name. A drop has no folders. */
function pathsOf(files: NamedBytes[]): Record<string, Uint8Array> {
  const found: Record<string, Uint8Array> = {};
  const texts = files.filter(({ name }) => !/\.png$/i.test(name)).map(({ bytes }) => new TextDecoder().decode(bytes));
  for (const { name, bytes } of files) {
    found[name] = bytes;
    const pattern = new RegExp(`"((?:[^"]*[/\\\\])?${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})"`, 'g');
    for (const text of texts)
      for (const [, path] of text.matchAll(pattern)) found[path!.replaceAll('\\/', '/')] = bytes;
  }
  return found;
}

/** Reads files that belong together as one scene. A map without shapes is read again with all tiles solid. */
export async function readScene(files: NamedBytes[], options: ReadOptions = {}): Promise<OpenedScene> {
  const reader = await loadReader();
  const main = mainFile(files);
  const all: ReadOptions = { name: main.name, files: pathsOf(files), ...options };
  let result: ReadResult = reader.read(main.bytes, all);
  const tiled = /\.(tmx|tmj|json)$/i.test(main.name);
  if (tiled && result.scene.colliders.length === 0 && !options.solid)
    result = reader.read(main.bytes, { ...all, solid: true });
  // The page has a button for the option.
  const warnings = result.warnings.map((text) => text.replace(/; solid: .*$/s, ''));
  const hasUnreadTiles = warnings.some((text) => text.startsWith('tiles without collision shapes'));
  return { name: main.name, scene: result.scene, warnings, hasUnreadTiles };
}

/** Takes the content of dropped files. */
export function bytesOf(files: File[]): Promise<NamedBytes[]> {
  return Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}
