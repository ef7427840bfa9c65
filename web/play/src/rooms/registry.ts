// Lists the rooms: link, name, module. A module loads when its room is entered.

import type { Text } from "../shell/language";
import type { RoomModule } from "./room";

export interface RoomEntry {
  /** The name in the address: `#/two-shapes`. */
  id: string;
  name: Text;
  load(): Promise<{ default: RoomModule }>;
}

export const rooms: RoomEntry[] = [
  { id: "two-shapes", name: ["Two shapes", "两个形状"], load: () => import("./two_shapes/index") },
  { id: "drag", name: ["Drag", "拖动"], load: () => import("./drag/index") },
  { id: "balls", name: ["Balls", "小球"], load: () => import("./balls/index") },
  { id: "level", name: ["Level", "关卡"], load: () => import("./level/index") },
  { id: "pixels", name: ["Pixels", "像素"], load: () => import("./pixels/index") },
  { id: "race", name: ["Race", "竞速"], load: () => import("./race/index") },
  { id: "why-not-floats", name: ["Why not floats", "为何不用浮点"], load: () => import("./why_not_floats/index") },
];
