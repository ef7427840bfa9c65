// Loads sprites: the bundled ones, and the reader's own.

import bee from "../../../../../scenes/sprites/bee.png?url";
import key from "../../../../../scenes/sprites/keyYellow.png?url";
import laser from "../../../../../scenes/sprites/laserBlue01.png?url";
import meteor from "../../../../../scenes/sprites/meteorGrey_med1.png?url";
import ship from "../../../../../scenes/sprites/playerShip1_orange.png?url";
import adventurer from "../../../../../scenes/tiles/adventurer.png?url";
import saw from "../../../../../scenes/tiles/saw.png?url";
import slime from "../../../../../scenes/tiles/slimeGreen.png?url";
import { say } from "../../shell/language";
import { words } from "./words";

export const BUNDLED: Record<string, string> = { ship, bee, meteor, key, laser, adventurer, saw, slime };

/** The largest side of an image, in pixels. */
const MOST_PIXELS = 256;

export interface LoadedImage {
  url: string;
  data: ImageData;
}

const known = new Map<string, Promise<LoadedImage>>();

/** Loads an image by its bundled name or data address. */
export function loadImage(image: string): Promise<LoadedImage> {
  let found = known.get(image);
  if (!found) {
    const url = Object.hasOwn(BUNDLED, image) ? BUNDLED[image]! : image;
    found = fetch(url).then(async (response) => ({ url, data: await decode(await response.blob(), image) }));
    known.set(image, found);
    found.catch(() => known.delete(image));
  }
  return found;
}

async function decode(blob: Blob, name: string): Promise<ImageData> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(blob);
  } catch {
    throw new Error(say(words.notImage, { name: name.slice(0, 60) }));
  }
  const { width, height } = bitmap;
  if (Math.max(width, height) > MOST_PIXELS)
    throw new Error(say(words.tooLarge, { name: name.slice(0, 60), w: width, h: height }));
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, width, height);
}

/** Reads a file of the reader. Returns its data address. */
export async function readImage(file: File): Promise<string> {
  await decode(file, file.name);
  const type = file.type.startsWith("image/") ? file.type : "image/png";
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(new Blob([file], { type }));
  });
}
