// Keeps the state of a room in the address: JSON, deflated, base64url.

import type { Json } from "../rooms/room";

/** The longest address that all browsers and chat programs keep, in bytes. */
export const ADDRESS_LIMIT = 8192;

export interface Address {
  room: string;
  packed: string | null;
}

/** Splits `#/ROOM?s=STATE`. */
export function readAddress(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { room: path, packed: new URLSearchParams(query).get("s") };
}

/** Returns `#/ROOM?s=STATE`. */
export function writeAddress(room: string, packed: string | null): string {
  return packed ? `#/${room}?s=${packed}` : `#/${room}`;
}

async function through(bytes: Uint8Array<ArrayBuffer>, transform: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(transform as ReadableWritablePair<Uint8Array, BufferSource>);
  return new Uint8Array(await new Response(stream as unknown as BodyInit).arrayBuffer());
}

/** Packs the JSON of a state for the address. */
export async function pack(state: string): Promise<string> {
  const bytes = new TextEncoder().encode(state);
  const small = await through(bytes, new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of small) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Unpacks a state. Throws if the text is damaged, or longer than the page writes. */
export async function unpack(packed: string): Promise<Json> {
  if (packed.length > ADDRESS_LIMIT) throw new RangeError("the state of the link is too long");
  const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const small = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const bytes = await through(small, new DecompressionStream("deflate-raw"));
  return JSON.parse(new TextDecoder().decode(bytes)) as Json;
}
