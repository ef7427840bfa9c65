// The words of the room.

import type { Text } from "../../shell/language";
import type { Kind, Mode } from "./state";

export const kindNames: Record<Kind, Text> = {
  triangle: ["Triangle", "三角形"],
  rectangle: ["Rectangle", "矩形"],
  pentagon: ["Pentagon", "五边形"],
  hexagon: ["Hexagon", "六边形"],
  circle: ["Circle", "圆"],
  capsule: ["Capsule", "胶囊"],
  segment: ["Segment", "线段"],
  rounded: ["Rounded rectangle", "圆角矩形"],
  star: ["Star (concave)", "星形（凹）"],
  hook: ["Hook (concave)", "钩形（凹）"],
  ring: ["Ring (with a hole)", "环（带孔）"],
  pair: ["Dumbbell (three parts)", "哑铃（三部分）"],
};

export const modeNames: Record<Mode, Text> = {
  axes: ["Axes", "轴"],
  closest: ["Closest points", "最近点"],
  gjk: ["GJK", "GJK"],
  impact: ["Impact", "碰撞时刻"],
};

export const words = {
  overlap: [
    "<a>A</a> and <b>B</b> <overlap>overlap</overlap> by {d}",
    "<a>A</a> 与 <b>B</b> <overlap>重叠</overlap>，深度 {d}",
  ],
  touch: ["<a>A</a> and <b>B</b> touch: the depth is exactly 0", "<a>A</a> 与 <b>B</b> 恰好接触：深度恰为 0"],
  apart: [
    "<a>A</a> and <b>B</b> are apart: the <gap>gap</gap> is {d}",
    "<a>A</a> 与 <b>B</b> 分离，<gap>间隙</gap>为 {d}",
  ],
  loading: ["<a>A</a> and <b>B</b>: drag them", "<a>A</a> 与 <b>B</b>：拖动它们"],
  invalid: ["This shape is refused", "不接受这个形状"],
  mode: ["View", "视图"],

  whyApart: [
    "The <gap>dashed line</gap> fits between <a>A</a> and <b>B</b>, so they do not touch. The thick bars are their " +
      "projections on a line (axis {n}), like shadows. There is a <gap>gap</gap> between the bars. A point of " +
      "both shapes would have its shadow in both bars, so one gap is enough. If the bars meet on every axis, the " +
      "shapes touch or overlap.",
    "<gap>虚线</gap>可以穿过 <a>A</a> 与 <b>B</b> 之间，所以它们没有接触。粗条是两个形状在一条直线（轴 {n}）上的投影，好像影子。" +
      "两条粗条之间有<gap>间隙</gap>。如果两个形状有公共点，它的影子就会同时落在两条粗条上，所以有一个间隙就够了。如果粗条在每条轴上都相接或重叠，两个形状就接触或重叠。",
  ],
  whyOverlap: [
    "No straight line fits between <a>A</a> and <b>B</b>. Their projections, the thick bars, " +
      "<overlap>overlap</overlap> on every axis. The overlap is smallest on axis {n}. The dashed outline shows " +
      "<b>B</b> after the shortest move that separates them. Drag <b>B</b> away: a <gap>gap</gap> on one " +
      "axis is enough.",
    "<a>A</a> 与 <b>B</b> 之间放不下任何直线。它们的投影（粗条）在每条轴上都<overlap>重叠</overlap>。轴 {n} 上的重叠最小。" +
      "虚线轮廓是 <b>B</b> 以最短位移分开后的位置。把 <b>B</b> 拖开：只要一条轴上有<gap>间隙</gap>就够了。",
  ],
  whyParts: [
    "The pair of convex parts that overlaps most (<tested>marked</tested>) <overlap>overlaps</overlap> on " +
      "every axis. Axis {n} has the least overlap. The dashed outline shows <b>B</b> after these two parts are " +
      "separated. Other parts may still overlap.",
    "重叠最深的一对凸部分（<tested>已标出</tested>）在每条轴上都<overlap>重叠</overlap>。轴 {n} 的重叠最小。虚线轮廓是这两个部分分开后 <b>B</b> 的位置，其他部分可能仍然重叠。",
  ],
  whyPartsApart: [
    "On axis {n} there is a <gap>gap</gap> between the nearest convex parts (<tested>marked</tested>). All " +
      "other pairs of parts are at least as far apart, so <a>A</a> and <b>B</b> do not touch.",
    "轴 {n} 上最近的一对凸部分（<tested>已标出</tested>）之间有<gap>间隙</gap>。其他部分的距离不小于它，所以 <a>A</a> 与 <b>B</b> 没有接触。",
  ],
  whyTouch: [
    "On axis {n} the projections share exactly one point. The shapes touch at their boundaries but do not " +
      "overlap.",
    "在轴 {n} 上，两个投影恰好共有一个点。两个形状在边界上接触，但不重叠。",
  ],
  projection: [
    "An axis is a line at a right angle to an edge. Parallel edges have one axis. The thick bar is the projection of " +
      "a shape on the axis, like a shadow. The dotted lines show where it begins and ends.",
    "轴是垂直于某条边的直线。平行的边共用一条轴。粗条是形状在这条轴上的投影，好像影子。点线表示它从哪里开始，到哪里结束。",
  ],
  nearestAxis: ["One axis joins the closest points.", "有一条轴连接最近点。"],
  largestGap: [
    "The shapes are at least as far apart as each gap. The largest gap is their distance.",
    "两个形状的距离不小于每个间隙。最大的间隙就是它们的距离。",
  ],
  enough: [
    "No other axis is needed: if a straight line fits between the shapes, one of these axes has a gap.",
    "不需要其他轴：如果有直线可以穿过两个形状之间，那么其中一条轴上就有间隙。",
  ],
  parts: [
    "A shape with a dent or a hole is split into parts without dents (convex parts). The axes below are those of " +
      "{which}.",
    "有凹陷或孔的形状分成若干没有凹陷的部分（凸部分）。下面是{which}的轴。",
  ],
  partOf: ["part {i} of {name}", "{name} 的第 {i} 部分"],
  and: [" and ", " 和 "],
  axesTitle: [
    "{count} axes. Choose a row to see its axis. Edges are counted from 0.",
    "共 {count} 条轴。选择一行可以看到它的轴。边从 0 开始编号。",
  ],
  previous: ["Previous axis", "上一条轴"],
  next: ["Next axis", "下一条轴"],
  edgeOfA: ["edge {i} of <a>A</a>", "<a>A</a> 的边 {i}"],
  edgeOfB: ["edge {i} of <b>B</b>", "<b>B</b> 的边 {i}"],
  edgesOfA: ["edges {i} of <a>A</a>", "<a>A</a> 的边 {i}"],
  edgesOfB: ["edges {i} of <b>B</b>", "<b>B</b> 的边 {i}"],
  comma: [", ", "、"],
  nearest: ["closest points", "最近点连线"],
  union: ["both unions", "并集"],
  overlapValue: ["<overlap>overlap</overlap> {d}", "<overlap>重叠</overlap> {d}"],
  gapValue: ["<gap>gap</gap> {d}", "<gap>间隙</gap> {d}"],
  touchValue: ["touch", "恰好接触"],

  closestApart: [
    "The line joins the closest points. No point of <a>A</a> is nearer to <b>B</b> than this <gap>gap</gap>.",
    "线段连接两个最近点。<a>A</a> 上任何一点到 <b>B</b> 的距离都不小于这个<gap>间隙</gap>。",
  ],
  closestOverlap: [
    "The shapes share a region, so the distance is 0. A game then uses the contact. It has a normal from <a>A</a> to " +
      "<b>B</b>, a depth, and one or two points.",
    "两个形状有公共区域，距离为 0。游戏这时使用接触：从 <a>A</a> 到 <b>B</b> 的法线、深度，以及一到两个点。",
  ],
  pointOnA: ["point on <a>A</a>", "<a>A</a> 上的点"],
  pointOnB: ["point on <b>B</b>", "<b>B</b> 上的点"],
  distance: ["distance", "距离"],
  depth: ["depth", "深度"],
  normal: ["normal, A to B", "法线，A 到 B"],
  contactPoint: ["contact point {i}", "接触点 {i}"],
  sharedArea: ["common area", "公共面积"],

  gjkIntro: [
    "Subtract every point of <b>B</b> from every point of <a>A</a>. The results form the Minkowski difference. The " +
      "shapes share a point exactly if it contains the origin (0, 0). GJK never builds it. Each step takes one " +
      "vertex that is farthest toward the origin.",
    "用 <a>A</a> 的每个点减去 <b>B</b> 的每个点，得到闵可夫斯基差。当且仅当它包含原点 (0, 0) 时，两个形状有公共点。GJK 从不构造它：每一步取朝向原点最远的一个顶点。",
  ],
  gjkStep: ["Step {i} of {n}", "第 {i} 步，共 {n} 步"],
  gjkSupport: [
    "Simplex: {simplex}. The new vertex is vertex {va} of <a>A</a> minus vertex {vb} of <b>B</b>. The distance " +
      "is between {lower} and {upper}.",
    "单纯形：{simplex}。新顶点是 <a>A</a> 的顶点 {va} 减去 <b>B</b> 的顶点 {vb}。距离在 {lower} 与 {upper} 之间。",
  ],
  gjkPoints: ["{n} vertices", "{n} 个顶点"],
  gjkPoint: ["1 vertex", "1 个顶点"],
  gjkInside: [
    "The last simplex contains the origin: <overlap>the shapes intersect</overlap>.",
    "最后的单纯形包含原点：<overlap>两形状相交</overlap>。",
  ],
  gjkOutside: [
    "No vertex is nearer to the origin. The distance of the origin is the <gap>gap</gap>: {d}.",
    "没有更接近原点的顶点。原点到它的距离就是<gap>间隙</gap>：{d}。",
  ],
  gjkRadius: ["Both radii together, {r}, grow the difference (dashed).", "两个半径之和 {r} 使差集扩大（虚线）。"],
  origin: ["origin", "原点"],
  difference: ["A − B", "A − B"],
  previousStep: ["Previous step", "上一步"],
  nextStep: ["Next step", "下一步"],

  impactHit: [
    "<b>B</b> moves along the arrow. It first touches <a>A</a> at time {t} of its motion. <b>B</b> cannot " +
      "pass through <a>A</a> unnoticed: the time comes from the whole motion, not from samples.",
    "<b>B</b> 沿箭头移动，在运动的时刻 {t} 首次接触 <a>A</a>。<b>B</b> 不会穿过 <a>A</a> 而不被发现：时刻由整个运动算出，而不是采样。",
  ],
  impactStart: [
    "The shapes overlap at the start, by {d}. So the time of impact is 0.",
    "两个形状开始时已重叠 {d}，所以碰撞时刻为 0。",
  ],
  impactMiss: [
    "<b>B</b> moves along the arrow and never touches <a>A</a>.",
    "<b>B</b> 沿箭头移动，不会碰到 <a>A</a>。",
  ],
  time: ["Time", "时刻"],
  toImpact: ["To the impact", "到碰撞时刻"],
  gapAt: ["At time {t} the <gap>gap</gap> is {d}.", "时刻 {t} 的<gap>间隙</gap>为 {d}。"],
  overlapAt: ["At time {t} the <overlap>overlap</overlap> is {d}.", "时刻 {t} 的<overlap>重叠</overlap>为 {d}。"],
  motion: ["Motion of <b>B</b>", "<b>B</b> 的运动"],
  advancement: ["Steps of the library", "算法步骤"],
  methodClip: ["No rotation: one exact cast of the shape.", "没有旋转：一次精确的形状投射。"],
  methodStart: ["Decided at the start.", "在开始时已决定。"],
  methodAdvancement: [
    "Each row moves to the time at which the gap along its normal closes.",
    "每一行前进到沿该法线的间隙变为零的时刻。",
  ],
  columnTime: ["time", "时刻"],
  columnGap: ["gap", "间隙"],

  shapeA: ["Shape <a>A</a>", "形状 <a>A</a>"],
  shapeB: ["Shape <b>B</b>", "形状 <b>B</b>"],
  tooManyPoints: [
    "a shape has {n} points, and this room draws at most {most}",
    "一个形状有 {n} 个点，这个房间最多绘制 {most} 个",
  ],
  kindOf: ["Kind of {name}", "{name} 的种类"],
  rotation: ["rotation", "旋转角度"],
  scale: ["scale", "缩放"],
  radius: ["radius", "半径"],
  width: ["width", "宽"],
  height: ["height", "高"],
  vertices: ["Vertices", "顶点"],
  addVertex: ["Add a vertex", "添加顶点"],
  removeVertex: ["Remove vertex {i}", "删除顶点 {i}"],
  vertexOf: ["Vertex {i} of {name}", "{name} 的顶点 {i}"],
  turnHandle: ["Turn {name}", "旋转 {name}"],
  sizeHandle: ["Scale {name}", "缩放 {name}"],
  motionHandle: ["End of the motion of B", "B 的运动终点"],
  moveShape: ["Shape {name}: {kind}", "形状 {name}：{kind}"],
  figure: [
    "Two shapes. Drag them, or move the selected one with the arrow keys.",
    "两个形状。拖动它们，或用方向键移动选中的形状。",
  ],
  keys: [
    "Drag a shape to move it. Drag its circle to turn it. Drag its square to scale it. Arrow keys move the selected " +
      "shape. Q and E turn it; plus and minus scale it. Hold Shift for smaller steps.",
    "拖动形状来移动，拖动它的圆点旋转，拖动它的方块缩放。方向键移动选中的形状，Q 和 E 旋转，加号和减号缩放。按住 Shift 时步幅更小。",
  ],
} as const satisfies Record<string, Text>;
