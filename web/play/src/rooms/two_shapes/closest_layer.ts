// Draws the closest points, or the contact of shapes that overlap.

import type { Distance, Manifold } from "carom";
import { arrow, dot, label, line } from "../../draw/marks";
import { format } from "../../shell/language";
import type { PairFigure } from "./figure";

export function drawClosest(figure: PairFigure, found: Distance, contact: Manifold | null): void {
  const { view, over } = figure;
  if (!contact) {
    const [p, q] = [view.point(found.pointA), view.point(found.pointB)];
    over.append(
      line(p, q, "c-gap", 3),
      dot(p, "c-a", 5),
      dot(q, "c-b", 5),
      label(format(found.distance, 2), beside(p, q), { class: "c-gap", size: 15 }),
    );
    return;
  }
  for (const point of contact.points) {
    const p = view.point(point.position);
    over.append(
      line(view.point(point.onA), view.point(point.onB), "c-overlap", 3),
      arrow(p, [p[0] + contact.normal[0] * 44, p[1] - contact.normal[1] * 44], { class: "c-ink", width: 1.8 }),
      dot(p, "c-ink", 4),
    );
  }
}

/** Returns the pixel beside the middle of a line. */
function beside(p: [number, number], q: [number, number]): [number, number] {
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
  const length = Math.hypot(dx, dy) || 1;
  return [(p[0] + q[0]) / 2 - (dy / length) * 22, (p[1] + q[1]) / 2 + (dx / length) * 22];
}
