// Draws every axis with both projections, the gap or the overlap, and the push that separates.

import type { Axis, ConvexPart, Explanation } from 'carom';
import { arrow, label, line } from '../../draw/marks';
import type { Point } from '../../draw/view';
import { format } from '../../shell/language';
import { s } from '../../ui/dom';
import type { PairFigure } from './figure';
import type { Name, State } from './state';

/** More axes than this would hide the shapes: then only the chosen one is drawn. */
const MOST_FAINT = 8;

const plus = (p: Point, v: readonly number[], k: number): Point => [p[0] + v[0]! * k, p[1] + v[1]! * k];

/** The line of one axis in the figure: a pixel for each coordinate along the axis. */
class Lane {
  readonly along: Point;
  private readonly side: Point;
  private readonly origin: Point;

  constructor(private readonly figure: PairFigure, axis: Axis, centre: Point, offset: number) {
    const [nx, ny] = axis.normal;
    this.along = [nx, -ny];
    this.side = [-ny, -nx];
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
  hover(index: number | null): void;
  choose(index: number): void;
}

export function drawAxes(figure: PairFigure, state: State, found: Explanation, options: AxesOptions): void {
  const { view } = figure;
  const centre: Point = [(state.a.x + state.b.x) / 2, (state.a.y + state.b.y) / 2];
  const reach = halfSize(found, centre) * view.scale;
  const small = Math.min(view.width, view.height) < 480;
  const chosen = found.axes[options.chosen];
  const faint = !small && found.axes.length <= MOST_FAINT;
  if (faint) {
    found.axes.forEach((axis, index) => {
      if (index !== options.chosen) figure.under.append(faintAxis(figure, axis, index, centre, offsetOf(index, reach, axis, figure, centre), options));
    });
  }
  if (!chosen) return;
  const offset = offsetOf(options.chosen, reach, chosen, figure, centre);
  const lane = new Lane(figure, chosen, centre, offset);
  figure.under.append(chosenAxis(lane, chosen, options.chosen, offset > 0 ? -24 : 24));
  for (const [name, projection] of [['a', chosen.projectionA], ['b', chosen.projectionB]] as const) {
    const part = options.parts[name];
    figure.under.append(ray(figure, lane, chosen, projection[0], part, -1, name));
    figure.under.append(ray(figure, lane, chosen, projection[1], part, 1, name));
  }
  if (chosen.decides && found.overlaps) figure.over.append(push(figure, state, chosen));
}

/** Returns half of the largest projection of both shapes together, about the centre. */
function halfSize(found: Explanation, centre: Point): number {
  let most = 0.5;
  for (const axis of found.axes) {
    const middle = axis.normal[0] * centre[0] + axis.normal[1] * centre[1];
    for (const end of [...axis.projectionA, ...axis.projectionB]) most = Math.max(most, Math.abs(end - middle));
  }
  return most;
}

/** Returns how far beside the centre an axis is drawn, in pixels, so that it stays in the figure. */
function offsetOf(index: number, reach: number, axis: Axis, figure: PairFigure, centre: Point): number {
  const { view } = figure;
  const [cx, cy] = view.point(centre);
  const side: Point = [-axis.normal[1], -axis.normal[0]];
  const room = (sign: number) => {
    const [sx, sy] = [side[0] * sign, side[1] * sign];
    const x = sx > 0 ? (view.width - cx) / sx : sx < 0 ? -cx / sx : Infinity;
    const y = sy > 0 ? (view.height - cy) / sy : sy < 0 ? -cy / sy : Infinity;
    return Math.min(x, y) - 26;
  };
  const wanted = reach + 34;
  const first = index % 2 ? -1 : 1;
  if (room(first) >= wanted) return first * wanted;
  if (room(-first) >= wanted) return -first * wanted;
  const sign = room(1) >= room(-1) ? 1 : -1;
  return sign * Math.max(30, room(sign));
}

function band(lane: Lane, axis: Axis, width: number): SVGElement {
  const [from, to] = axis.overlap >= 0
    ? [Math.max(axis.projectionA[0], axis.projectionB[0]), Math.min(axis.projectionA[1], axis.projectionB[1])]
    : [axis.projectionA[1], axis.projectionB[0]];
  const name = axis.overlap >= 0 ? 'c-overlap' : 'c-gap';
  const path = line(lane.at(from), lane.at(to), name, width);
  path.setAttribute('stroke-opacity', '0.45');
  return path;
}

function faintAxis(figure: PairFigure, axis: Axis, index: number, centre: Point, offset: number, options: AxesOptions): SVGElement {
  const lane = new Lane(figure, axis, centre, offset);
  const [low, high] = ends(axis);
  const pad = 12 / figure.view.scale;
  const group = s('g', { class: 'axis-faint', 'data-axis': index });
  group.append(
    line(lane.at(low - pad), lane.at(high + pad), 'c-faint', 1),
    band(lane, axis, 12),
    line(lane.at(axis.projectionA[0], -2), lane.at(axis.projectionA[1], -2), 'c-a', 3),
    line(lane.at(axis.projectionB[0], 2), lane.at(axis.projectionB[1], 2), 'c-b', 3),
    label(String(index + 1), lane.at(high + pad * 2), { class: 'c-faint', size: 12 }),
    s('path', { d: line(lane.at(low - pad), lane.at(high + pad), '').getAttribute('d'), stroke: 'transparent', 'stroke-width': 26, class: 'axis-hit' }),
  );
  group.addEventListener('pointerenter', () => options.hover(index));
  group.addEventListener('pointerleave', () => options.hover(null));
  group.addEventListener('click', () => options.choose(index));
  return group;
}

function chosenAxis(lane: Lane, axis: Axis, index: number, outward: number): SVGElement {
  const [low, high] = ends(axis);
  const pixels = Math.hypot(lane.at(high)[0] - lane.at(low)[0], lane.at(high)[1] - lane.at(low)[1]);
  const pad = ((high - low) / Math.max(pixels, 1)) * 18;
  const [from, to] = axis.overlap >= 0
    ? [Math.max(axis.projectionA[0], axis.projectionB[0]), Math.min(axis.projectionA[1], axis.projectionB[1])]
    : [axis.projectionA[1], axis.projectionB[0]];
  const text = format(Math.abs(axis.overlap), 2);
  return s('g', { class: 'axis-chosen', 'data-axis': index },
    line(lane.at(low - pad), lane.at(high + pad), 'c-ink', 1.3),
    band(lane, axis, 22),
    line(lane.at(axis.projectionA[0], -3), lane.at(axis.projectionA[1], -3), 'c-a', 5),
    line(lane.at(axis.projectionB[0], 3), lane.at(axis.projectionB[1], 3), 'c-b', 5),
    label(text, lane.at((from + to) / 2, outward), { class: axis.overlap >= 0 ? 'c-overlap' : 'c-gap', size: 15 }),
    label(String(index + 1), lane.at(high + pad * 1.8), { class: 'c-ink', size: 14 }),
  );
}

function ends(axis: Axis): [number, number] {
  const all = [...axis.projectionA, ...axis.projectionB];
  return [Math.min(...all), Math.max(...all)];
}

/** Returns the dashed line from the end of a projection to the point of the shape that projects there. */
function ray(figure: PairFigure, lane: Lane, axis: Axis, end: number, part: ConvexPart, sign: number, name: Name): SVGElement {
  const along = (p: readonly number[]) => sign * (p[0]! * axis.normal[0] + p[1]! * axis.normal[1]);
  const best = part.points.reduce((most, p) => (along(p) > along(most) ? p : most));
  const surface: Point = [best[0] + sign * part.radius * axis.normal[0], best[1] + sign * part.radius * axis.normal[1]];
  return line(lane.at(end), figure.view.point(surface), `c-${name} axis-ray`, 1.2, '2 4');
}

/** Draws B after the push, and the push itself. */
function push(figure: PairFigure, state: State, axis: Axis): SVGElement {
  const { b } = state;
  const moved = { ...b, x: b.x + axis.normal[0] * axis.overlap, y: b.y + axis.normal[1] * axis.overlap };
  const { view } = figure;
  return s('g', { 'pointer-events': 'none' },
    s('path', { d: figure.path(moved), class: 'ghost c-b', stroke: 'currentColor', 'stroke-opacity': 0.7 }),
    arrow(view.point([b.x, b.y]), view.point([moved.x, moved.y]), { class: 'c-overlap', width: 3 }),
  );
}
