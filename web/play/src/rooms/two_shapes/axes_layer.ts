// Draws every axis with both projections, the gap or the overlap, and the push that separates.

import type { ConvexPart, Explanation } from "carom";
import { arrow, label, line } from "../../draw/marks";
import type { Point } from "../../draw/view";
import { format } from "../../shell/language";
import { s } from "../../ui/dom";
import type { PairFigure } from "./figure";
import type { ShownAxis } from "./shown_axes";
import type { Name, State } from "./state";

/** More axes than this would hide the shapes: then only the chosen one is drawn. */
const MOST_FAINT = 9;

const plus = (p: Point, v: readonly number[], k: number): Point => [p[0] + v[0]! * k, p[1] + v[1]! * k];

/** The line of one axis in the figure: a pixel for each coordinate along the axis. */
class Lane {
  readonly along: Point;
  private readonly side: Point;
  private readonly origin: Point;

  constructor(
    private readonly figure: PairFigure,
    axis: ShownAxis,
    centre: Point,
    offset: number,
  ) {
    const [nx, ny] = axis.normal;
    this.along = [nx, -ny];
    this.side = [-ny, -nx]; // The pixel direction of (−ny, nx).
    const { view } = figure;
    const middle = view.point(centre);
    this.origin = plus(middle, this.side, offset);
    this.start = nx * centre[0] + ny * centre[1];
  }

  private readonly start: number;

  /** Returns the pixel of a coordinate, `up` pixels beside the line. */
  at(coordinate: number, up = 0): Point {
    const p = plus(this.origin, this.along, (coordinate - this.start) * this.figure.view.scale);
    return plus(p, this.side, up);
  }
}

export interface AxesOptions {
  chosen: number;
  /** The convex parts of the explanation, in world coordinates. */
  parts: Record<Name, ConvexPart>;
  /** Points around both shapes: the axes are drawn outside them. */
  outline: Point[];
  choose(index: number): void;
}

export function drawAxes(
  figure: PairFigure,
  state: State,
  found: Explanation,
  axes: ShownAxis[],
  options: AxesOptions,
): void {
  const { view } = figure;
  const centre: Point = [(state.a.x + state.b.x) / 2, (state.a.y + state.b.y) / 2];
  const small = Math.min(view.width, view.height) < 480;
  const chosen = axes[options.chosen];
  const offsets = placeAxes(axes, figure, centre, options.outline);
  if (!small && axes.length <= MOST_FAINT) {
    axes.forEach((axis, index) => {
      if (index === options.chosen) return;
      figure.under.append(faintAxis(figure, axis, index, centre, offsets[index]!, options));
    });
  }
  if (!chosen) return;
  const side = offsets[options.chosen]!;
  const lane = new Lane(figure, chosen, centre, side);
  figure.under.append(chosenAxis(figure, lane, chosen, options, side > 0 ? 26 : -26));
  for (const [name, projection] of [
    ["a", chosen.projectionA],
    ["b", chosen.projectionB],
  ] as const) {
    const part = options.parts[name];
    figure.under.append(ray(figure, lane, chosen, projection[0], part, -1, name));
    figure.under.append(ray(figure, lane, chosen, projection[1], part, 1, name));
  }
  figure.over.append(sourceEdge(figure, chosen, options.parts));
  if (chosen.overlap < 0) figure.under.append(divider(figure, chosen));
  if (chosen.decides && found.overlaps) figure.over.append(push(figure, state, chosen, options.parts.b));
}

/**
 * Returns how far beside the centre each axis is drawn, in pixels: outside both shapes, inside the figure, and on the
 * side that is farther from the axes before it.
 */
function placeAxes(axes: ShownAxis[], figure: PairFigure, centre: Point, outline: Point[]): number[] {
  const placed: Point[] = [];
  return axes.map((axis) => {
    const choices = [1, -1].map((sign) => {
      const { offset, cut } = farthest(axis, sign, figure, centre, outline);
      const lane = new Lane(figure, axis, centre, offset);
      const [low, high] = ends(axis);
      const marks = [0.1, 0.5, 0.9].map((share) => lane.at(low + (high - low) * share));
      const near = Math.min(200, ...placed.flatMap((p) => marks.map((q) => Math.hypot(p[0] - q[0], p[1] - q[1]))));
      return { offset, marks, score: near - 4 * cut + marks[1]![1] / 1000 };
    });
    const best = choices[0]!.score >= choices[1]!.score ? choices[0]! : choices[1]!;
    placed.push(...best.marks);
    return best.offset;
  });
}

