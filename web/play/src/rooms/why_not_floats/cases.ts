// Pairs about which floating point and exact arithmetic disagree. A script found them; tests check each with exact
// arithmetic.

import type { Text } from "../../shell/language";
import type { Circle, Figure, Point, Polygon } from "./exact";

export interface Case {
  readonly id: string;
  readonly name: Text;
  readonly story: Text;
  readonly a: Figure;
  readonly b: Figure;
  /** Bits of the numbers whose grid is drawn: 53 for f64, 24 for f32. */
  readonly bits: 53 | 24;
  /** The loop of the textbook, in JavaScript, with the numbers of the case. */
  readonly code: string;
}

const circle = (x: number, y: number, radius: number): Circle => ({ kind: "circle", center: [x, y], radius });
const polygon = (...points: Point[]): Polygon => ({ kind: "polygon", points });
const square = (x: number, y: number, x2: number, y2: number): Polygon => polygon([x, y], [x2, y], [x2, y2], [x, y2]);

const CIRCLES = "dx * dx + dy * dy <= (ra + rb) * (ra + rb)";
const AXES = "for each edge: n = normal;  if (max(A · n) < min(B · n)) apart";

export const CASES: readonly Case[] = [
  {
    id: "three-four-five",
    name: ["3, 4, 5", "勾三股四"],
    story: [
      "Two circles: centres 0.3 and 0.4 apart, so the distance is 0.5. The radii are 0.1 and 0.4. The loop says <gap>apart</gap>. In truth they <overlap>overlap</overlap>, by less than one step of the numbers.",
      "两个圆：圆心相差 0.3 和 0.4，距离 0.5；半径 0.1 和 0.4。循环说<gap>分离</gap>，实际上它们<overlap>重叠</overlap>，重叠不到数值的一格。",
    ],
    a: circle(0.1, 0.1, 0.1),
    b: circle(0.4, 0.5, 0.4),
    bits: 53,
    code: CIRCLES,
  },
  {
    id: "reverse",
    name: ["reversed", "反过来"],
    story: [
      "The same triangle elsewhere, radii 0.2 and 0.3. Now the loop says they <overlap>intersect</overlap>, but a <gap>gap</gap> is left.",
      "同样的三角形换个位置，半径 0.2 和 0.3。这次循环说<overlap>相交</overlap>，其实还有<gap>间隙</gap>。",
    ],
    a: circle(0.2, 0.4, 0.2),
    b: circle(0.5, 0.8, 0.3),
    bits: 53,
    code: CIRCLES,
  },
  {
    id: "corner",
    name: ["corner on edge", "角在边上"],
    story: [
      "The corner of <b>B</b> lies exactly on the slanted edge of <a>A</a>: they <overlap>touch</overlap>. The loop over the axes rounds the two projections differently and says <gap>apart</gap>.",
      "<b>B</b> 的角正好在 <a>A</a> 的斜边上：它们<overlap>接触</overlap>。分离轴循环对两个投影的舍入不同，于是说<gap>分离</gap>。",
    ],
    a: polygon([0.6, 0.6], [1.1, 0.6], [0.6, 1.1]),
    b: square(0.8, 0.9, 1.3, 1.4),
    bits: 53,
    code: AXES,
  },
  {
    id: "corner-apart",
    name: ["corner before edge", "角在边前"],
    story: [
      "The corner of <b>B</b> stops just before the edge of <a>A</a>. The loop says they <overlap>intersect</overlap>; a <gap>gap</gap> is left.",
      "<b>B</b> 的角停在 <a>A</a> 的边之前。循环说<overlap>相交</overlap>，其实还有<gap>间隙</gap>。",
    ],
    a: polygon([0.8, 0.7], [1.4, 0.7], [0.8, 0.9]),
    b: square(1.1, 0.8, 1.3, 1.0),
    bits: 53,
    code: AXES,
  },
  {
    id: "far",
    name: ["far from 0", "远离原点"],
    story: [
      "A million units from the origin, with a <gap>gap</gap> of 0.02. Numbers of 32 bits are 0.0625 apart there. A library that stores them cannot see the gap.",
      "距原点一百万单位，<gap>间隙</gap>为 0.02。那里 32 位数之间相隔 0.0625，用它们存储的库看不见间隙。",
    ],
    a: circle(1_000_000, 0.5, 0.5),
    b: circle(1_000_001.02, 0.5, 0.5),
    bits: 24,
    code: CIRCLES,
  },
];

/** Answers of a loop in f64: true if it says that both intersect. */
export function textbook(a: Figure, b: Figure): boolean {
  if (a.kind === "circle" && b.kind === "circle") {
    const [dx, dy, reach] = [b.center[0] - a.center[0], b.center[1] - a.center[1], a.radius + b.radius];
    return dx * dx + dy * dy <= reach * reach;
  }
  if (a.kind === "polygon" && b.kind === "polygon")
    return !separated(a.points, b.points) && !separated(b.points, a.points);
  throw new TypeError("the figures have different kinds");
}

/** The separating axis test of the articles: unit normals, both projections. */
function separated(of: readonly Point[], other: readonly Point[]): boolean {
  return of.some((from, i) => {
    const to = of[(i + 1) % of.length]!;
    const length = Math.sqrt((to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2);
    const normal = [(to[1] - from[1]) / length, (from[0] - to[0]) / length] as const;
    const along = (points: readonly Point[]) => points.map(([x, y]) => x * normal[0] + y * normal[1]);
    const [mine, theirs] = [along(of), along(other)];
    return Math.max(...mine) < Math.min(...theirs) || Math.max(...theirs) < Math.min(...mine);
  });
}
