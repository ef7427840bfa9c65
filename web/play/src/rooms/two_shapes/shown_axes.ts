// The axes as they are shown: opposite normals are one line, so they become one axis.

import type { Axis, Explanation, Vec } from "carom";

/** One line onto which both shapes are projected. */
export interface ShownAxis {
  normal: Vec;
  projectionA: Vec;
  projectionB: Vec;
  /** Length by which the projections overlap: the shorter of both pushes along the line. Negative: the gap. */
  overlap: number;
  /** Where the overlap or the gap lies on the line. */
  band: Vec;
  decides: boolean;
  /** The axes of the explanation on this line. */
  sources: Axis[];
}

const PARALLEL = 1e-9;

/** Joins the axes that lie on one line. The order is that of the explanation. */
export function shownAxes(found: Explanation): ShownAxis[] {
  const lines: Axis[][] = [];
  for (const axis of found.axes) {
    const same = ([first]: Axis[]) =>
      Math.abs(first!.normal[0] * axis.normal[1] - first!.normal[1] * axis.normal[0]) < PARALLEL;
    const line = lines.find(same);
    if (line) line.push(axis);
    else lines.push([axis]);
  }
  return lines.map((sources) => {
    const axis = sources.find((one) => one.decides) ?? sources[0]!;
    const { normal, projectionA: a, projectionB: b } = axis;
    const [forward, back] = [a[1] - b[0], b[1] - a[0]];
    const ahead = axis.decides || forward <= back;
    return {
      normal,
      projectionA: a,
      projectionB: b,
      overlap: axis.decides ? axis.overlap : Math.min(forward, back),
      band: ahead ? [Math.min(a[1], b[0]), Math.max(a[1], b[0])] : [Math.min(a[0], b[1]), Math.max(a[0], b[1])],
      decides: axis.decides,
      sources,
    };
  });
}
