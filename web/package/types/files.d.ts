import type { Scene } from "./scene.js";
export type { Scene, SceneCollider } from "./scene.js";

/** Content of a file: bytes (`Uint8Array`, `ArrayBuffer`), or a text. */
export type FileContent = ArrayBufferView | ArrayBuffer | string;

/** Options of `read`. */
export interface ReadOptions {
  /** Name of the file, for messages. Default: "file". */
  name?: string;
  /** Default: detected from the content. */
  format?: "scene" | "tmx" | "tmj" | "svg" | "geojson" | "csv" | "png";
  /** Lists refused objects in `skipped` and goes on. */
  skipInvalid?: boolean;
  /**
   * Repairs outlines that cross or overlap themselves, by this rule. Without it they are refused. SVG has its own rule.
   */
  repair?: "nonzero" | "evenodd";
  /** Tile layers of which every non-empty tile is solid: their names, or true for all. */
  solid?: readonly string[] | true;
  /** GeoJSON property, or column of a CSV file, that is the id. */
  idProperty?: string;
  /** Other files that the file refers to (tilesets, images), by their relative path. */
  files?: Record<string, FileContent>;
}

/** A scene that was read from a file. */
export interface ReadResult {
  /** The scene, for `world.addScene`. Images of masks became rows. */
  scene: Scene;
  /** Kinds of content that were not read completely. */
  warnings: string[];
  /** Objects that were refused: with `skipInvalid` only. */
  skipped: string[];
  /** Objects that were repaired, and what changed: with `repair` only. */
  repaired: string[];
}

/**
 * Loads the reader. Call it once, first. Without a source it loads `carom-files.wasm` beside this module. It throws
 * if the module is another one, such as `carom.wasm`. While the reader runs, a later call does nothing and does not
 * read its source.
 */
export function init(source?: BufferSource | WebAssembly.Module | URL | string | Response): Promise<void>;

/**
 * Reads a Tiled map (.tmx, .tmj), SVG, GeoJSON, CSV with WKT, PNG or scene file. The message of an error names the
 * place.
 */
export function read(bytes: FileContent, options?: ReadOptions): ReadResult;
