// Marks of figures: arrows, dots, labels with a rim.

import { s } from "../ui/dom";
import { linePath } from "./shape_path";
import type { Point } from "./view";

/** Returns an arrow between two pixels. */
export function arrow(from: Point, to: Point, attributes: { class: string; width?: number }): SVGGElement {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const width = attributes.width ?? 2;
  const group = s("g", { class: attributes.class });
  if (length < 1) return group;
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(6 + 3 * width, length);
  const neck: Point = [to[0] - ux * head, to[1] - uy * head];
  const half = head * 0.45;
  const wing = (sign: number): Point => [neck[0] - sign * uy * half, neck[1] + sign * ux * half];
  group.append(
    s("path", {
      d: linePath([from, neck]),
      fill: "none",
      stroke: "currentColor",
      "stroke-width": width,
      "stroke-linecap": "round",
    }),
    s("path", {
      d: `${linePath([to, wing(1), wing(-1)])}Z`,
      fill: "currentColor",
      stroke: "currentColor",
      "stroke-linejoin": "round",
    }),
  );
  return group;
}

/** Returns a label with a rim in the colour of the sheet, so that it is readable on lines. */
export function label(
  text: string,
  p: Point,
  options: { class?: string; anchor?: string; size?: number } = {},
): SVGTextElement {
  const { class: name = "c-ink", anchor = "middle", size = 14 } = options;
  return s(
    "text",
    { x: p[0], y: p[1] + size * 0.36, class: `mark-label ${name}`, "text-anchor": anchor, "font-size": size },
    text,
  );
}

/** Returns a dot. */
export function dot(p: Point, name: string, radius = 4, hollow = false): SVGCircleElement {
  return s("circle", { cx: p[0], cy: p[1], r: radius, class: `${name} ${hollow ? "dot-hollow" : "dot"}` });
}

/** Returns a line. */
export function line(from: Point, to: Point, name: string, width = 1.5, dash?: string): SVGPathElement {
  return s("path", {
    d: linePath([from, to]),
    class: name,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": width,
    "stroke-dasharray": dash,
  });
}