/** Returns the offset outside both shapes on one side, and how many pixels of it the figure cuts. */
function farthest(axis: ShownAxis, sign: number, figure: PairFigure, centre: Point, outline: Point[]) {
  const { view } = figure;
  const side: Point = [-axis.normal[1] * sign, axis.normal[0] * sign];
  const extent = Math.max(...outline.map((p) => (p[0] - centre[0]) * side[0] + (p[1] - centre[1]) * side[1]));
  const wanted = extent * view.scale + 44;
  const [low, high] = ends(axis);
  const inside = ([x, y]: Point) => x > 16 && y > 16 && x < view.width - 16 && y < view.height - 16;
  // No point of the figure is farther from the centre.
  const most = Math.min(wanted, view.width + view.height);
  for (let offset = most; offset > 20; offset -= 10) {
    const lane = new Lane(figure, axis, centre, offset * sign);
    if (inside(lane.at(low)) && inside(lane.at(high))) return { offset: offset * sign, cut: wanted - offset };
  }
  return { offset: wanted * sign, cut: wanted };
}

function band(lane: Lane, axis: ShownAxis, width: number): SVGElement {
  const name = axis.overlap >= 0 ? "c-overlap" : "c-gap";
  const path = line(lane.at(axis.band[0]), lane.at(axis.band[1]), name, width);
  path.setAttribute("stroke-opacity", "0.45");
  return path;
}

function faintAxis(
  figure: PairFigure,
  axis: ShownAxis,
  index: number,
  centre: Point,
  offset: number,
  options: AxesOptions,
): SVGElement {
  const lane = new Lane(figure, axis, centre, offset);
  const [low, high] = ends(axis);
  const pad = 12 / figure.view.scale;
  const group = s("g", { class: "axis-faint", "data-axis": index });
  group.append(
    line(lane.at(low - pad), lane.at(high + pad), "c-faint", 1),
    band(lane, axis, 12),
    line(lane.at(axis.projectionA[0], -2), lane.at(axis.projectionA[1], -2), "c-a", 3),
    line(lane.at(axis.projectionB[0], 2), lane.at(axis.projectionB[1], 2), "c-b", 3),
    label(String(index + 1), lane.at((low + high) / 2, offset > 0 ? 18 : -18), { class: "c-faint", size: 12 }),
  );
  addPointer(group, lane, low - pad, high + pad, index, options);
  return group;
}

/** Adds a wide invisible line that receives the pointer. A click chooses the axis. `TwoShapes.point` reads `data-axis`. */
function addPointer(
  group: SVGElement,
  lane: Lane,
  low: number,
  high: number,
  index: number,
  options: AxesOptions,
): void {
  const hit = line(lane.at(low), lane.at(high), "axis-hit", 26);
  hit.setAttribute("stroke", "transparent");
  group.append(hit);
  group.addEventListener("click", () => options.choose(index));
}

function chosenAxis(
  figure: PairFigure,
  lane: Lane,
  axis: ShownAxis,
  options: AxesOptions,
  outward: number,
): SVGElement {
  const index = options.chosen;
  const [low, high] = ends(axis);
  const pixels = Math.hypot(lane.at(high)[0] - lane.at(low)[0], lane.at(high)[1] - lane.at(low)[1]);
  const pad = ((high - low) / Math.max(pixels, 1)) * 18;
  const [from, to] = axis.band;
  const text = format(Math.abs(axis.overlap), 2);
  const { width, height } = figure.view;
  const isInside = ([x, y]: Point) => x > 8 && y > 8 && x < width - 8 && y < height - 8;
  const numberAt = [high + pad * 1.8, low - pad * 1.8].map((end) => lane.at(end));
  const group = s(
    "g",
    { class: "axis-chosen", "data-axis": index },
    line(lane.at(low - pad), lane.at(high + pad), "c-ink", 1.3),
    band(lane, axis, 22),
    line(lane.at(axis.projectionA[0], -3), lane.at(axis.projectionA[1], -3), "c-a", 5),
    line(lane.at(axis.projectionB[0], 3), lane.at(axis.projectionB[1], 3), "c-b", 5),
    label(text, lane.at((from + to) / 2, outward), { class: axis.overlap >= 0 ? "c-overlap" : "c-gap", size: 15 }),
    label(String(index + 1), numberAt.find(isInside) ?? numberAt[0]!, { class: "c-ink", size: 14 }),
  );
  addPointer(group, lane, low, high, index, options);
  return group;
}

