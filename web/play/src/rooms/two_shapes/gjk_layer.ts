// Draws one step of GJK: the farthest vertices on both shapes, and the simplex in the Minkowski difference.

import type { GjkExplanation, GjkPoint } from "carom";
import { grownPath, linePath, ringPath } from "../../draw/shape_path";
import { arrow, dot, label, line } from "../../draw/marks";
import { View, type Point } from "../../draw/view";
import { s } from "../../ui/dom";
import { say } from "../../shell/language";
import type { PairFigure } from "./figure";
import { words } from "./words";

/** Returns the simplex at a step, and the vertex that the step adds. The last step adds none. */
export function gjkAt(
  found: GjkExplanation,
  step: number,
): { simplex: GjkPoint[]; support: GjkPoint | null; direction: Point | null } {
  const one = found.steps[step];
  if (!one) return { simplex: found.simplex, support: null, direction: null };
  return { simplex: one.simplex, support: one.support, direction: one.direction };
}

/** Draws the vertices of the step on both shapes. */
export function drawGjkPair(figure: PairFigure, found: GjkExplanation, step: number): void {
  const { view, over } = figure;
  const { simplex, support } = gjkAt(found, step);
  const draw = (point: GjkPoint, name: string, hollow: boolean) => {
    const [p, q] = [view.point(point.pointA), view.point(point.pointB)];
    over.append(line(q, p, name, 1.6, "3 4"), dot(p, "c-a", 5, hollow), dot(q, "c-b", 5, hollow));
  };
  for (const point of simplex) draw(point, "c-tested", false);
  if (support) draw(support, "c-gap", true);
}

/** The picture of the Minkowski difference with the origin. */
export class DifferencePane {
  readonly svg = s("svg", { class: "difference", role: "img" });
  private readonly view = new View();

  draw(found: GjkExplanation, step: number): void {
    this.svg.setAttribute("aria-label", say(words.difference));
    if (!this.view.measure(this.svg)) return;
    const { view } = this;
    const all: Point[] = [...found.difference, [0, 0]];
    const [xs, ys] = [all.map((p) => p[0]), all.map((p) => p[1])];
    const r = found.radius;
    view.fit([Math.min(...xs) - r, Math.min(...ys) - r], [Math.max(...xs) + r, Math.max(...ys) + r], 40);
    const outline = found.difference.map((p) => view.point(p));
    const origin = view.point([0, 0]);
    const { simplex, support, direction } = gjkAt(found, step);
    this.svg.replaceChildren(
      s("path", { d: ringPath(outline), class: "shape shape-plain" }),
      r > 0 ? s("path", { d: grownPath(outline, r * view.scale), class: "ghost c-faint", stroke: "currentColor" }) : "",
      line([0, origin[1]], [view.width, origin[1]], "c-line", 1),
      line([origin[0], 0], [origin[0], view.height], "c-line", 1),
    );
    const corners = simplex.map((one) => view.point(one.difference));
    this.svg.append(s("path", { d: corners.length > 2 ? ringPath(corners) : linePath(corners), class: "simplex" }));
    if (direction && support) {
      const middle = closestOn(simplex.map((one) => one.difference));
      const from = view.point(middle);
      const to = view.point(support.difference);
      const reach = Math.min(44, Math.hypot(from[0] - origin[0], from[1] - origin[1]));
      this.svg.append(
        line(from, to, "c-gap", 1.4, "3 4"),
        arrow(from, [from[0] + direction[0] * reach, from[1] - direction[1] * reach], { class: "c-gap", width: 2 }),
        dot(to, "c-gap", 6, true),
      );
    }
    const late = origin[0] > view.width - 70;
    for (const corner of corners) this.svg.append(dot(corner, "c-tested", 5));
    this.svg.append(
      dot(origin, "c-ink", 5),
      label(say(words.origin), [origin[0] + (late ? -9 : 9), origin[1] + 16], {
        anchor: late ? "end" : "start",
        size: 13,
      }),
      label(say(words.difference), [14, 20], { anchor: "start", size: 14, class: "c-faint" }),
    );
  }
}

/** Returns where the arrow starts: the point of a vertex or an edge that is nearest to the origin. */
function closestOn(simplex: Point[]): Point {
  const [p, q] = simplex;
  if (!p) return [0, 0];
  if (!q) return p;
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
  const length = dx * dx + dy * dy || 1;
  const t = Math.min(1, Math.max(0, -(p[0] * dx + p[1] * dy) / length));
  return [p[0] + dx * t, p[1] + dy * t];
}
