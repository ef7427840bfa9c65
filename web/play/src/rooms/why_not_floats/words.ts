// The words of the room Why not floats.

import type { Text } from "../../shell/language";

export const words = {
  title: ["Yes or no? Floating point gets it wrong.", "相交与否？浮点数会答错。"],
  pair: ["Pair", "例子"],
  intro: [
    "A computer rounds most decimal numbers when it stores them. Zoom in, until you see the grid of all numbers that " +
      "it can store.",
    "计算机存储小数时大多要舍入。不断放大，直到看见它能存储的所有数构成的网格。",
  ],
  zoom: ["Zoom", "放大"],
  zoomIn: ["Zoom in", "放大"],
  zoomOut: ["Zoom out", "缩小"],
  toGap: ["Go to the gap", "直达间隙"],
  toAll: ["See all", "看全貌"],
  times: ["× 10{power}", "× 10{power}"],
  gapSize: ["gap {size}", "间隙 {size}"],
  depthSize: ["overlap {size}", "重叠 {size}"],
  answers: ["Do A and B intersect?", "A 与 B 相交吗？"],
  loop: ["textbook loop, 64-bit floats", "教科书循环，64 位浮点"],
  exact: ["exact arithmetic (integers)", "精确运算（整数）"],
  carom: ["carom", "carom"],
  apart: ["no", "否"],
  touch: ["yes, they touch", "是，接触"],
  overlap: ["yes", "是"],
  intersects: ["yes", "是"],
  wrong: ["wrong", "错误"],
  ask: ["Ask other libraries", "询问其他库"],
  askFailed: [
    "The other libraries could not be loaded: {reason}. Reload the page to try again.",
    "无法加载其他库：{reason}。请重新加载页面再试。",
  ],
  asking: ["Asking…", "询问中…"],
  notes: [
    "matter-js makes circles of 10 to 25 corners. planck grows polygons by 0.01. rapier stores 32-bit " +
      "numbers. Each of these is a choice that suits its games; it is not a proof.",
    "matter-js 的圆由 10 到 25 个角组成；planck 把多边形扩大 0.01；rapier 存储 32 位数。这些选择适合游戏，但不是证明。",
  ],
  grid: [
    "After enough zoom, dotted lines show all numbers of {bits} bits. Neighbours are {step} apart here.",
    "放大到一定程度后，点线显示所有 {bits} 位数。此处相邻两数相差 {step}。",
  ],
  stored: ["The stored numbers", "存储的数"],
  figure: ["A and B, magnified {times}. Exact: {answer}.", "A 与 B，放大 {times}。精确结果：{answer}。"],
} as const satisfies Record<string, Text>;
