// The words of the room Race.

import type { Text } from "../../shell/language";

/** Names of the entrants that are no packages. */
export const entrantNames: Record<string, Text> = {
  sorted: ["sort + break", "排序加提前退出"],
  nested: ["two loops", "双重循环"],
};

export const words = {
  title: ["The same balls, side by side", "同样的小球，并排竞速"],
  intro: [
    "Elastic balls in a box, without gravity and friction. Each library gets the same balls, and they take turns, " +
      "a frame each, in one worker. A shorter bar is better.",
    "盒子里的弹性小球，无重力无摩擦。每个库得到同样的小球，在同一个 worker 里轮流各算一帧。条越短越好。",
  ],
  balls: ["Balls", "小球"],
  start: ["Start", "开始"],
  stop: ["Stop", "停止"],
  loading: ["Loading…", "加载中…"],
  most: ["at most {most} balls", "最多 {most} 个小球"],
  milliseconds: ["ms per frame", "每帧毫秒"],
  energy: ["energy kept", "能量保持"],
  slower: ["{times} × carom", "carom 的 {times} 倍"],
  drawn: ["Drawn: {name}", "绘制：{name}"],
  atStart: ["{count} balls at the start", "{count} 个小球，尚未开始"],
  draw: ["Draw {name}", "绘制 {name}"],
  included: ["What a frame includes", "一帧包含什么"],
  all: [
    "All: balls move by 1/60 s, bounce off the walls and off each other, and their positions are read into one array.",
    "全部：小球移动 1/60 秒，与墙及彼此碰撞，并把位置读入一个数组。",
  ],
  carom: [
    "carom: exact contacts with normals and depths, begin and end events, bounces, overlaps pushed apart. 64-bit, " +
      "wasm.",
    "carom：精确的接触（法线与深度）、开始与结束事件、反弹、推开重叠。64 位，wasm。",
  ],
  rapier: [
    "rapier: a step of its world with its default solver. 32-bit, wasm with SIMD.",
    "rapier：默认求解器的一步。32 位，带 SIMD 的 wasm。",
  ],
  check2d: [
    "check2d: moves the boxes in its tree, finds pairs. Motion, walls and bounce are a dozen lines around it. " +
      "Overlaps are not pushed apart.",
    "check2d：移动树中的盒子并查找配对。运动、墙和反弹由外面的十几行代码完成，不推开重叠。",
  ],
  matter: [
    "matter-js: a step of its engine. Its circles are polygons of 10 corners. Its resting threshold is lowered, " +
      "so that slow balls bounce too.",
    "matter-js：引擎的一步。它的圆是十边形。降低了静止阈值，使慢球也反弹。",
  ],
  planck: [
    "planck: a step with 8 velocity and 3 position iterations, as its manual says. Its velocity threshold is 0.",
    "planck：一步，8 次速度迭代与 3 次位置迭代（按其手册），速度阈值为 0。",
  ],
  loops: [
    "sort + break, two loops: the loops of the articles. No contacts, no events; balls may overlap.",
    "排序加提前退出、双重循环：文章中的循环。没有接触和事件，小球可重叠。",
  ],
  unfair: [
    "A physics engine does more than bounce balls. It is here because people use one for this.",
    "物理引擎的功能不止弹球；把它放在这里，是因为人们常用它做这件事。",
  ],
  figure: ["{count} balls of {name}", "{name} 的 {count} 个小球"],
  failed: ["{name} could not be loaded: {message}", "无法加载 {name}：{message}"],
} as const satisfies Record<string, Text>;
