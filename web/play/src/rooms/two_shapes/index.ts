// The start page: two shapes, and every step that decides whether they intersect.

import type { ConvexPart } from "carom";
import type { Carom } from "../../carom";
import { format, say } from "../../shell/language";
import { segments } from "../../ui/controls";
import { h, plain, rich, s } from "../../ui/dom";
import { grownPath, ringPath } from "../../draw/shape_path";
import type { Point } from "../../draw/view";
import { exportSvg } from "../../draw/export_svg";
import type { Json, Room, RoomContext, RoomModule, SceneFile } from "../room";
import { drawAxes } from "./axes_layer";
import { drawClosest } from "./closest_layer";
import { PairFigure } from "./figure";
import { DifferencePane, drawGjkPair } from "./gjk_layer";
import { drawImpact, poseAt } from "./impact_layer";
import { ItemPanel } from "./item_panel";
import { AxesPanel, ClosestPanel, GjkPanel, ImpactPanel } from "./mode_panel";
import { shownAxes } from "./shown_axes";
import {
  countPoints,
  firstState,
  MODES,
  MOST_POINTS,
  placed,
  readState,
  sized,
  type Item,
  type Mode,
  type State,
} from "./state";
import { modeNames, words } from "./words";
import "./two_shapes.css";

class TwoShapes implements Room {
  private current: State = firstState();
  private carom: Carom | null = null;
  private hovered: number | null = null;
  /** True while the pointer is on an axis of the figure. */
  private pointing = false;
  private panel: AxesPanel | ClosestPanel | GjkPanel | ImpactPanel | null = null;
  private readonly figure: PairFigure;
  private readonly difference = new DifferencePane();
  private readonly verdict = h("h1", { class: "verdict", "data-verdict": "" });
  private readonly panelBox = h("div", {});
  private items: ItemPanel[] = [];
  private frame = 0;
  private refused = false;
  private axisCount = 0;
  private stepCount = 0;

  constructor(private readonly context: RoomContext) {
    const host = { state: () => this.current, changed: () => this.changed(), commit: () => this.commit() };
    this.figure = new PairFigure(host, context.left);
    context.figure.classList.add("pair-box");
    context.figure.append(this.figure.svg, this.difference.svg);
    // The axes are drawn anew when one is chosen. The old one is gone then, and sends no event when the pointer leaves.
    this.figure.svg.addEventListener("pointerover", (event) => this.point(event.target as Element));
    this.figure.svg.addEventListener("pointerleave", () => this.point(null));
    this.build();
    this.figure.resize();
    this.draw();
    const observer = new ResizeObserver(() => this.changed());
    observer.observe(this.difference.svg);
    context.left.addEventListener("abort", () => observer.disconnect());
    context.carom.then(
      (carom) => {
        if (context.left.aborted) return;
        this.carom = carom;
        this.changed();
      },
      () => {},
    );
  }

  private get host() {
    return { state: () => this.current, changed: () => this.changed(), commit: () => this.commit() };
  }

