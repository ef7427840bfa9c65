// Draws the motion of B: its path, its place at the chosen time, and the first contact.

import type { ImpactExplanation } from "carom";
import { arrow, dot } from "../../draw/marks";
import { s } from "../../ui/dom";
import type { PairFigure } from "./figure";
import { poseOf, type State } from "./state";

/** Returns B's place at a time of its motion. */
export function poseAt(state: State, time: number) {
  const { b, motion } = state;
  const pose = poseOf(b);
  return {
    x: pose.x + motion.dx * time,
    y: pose.y + motion.dy * time,
    angle: pose.angle + ((motion.rotation * Math.PI) / 180) * time,
  };
}

export function drawImpact(figure: PairFigure, state: State, found: ImpactExplanation): void {
  const { view, under, over } = figure;
  const { b } = state;
  const ghost = (time: number, name: string, opacity: number) =>
    s("path", {
      d: figure.path(b, poseAt(state, time)),
      class: `ghost ${name}`,
      stroke: "currentColor",
      "stroke-opacity": opacity,
      "pointer-events": "none",
    });
  for (const time of [0.25, 0.5, 0.75]) under.append(ghost(time, "c-b", 0.28));
  under.append(ghost(1, "c-b", 0.6));
  over.append(arrow(view.point([b.x, b.y]), view.point(poseCentre(state, 1)), { class: "c-b", width: 1.6 }));
  if (state.time > 0) {
    over.append(
      s("path", { d: figure.path(b, poseAt(state, state.time)), class: "shape shape-b", "pointer-events": "none" }),
    );
  }
  const { impact } = found;
  if (!impact) return;
  const p = view.point(impact.point);
  const hit = ghost(impact.time, "c-overlap", 1);
  hit.setAttribute("stroke-dasharray", "none");
  over.append(
    hit,
    arrow(p, [p[0] + impact.normal[0] * 44, p[1] - impact.normal[1] * 44], { class: "c-ink", width: 1.8 }),
    dot(p, "c-overlap", 5),
  );
}

function poseCentre(state: State, time: number): [number, number] {
  const { x, y } = poseAt(state, time);
  return [x, y];
}
