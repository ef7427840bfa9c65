// The levels that the page brings along.

import dungeon from "../../../../../scenes/dungeon.tmj?url";
import countries from "../../../../../scenes/countries.geojson?url";
import drawing from "../../../../../scenes/drawing.svg?url";
import platformer from "../../../../../scenes/platformer.tmx?url";
import walk from "../../../../../scenes/walk.tmx?url";
import chest from "../../../../../scenes/templates/chest.tj?url";
import crate from "../../../../../scenes/templates/crate.tx?url";
import zone from "../../../../../scenes/templates/zone.tx?url";
import dungeonTiles from "../../../../../scenes/tiles/dungeon.tsj?url";
import platformerTiles from "../../../../../scenes/tiles/platformer.tsx?url";
import type { ReadOptions } from "carom/files";
import { readScene, type NamedFile } from "../../open_files";
import { parseScene, sceneText, type SceneText } from "../../scene_text";
import type { Text } from "../../shell/language";
import { ownLevel } from "./own_level";

export type Example = "own" | "walk" | "platformer" | "dungeon" | "drawing" | "countries";

interface Source {
  name: Text;
  /** The height of the mover in units of the file, or 0: from the size of the level. */
  size: number;
  gravity: boolean;
  /** Where the mover starts, if the search for a place would not find a good one. */
  start?: [number, number];
  files: [name: string, url: string][];
  options?: ReadOptions;
  /** Layers whose colliders are one-way, if the file does not say it. */
  oneWay?: string[];
}

export const EXAMPLES: Record<Example, Source> = {
  own: { name: ["Cave", "洞穴"], size: 1, gravity: true, start: [2.2, 0.6], files: [] },
  walk: {
    name: ["Slopes and lifts (Tiled)", "斜坡与升降台（Tiled）"],
    size: 100,
    gravity: true,
    files: [
      ["walk.tmx", walk],
      ["platformer.tsx", platformerTiles],
    ],
  },
  platformer: {
    name: ["Platformer (Tiled)", "平台关卡（Tiled）"],
    size: 100,
    gravity: true,
    files: [
      ["platformer.tmx", platformer],
      ["platformer.tsx", platformerTiles],
      ["crate.tx", crate],
      ["zone.tx", zone],
    ],
    oneWay: ["Platforms"],
  },
  dungeon: {
    name: ["Dungeon (Tiled)", "地下城（Tiled）"],
    size: 24,
    gravity: false,
    files: [
      ["dungeon.tmj", dungeon],
      ["dungeon.tsj", dungeonTiles],
      ["chest.tj", chest],
    ],
    options: { solid: ["Walls"] },
  },
  drawing: { name: ["Drawing (SVG)", "绘图（SVG）"], size: 10, gravity: false, files: [["drawing.svg", drawing]] },
  countries: {
    name: ["Countries (GeoJSON)", "国家（GeoJSON）"],
    size: 0.4,
    gravity: true,
    files: [["countries.geojson", countries]],
  },
};

/** The error of a file that did not arrive. */
export class NotFetched extends Error {
  constructor(
    readonly file: string,
    readonly reason: string,
  ) {
    super(`${file}: ${reason}`);
  }
}

/** Loads one of the levels. Throws `NotFetched` if a file does not arrive. */
export async function loadExample(example: Example, signal: AbortSignal): Promise<SceneText> {
  const source = EXAMPLES[example];
  if (example === "own") return sceneText(JSON.stringify(ownLevel()));
  const files = await Promise.all(
    source.files.map(async ([name, url]): Promise<NamedFile> => {
      try {
        const response = await fetch(url, { signal });
        if (!response.ok) throw new Error(`HTTP ${response.status}`);
        return { name, data: new Uint8Array(await response.arrayBuffer()) };
      } catch (error) {
        signal.throwIfAborted();
        throw new NotFetched(name, (error as Error).message);
      }
    }),
  );
  const { scene: text } = await readScene(files, source.options ?? {}, signal);
  if (!source.oneWay) return text;
  const scene = await parseScene(text);
  const front: [number, number] = [0, scene.y === "down" ? -1 : 1];
  const isOneWay = (layer: number | string) => source.oneWay?.includes(String(layer));
  const colliders = scene.colliders.map((one) => (one.layers?.some(isOneWay) ? { ...one, one_way: front } : one));
  return sceneText(JSON.stringify({ ...scene, colliders }));
}