  /** Draws once in the next frame. */
  private changed(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private commit(): void {
    this.figure.fit();
    this.draw();
    this.context.announce(this.verdict.textContent ?? "");
    this.context.commit();
  }

  /** Builds the text beside the figure. */
  private build(): void {
    this.items = [new ItemPanel("a", this.host), new ItemPanel("b", this.host)];
    const modes = MODES.map((value) => ({ value, label: say(modeNames[value]) }));
    this.context.side.replaceChildren(
      this.verdict,
      segments(say(words.mode), modes, this.current.mode, (mode) => this.setMode(mode)),
      this.panelBox,
      h("p", { class: "hint" }, say(words.keys)),
      ...this.items.map((one) => one.element),
    );
    this.buildPanel();
  }

  private setMode(mode: Mode): void {
    if (mode === this.current.mode) return;
    this.current.mode = mode;
    this.current.step = 0;
    if (mode === "impact") this.stepBack();
    this.buildPanel();
    this.commit();
  }

  /** Puts B back along its motion if the shapes overlap: a motion that starts apart shows more. */
  private stepBack(): void {
    const { a, b, motion } = this.current;
    if (this.refused || !this.carom?.intersects(placed(a), placed(b))) return;
    b.x = Math.round((b.x - 0.6 * motion.dx) * 1000) / 1000;
    b.y = Math.round((b.y - 0.6 * motion.dy) * 1000) / 1000;
  }

  private buildPanel(): void {
    const { mode } = this.current;
    const host = {
      hover: (index: number | null) => this.hover(index),
      choose: (index: number) => this.chooseAxis(index),
    };
    if (mode === "axes") this.panel = new AxesPanel(host, (by) => this.stepAxis(by));
    else if (mode === "closest") this.panel = new ClosestPanel();
    else if (mode === "gjk") this.panel = new GjkPanel((by) => this.stepGjk(by));
    else this.panel = new ImpactPanel(this.host);
    this.panelBox.replaceChildren(this.panel.element);
    this.context.figure.classList.toggle("split", mode === "gjk");
    this.figure.resize();
  }

  private hover(index: number | null): void {
    if (this.hovered === index) return;
    this.hovered = index;
    this.changed();
  }

  /** Highlights the axis below the pointer. If the pointer was on no axis, the highlight of a row stays. */
  private point(target: Element | null): void {
    const axis = target?.closest<SVGElement>("[data-axis]")?.dataset.axis;
    if (axis !== undefined || this.pointing) this.hover(axis === undefined ? null : Number(axis));
    this.pointing = axis !== undefined;
  }

  private chooseAxis(index: number): void {
    this.current.axis = index;
    this.commit();
  }

  private stepAxis(by: number): void {
    if (!this.axisCount) return;
    const from = this.current.axis < 0 ? (by > 0 ? -1 : this.axisCount) : this.current.axis;
    this.chooseAxis((from + by + this.axisCount) % this.axisCount);
  }

  private stepGjk(by: number): void {
    this.current.step = Math.min(this.stepCount, Math.max(0, this.current.step + by));
    this.commit();
  }

  /** Draws everything. Before the package arrives: the shapes only. */
  private draw(): void {
    cancelAnimationFrame(this.frame);
    this.figure.under.replaceChildren();
    this.figure.over.replaceChildren();
    this.figure.draw();
    for (const one of this.items) one.draw();
    if (!this.carom) {
      this.verdict.replaceChildren(rich(say(words.loading)));
      return;
    }
    try {
      this.drawResults(this.carom);
      if (this.refused) this.context.message(null);
      this.refused = false;
    } catch (error) {
      this.refused = true;
      this.verdict.replaceChildren(say(words.invalid));
      this.panelBox.hidden = true;
      this.context.message(error instanceof Error ? error.message : String(error), "error");
      return;
    }
    this.panelBox.hidden = false;
  }

  private drawResults(carom: Carom): void {
    const state = this.current;
    const [a, b] = [placed(state.a), placed(state.b)];
    const found = carom.explain(a, b);
    const axes = shownAxes(found);
    const deciding = axes.findIndex((axis) => axis.decides);
    this.axisCount = axes.length;
    if (state.axis >= axes.length) state.axis = -1;
    if (this.hovered !== null && this.hovered >= axes.length) this.hovered = null;
    const region = found.overlaps ? carom.overlapRegion(a, b) : null;
    for (const piece of region?.pieces ?? []) {
      this.figure.over.append(
        s("path", {
          class: "region",
          d: ringPath(piece.map((p) => this.figure.view.point(p))),
          "pointer-events": "none",
        }),
      );
    }
    const size = format(found.overlaps ? found.depth! : found.distance, 2);
    const text = !found.intersects ? words.apart : found.overlaps ? words.overlap : words.touch;
    this.verdict.replaceChildren(rich(say(text, { d: size })));
    this.verdict.dataset.verdict = !found.intersects ? "apart" : found.overlaps ? "overlap" : "touch";
    this.verdict.dataset.value = String(found.intersects ? found.depth : found.distance);

    const { panel } = this;
    if (panel instanceof AxesPanel) {
      const fixed = state.axis < 0 ? deciding : state.axis;
      const chosen = this.hovered ?? fixed;
      const [partsA, partsB] = [carom.parts(a), carom.parts(b)];
      const chosenParts = { a: partsA[found.partA]!, b: partsB[found.partB]! };
      for (const [parts, part] of [
        [partsA, chosenParts.a],
        [partsB, chosenParts.b],
      ] as const) {
        if (parts.length > 1) this.figure.over.append(this.partMark(part));
      }
      drawAxes(this.figure, state, found, axes, {
        chosen,
        parts: chosenParts,
        outline: [...partsA, ...partsB].flatMap(corners),
        choose: (index) => this.chooseAxis(index),
      });
      panel.draw(found, axes, fixed, this.hovered, { a: partsA.length > 1, b: partsB.length > 1 });
    } else if (panel instanceof ClosestPanel) {
      const [distance, contact] = [carom.distance(a, b), carom.collide(a, b)];
      drawClosest(this.figure, distance, contact);
      panel.draw(distance, contact, region);
    } else if (panel instanceof GjkPanel) {
      const gjk = carom.explainGjk(a, b);
      this.stepCount = gjk.steps.length;
      state.step = Math.min(state.step, this.stepCount);
      drawGjkPair(this.figure, gjk, state.step);
      this.difference.draw(gjk, state.step);
      panel.draw(gjk, state.step);
    } else if (panel instanceof ImpactPanel) {
      const motion = { dx: state.motion.dx, dy: state.motion.dy, rotation: (state.motion.rotation * Math.PI) / 180 };
      const impact = carom.explainTimeOfImpact(a, null, b, motion);
      const moved = { shape: sized(state.b), ...poseAt(state, state.time) };
      const contact = carom.collide(a, moved);
      drawImpact(this.figure, state, impact);
      panel.draw(impact, contact ? -contact.depth : carom.distance(a, moved).distance);
    }
  }

  /** Returns the outline of the convex part that is explained. */
  private partMark({ points, radius }: ConvexPart): SVGPathElement {
    const { view } = this.figure;
    const d = grownPath(
      points.map((p) => view.point(p)),
      radius * view.scale,
    );
    return s("path", { d, class: "ghost c-tested", stroke: "currentColor", "pointer-events": "none" });
  }

  getState(): Json {
    return structuredClone(this.current) as unknown as Json;
  }

  setState(json: Json): void {
    const before = this.current;
    const next = readState(json);
    const n = Math.max(countPoints(next.a.shape), countPoints(next.b.shape));
    if (n > MOST_POINTS) throw new Error(say(words.tooManyPoints, { n, most: MOST_POINTS }));
    this.current = next;
    try {
      // A shape without its points cannot be drawn.
      this.figure.draw();
    } catch (error) {
      this.current = before;
      this.draw();
      throw error;
    }
    if (before.mode !== this.current.mode) this.build();
    this.figure.fit();
    this.draw();
  }

  languageChanged(): void {
    this.build();
    this.draw();
  }

  scene(): SceneFile {
    const { motion } = this.current;
    const collider = (id: string, item: Item) => ({
      id,
      shape: sized(item),
      position: [item.x, item.y],
      rotation: item.rotation,
    });
    const moving =
      this.current.mode === "impact"
        ? { motion: { translation: [motion.dx, motion.dy], rotation: motion.rotation } }
        : {};
    return { carom: 1, colliders: [collider("A", this.current.a), { ...collider("B", this.current.b), ...moving }] };
  }

  svg(): string {
    const { svg } = this.figure;
    const pictures = this.current.mode === "gjk" ? [svg, this.difference.svg] : [svg];
    return exportSvg(pictures, plain(this.verdict.textContent ?? ""));
  }

  unmount(): void {
    cancelAnimationFrame(this.frame);
  }
}

/** Returns the corners of boxes around the points of a part. */
function corners({ points, radius: r }: ConvexPart): Point[] {
  const signs = r
    ? [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ]
    : [[0, 0]];
  return points.flatMap(([x, y]) => signs.map(([sx, sy]): Point => [x + sx! * r, y + sy! * r]));
}

const module: RoomModule = { mount: (context) => new TwoShapes(context) };
export default module;