function ends(axis: ShownAxis): [number, number] {
  const all = [...axis.projectionA, ...axis.projectionB];
  return [Math.min(...all), Math.max(...all)];
}

/** Returns the dashed line from the end of a projection to the point of the shape that projects there. */
function ray(
  figure: PairFigure,
  lane: Lane,
  axis: ShownAxis,
  end: number,
  part: ConvexPart,
  sign: number,
  name: Name,
): SVGElement {
  const along = (p: readonly number[]) => sign * (p[0]! * axis.normal[0] + p[1]! * axis.normal[1]);
  const best = part.points.reduce((most, p) => (along(p) > along(most) ? p : most));
  const surface: Point = [best[0] + sign * part.radius * axis.normal[0], best[1] + sign * part.radius * axis.normal[1]];
  return line(lane.at(end), figure.view.point(surface), `c-${name} axis-ray`, 1.2, "2 4");
}

/** Draws the line that fits between the shapes: at a right angle to the axis, through the middle of the gap. */
function divider(figure: PairFigure, axis: ShownAxis): SVGElement {
  const { view } = figure;
  const middle = (axis.band[0] + axis.band[1]) / 2;
  const [nx, ny] = axis.normal;
  const far = (view.width + view.height) / view.scale;
  const at = (t: number) => view.point([nx * middle - ny * t, ny * middle + nx * t]);
  const path = line(at(-far), at(far), "c-gap divider", 2, "10 7");
  return path;
}

/** Marks the edges whose normals lie on the axis. */
function sourceEdge(figure: PairFigure, shown: ShownAxis, parts: Record<Name, ConvexPart>): SVGElement {
  const group = s("g", { "pointer-events": "none" });
  for (const axis of shown.sources) {
    const name = axis.source === "edge of a" ? "a" : axis.source === "edge of b" ? "b" : null;
    if (!name) continue;
    const sign = name === "a" ? 1 : -1;
    const { points, radius } = parts[name];
    const along = (p: readonly number[]) => sign * (p[0]! * axis.normal[0] + p[1]! * axis.normal[1]);
    const highest = Math.max(...points.map(along));
    const size = Math.max(...points.map((p) => highest - along(p)), 1e-9);
    const edge = points.filter((p) => highest - along(p) < 1e-6 * size);
    if (edge.length < 2) continue;
    const shift = (p: Point): Point => figure.view.point(plus(p, axis.normal, sign * radius));
    const [p, q] = [shift(edge[0]!), shift(edge.at(-1)!)];
    const middle: Point = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    const tip = plus(middle, [axis.normal[0], -axis.normal[1]], sign * 30);
    group.append(line(p, q, `c-${name}`, 5));
    // The deciding axis of shapes that overlap has the arrow of the push already.
    if (!(shown.decides && shown.overlap > 0)) group.append(arrow(middle, tip, { class: `c-${name}`, width: 1.8 }));
  }
  return group;
}

/** Draws B after the push, and the push itself. */
function push(figure: PairFigure, state: State, axis: ShownAxis, part: ConvexPart): SVGElement {
  const { b } = state;
  const { normal, overlap } = axis;
  const moved = { ...b, x: b.x + normal[0] * overlap, y: b.y + normal[1] * overlap };
  const along = (p: readonly number[]) => p[0]! * normal[0] + p[1]! * normal[1];
  const first = part.points.reduce((least, p) => (along(p) < along(least) ? p : least));
  const from = plus(first, normal, -part.radius);
  const { view } = figure;
  return s(
    "g",
    { "pointer-events": "none" },
    s("path", { d: figure.path(moved), class: "ghost c-b", stroke: "currentColor", "stroke-opacity": 0.7 }),
    arrow(view.point(from), view.point(plus(from, normal, overlap)), { class: "c-overlap", width: 3.5 }),
  );
}
