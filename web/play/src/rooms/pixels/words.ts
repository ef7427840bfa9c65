// The words of the room.

import type { Text } from "../../shell/language";
import type { Look } from "./state";

export const lookNames: Record<Look, Text> = {
  pixels: ["Pixels", "像素"],
  outline: ["Outlines", "轮廓"],
  parts: ["Convex parts", "凸部分"],
};

/** Explains each view. */
export const intros: Record<Look, Text> = {
  pixels: [
    "A pixel is solid if its alpha (opacity) reaches the threshold. The test uses these squares, turned and scaled as the " +
      "sprites are, and is exact.",
    "不透明度（alpha）达到阈值的像素为实心。测试使用这些方块（随精灵旋转和缩放），结果是精确的。",
  ],
  outline: [
    "An outline follows the edges of the solid pixels. Simplified, it has fewer vertices, and no point of it is farther from the " +
      "edges than the value of “Simplify by”. So outlines can intersect although the pixels do not, and the reverse.",
    "轮廓沿实心像素的边缘描出。简化后顶点更少，轮廓上的点到像素边缘的距离不超过“简化”的数值。因此轮廓相交时像素可能不相交，反之亦然。",
  ],
  parts: [
    "The simplified outlines are split into convex parts. A convex part has no dents and no holes, so pairs of parts are fast to test.",
    "简化后的轮廓被分解为凸部分。凸部分没有凹陷和孔洞，因此两个部分之间的测试很快。",
  ],
};

/** Names of the bundled sprites. */
export const spriteNames: Record<string, Text> = {
  ship: ["ship", "飞船"],
  bee: ["bee", "蜜蜂"],
  meteor: ["meteor", "陨石"],
  key: ["key", "钥匙"],
  laser: ["laser", "激光"],
  adventurer: ["adventurer", "冒险者"],
  saw: ["saw", "锯片"],
  slime: ["slime", "史莱姆"],
};

export const words = {
  loading: ["Two sprites", "两个精灵"],
  overlap: ["The sprites <overlap>overlap</overlap>: {n} pixels", "两个精灵<overlap>重叠</overlap>：{n} 像素"],
  touch: ["The sprites touch", "两个精灵恰好接触"],
  apart: ["The sprites are apart: the <gap>gap</gap> is {d} pixels", "两个精灵分离：<gap>间隙</gap> {d} 像素"],
  look: ["Show", "显示"],
  boxes: ["Boxes overlap", "包围盒重叠"],
  masks: ["Pixels intersect", "像素相交"],
  traced: ["Outlines intersect", "轮廓相交"],
  yes: ["yes", "是"],
  no: ["no", "否"],
  threshold: ["Alpha threshold", "不透明度阈值"],
  deviation: ["Simplify by", "简化"],
  pixels: ["{n} px", "{n} 像素"],
  spriteA: ["Sprite <a>A</a>", "精灵 <a>A</a>"],
  spriteB: ["Sprite <b>B</b>", "精灵 <b>B</b>"],
  rotation: ["rotation", "旋转角度"],
  spriteOf: ["Image of {name}", "{name} 的图像"],
  openFor: ["Open a PNG for {name}", "为 {name} 打开 PNG"],
  yours: ["your image", "你的图像"],
  facts: [
    "{solid} solid pixels, an exact outline of {exact} vertices. Simplified: {vertices} vertices, {convex} " +
      "convex parts.",
    "{solid} 个实心像素，精确轮廓 {exact} 个顶点。简化后：{vertices} 个顶点，{convex} 个凸部分。",
  ],
  figure: [
    "Two sprites. Drag them, or move the focused one with the arrow keys.",
    "两个精灵。拖动它们，或用方向键移动获得焦点的精灵。",
  ],
  move: ["Sprite {name}", "精灵 {name}"],
  keys: [
    "Keys: arrows move the focused sprite by one pixel, Q and E turn it. Drop a PNG on the figure to use it.",
    "按键：方向键把获得焦点的精灵移动一个像素，Q 和 E 旋转。可把 PNG 拖到图上。",
  ],
  notImage: [
    "{name} is no image that the browser can read. Use a PNG, up to 256 by 256 pixels.",
    "浏览器无法读取 {name}。请使用不超过 256×256 像素的 PNG。",
  ],
  tooLarge: [
    "{name} has {w} by {h} pixels. This room takes images up to 256 by 256 pixels.",
    "{name} 有 {w}×{h} 像素。此房间的图像上限为 256×256 像素。",
  ],
  noSolid: ["The image of {name} has no solid pixel at this threshold.", "在此阈值下 {name} 的图像没有实心像素。"],
} as const satisfies Record<string, Text>;
