// The words of the room.

import type { Text } from "../../shell/language";

/** Names of the shapes that can be added. */
export const kindNames: Record<string, Text> = {
  circle: ["circle", "圆"],
  capsule: ["capsule", "胶囊形"],
  rectangle: ["rectangle", "矩形"],
  pill: ["pill", "药丸"],
  triangle: ["triangle", "三角形"],
  hexagon: ["hexagon", "六边形"],
  star: ["star", "星形"],
  comb: ["comb", "梳子"],
  ring: ["ring", "圆环"],
  segment: ["segment", "线段"],
  spiral: ["spiral", "螺旋"],
  hammer: ["hammer", "锤子"],
  invader: ["invader", "入侵者"],
};

export const words = {
  title: ["{n} pairs <overlap>intersect</overlap>", "{n} 对形状<overlap>相交</overlap>"],
  one: ["1 pair <overlap>intersects</overlap>", "1 对形状<overlap>相交</overlap>"],
  none: ["No shapes intersect", "没有形状相交"],
  loading: ["Drag the shapes", "拖动形状"],
  intro: [
    "Drag the shapes. Those that <overlap>intersect</overlap> turn translucent. A hole is empty: a shape inside the ring does not " +
      "intersect it. A mask counts its solid pixels only.",
    "拖动形状。<overlap>相交</overlap>的形状变为半透明。孔是空的：环内的形状不与环相交。像素掩码只计实心像素。",
  ],
  hit: [
    "The click hits <tested>{id}</tested>: part {part} of {parts}.",
    "点击命中 <tested>{id}</tested>：第 {part} 部分，共 {parts} 部分。",
  ],
  hitWhole: [
    "The click hits <tested>{id}</tested>, a single convex part.",
    "点击命中 <tested>{id}</tested>，一个凸部分。",
  ],
  miss: ["The click hits no shape.", "点击没有命中任何形状。"],
  clickHint: ["Click a shape: the hit test names the part below the pointer.", "点击形状：命中测试给出指针下的部分。"],
  contacts: ["Contacts", "接触"],
  depth: ["depth", "深度"],
  touch: ["touch", "恰好接触"],
  more: ["and {n} more", "还有 {n} 个"],
  add: ["Add a shape", "添加形状"],
  addButton: ["Add", "添加"],
  remove: ["Remove {id}", "删除 {id}"],
  selected: ["Selected: {id}", "已选择：{id}"],
  meets: ["{id}, intersects another shape", "{id}，与其他形状相交"],
  rotation: ["{id}: rotation", "{id}：旋转角度"],
  coordinate: ["{id}: {axis}", "{id}：{axis}"],
  figure: ["{n} shapes. Tab selects one, the arrow keys move it.", "{n} 个形状。Tab 选择，方向键移动。"],
  keys: [
    "Keys: Tab selects, arrows move, Q and E turn, Enter is a click on the centre, Delete removes. Drop a scene, " +
      "Tiled map, SVG, GeoJSON, CSV or PNG to load it.",
    "按键：Tab 选择，方向键移动，Q 和 E 旋转，Enter 点击中心，Delete 删除。可拖入场景、Tiled 地图、SVG、GeoJSON、CSV 或 PNG。",
  ],
  tooMany: [
    "{name} has {n} shapes. This room shows up to {limit}: open it in the room Level.",
    "{name} 有 {n} 个形状。此房间最多显示 {limit} 个：请在“关卡”房间打开。",
  ],
  tooLong: [
    "The shapes of {name} take {size} MB. This room shows up to {most} MB: open it in the room Level.",
    "{name} 的形状有 {size} MB。此房间最多显示 {most} MB：请在“关卡”房间打开。",
  ],
  empty: ["{name} has no shapes.", "{name} 中没有形状。"],
} as const satisfies Record<string, Text>;
