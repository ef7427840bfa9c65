// Runs the room: one pair, its magnification, and what the methods answer.

import "./floats.css";
import type { Carom } from "../../carom";
import { exportSvg } from "../../draw/export_svg";
import { format, say } from "../../shell/language";
import { button, segments, slider, type Slider } from "../../ui/controls";
import { h, rich } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { keepFocus } from "../../ui/keep_focus";
import type { Json, Room, RoomContext, SceneFile } from "../room";
import { answersTable, askCarom } from "./answers";
import { type Case, CASES } from "./cases";
import { type Nearest, nearest } from "./contact";
import { decimal, exact, type ExactPoint, relate, ulp, UNIT } from "./exact";
import type { Answer } from "./libraries";
import { emptyPicture } from "./picture";
import { words } from "./words";

/** Steps of the slider. */
const STEPS = 1000;
/** The smallest length of interest is so many pixels long at the deepest zoom. */
const DEEPEST = 110;
/** After so many doublings the contact is in the middle of the picture. */
const CENTRED = 4;
/** Milliseconds of the flight to the gap. */
const FLIGHT = 5000;
/** A zoom without a further event for so many milliseconds is finished: undo and the link get it. */
const REST = 300;

interface State {
  pair: string;
  /** 0: all is seen, `STEPS`: the deepest zoom. */
  zoom: number;
}

export class FloatsRoom implements Room {
  private state: State = { pair: CASES[0]!.id, zoom: 0 };
  private carom: Carom | null = null;
  private readonly figure = emptyPicture();
  private readonly answers = h("div", { "aria-live": "polite" });
  private readonly under = h("div", { class: "under" });
  private readonly gridNote = h("p", { class: "hint" });
  private nearest: Nearest;
  private libraries: Answer[] = [];
  private asking = false;
  private slider: Slider | null = null;
  private flight = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: RoomContext) {
    this.nearest = nearest(this.pair.a, this.pair.b);
    this.figure.box.append(this.under);
    context.figure.append(this.figure.box);
    const { svg } = this.figure.picture;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomTo(this.state.zoom - event.deltaY * 0.25);
    });
    svg.addEventListener("keydown", (event) => {
      const by = { "+": 20, "=": 20, ArrowUp: 20, "-": -20, ArrowDown: -20 }[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.zoomTo(this.state.zoom + by);
    });
    this.pinch(svg);
    new ResizeObserver(() => this.draw()).observe(svg);
    this.render();
    context.carom.then(
      (carom) => {
        if (context.left.aborted) return;
        this.carom = carom;
        this.showAnswers();
      },
      () => {},
    );
  }

  private get pair(): Case {
    return CASES.find(({ id }) => id === this.state.pair)!;
  }

  /** Two fingers change the zoom. */
  private pinch(svg: SVGSVGElement): void {
    const fingers = new Map<number, PointerEvent>();
    const spread = (): number => {
      const [a, b] = [...fingers.values()];
      return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
    };
    svg.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, event));
    svg.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = spread();
      fingers.set(event.pointerId, event);
      const [first, last] = this.range();
      if (before && spread()) this.zoomTo(this.state.zoom + (STEPS * Math.log2(spread() / before)) / (last - first));
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"] as const) {
      svg.addEventListener(name, (event) => fingers.delete(event.pointerId));
    }
  }

  private size(): [number, number] {
    const { width, height } = this.figure.picture.svg.getBoundingClientRect();
    return [Math.max(width, 50), Math.max(height, 50)];
  }

  /** Returns the box around both figures: the least and the largest x and y. */
  private box(): [number, number][] {
    const { a, b } = this.pair;
    const corners = [a, b].flatMap((figure) =>
      figure.kind === "circle"
        ? [-1, 1].map((sign) => figure.center.map((x) => x + sign * figure.radius))
        : figure.points.map((point) => [...point]),
    );
    return [0, 1].map((axis) => {
      const values = corners.map((corner) => corner[axis]!);
      return [Math.min(...values), Math.max(...values)];
    });
  }

  /** Returns the logarithms to base 2 of the pixels per unit, for the whole pair and for the deepest zoom. */
  private range(): [number, number] {
    const [width, height] = this.size();
    const [x, y] = this.box().map(([min, max]) => max - min);
    const fit = Math.min((width - 48) / x!, (height - 48) / y!);
    const gap = Math.abs(Number(this.nearest.gap) * 2 ** -UNIT);
    const step = this.step(this.pair.bits);
    const smallest = gap === 0 ? step : Math.min(gap, step);
    return [Math.log2(fit), Math.log2(Math.min(DEEPEST, width / 3) / smallest)];
  }

  /** Returns the point in the middle: first of the box around both figures, then of the contact. */
  private centre(octaves: number): ExactPoint {
    const part = 2 ** -octaves * Math.max(0, 1 - octaves / CENTRED);
    return this.box().map(([min, max], axis) => {
      const middle = this.nearest.middle[axis]!;
      const away = (min + max) / 2 - Number(middle) * 2 ** -UNIT;
      return part === 0 ? middle : middle + exact(away * part);
    }) as ExactPoint;
  }

  /** Returns the distance of neighbouring numbers at the middle. */
  private step(bits: 53 | 24): number {
    const largest = Math.max(...this.nearest.middle.map((value) => Math.abs(Number(value) * 2 ** -UNIT)));
    return Number(ulp(largest)) * 2 ** (53 - bits - UNIT);
  }

  private draw(): void {
    const [width, height] = this.size();
    const [first, last] = this.range();
    const zoom = first + ((last - first) * this.state.zoom) / STEPS;
    const { a, b, bits } = this.pair;
    const centre = this.centre(zoom - first);
    this.figure.picture.draw(a, b, this.nearest, bits, { width, height, zoom, centre });
    const label = say(words.figure, { times: this.magnification(this.state.zoom), answer: say(words[relate(a, b)]) });
    this.figure.picture.svg.setAttribute("aria-label", label);
  }

  /** Returns the magnification against the whole pair as a power of ten. */
  private magnification(zoom: number): string {
    const [first, last] = this.range();
    const power = Math.round((((last - first) * zoom) / STEPS) * Math.log10(2));
    const digits = [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
    return say(words.times, { power: digits });
  }

  private zoomTo(zoom: number): void {
    cancelAnimationFrame(this.flight);
    this.setZoom(zoom);
    // A wheel and two fingers have no last event.
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.context.commit(), REST);
  }

  private setZoom(zoom: number): void {
    this.state.zoom = Math.min(STEPS, Math.max(0, zoom));
    this.slider?.set(Math.round(this.state.zoom));
    this.draw();
  }

  /** Flies to a zoom, or jumps if motion is to be reduced. */
  private fly(to: number): void {
    cancelAnimationFrame(this.flight);
    const from = this.state.zoom;
    const time = (FLIGHT * Math.abs(to - from)) / STEPS;
    const start = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const frame = (now: number): void => {
      const part = still || time === 0 ? 1 : Math.min(1, Math.max(0, (now - start) / time));
      this.setZoom(from + (to - from) * part);
      if (part < 1) this.flight = requestAnimationFrame(frame);
      else this.context.commit();
    };
    this.flight = requestAnimationFrame(frame);
  }

  private render(): void {
    const { pair } = this;
    this.context.side.replaceChildren(
      h("h1", {}, say(words.title)),
      h("p", {}, say(words.intro)),
      segments(
        say(words.pair),
        CASES.map(({ id, name }) => ({ value: id, label: say(name) })),
        pair.id,
        (id) => this.choose(id),
      ),
      h("p", { class: "story" }, rich(say(pair.story))),
      h("div", { class: "code" }, pair.code),
      this.answers,
      this.gridNote,
      h("h2", {}, say(words.stored)),
      this.stored(),
    );
    this.gridNote.textContent = say(words.grid, {
      bits: pair.bits === 53 ? 64 : 32,
      step: format(this.step(pair.bits), 4),
    });
    this.slider = slider({
      label: say(words.zoom),
      value: Math.round(this.state.zoom),
      min: 0,
      max: STEPS,
      step: 1,
      show: (zoom) => this.magnification(zoom),
      input: (zoom) => this.zoomTo(zoom),
      done: () => this.context.commit(),
    });
    const all = button(say(words.toAll), () => this.fly(0), icon("minus"));
    const deepest = button(say(words.toGap), () => this.fly(STEPS), icon("plus"));
    this.under.replaceChildren(all, this.slider.element, deepest);
    this.showAnswers();
    this.draw();
  }

  /** The decimal numbers of the pair, and the binary numbers that are stored for them. */
  private stored(): HTMLElement {
    const { a, b } = this.pair;
    const numbers = [a, b].flatMap((figure) =>
      figure.kind === "circle" ? [...figure.center, figure.radius] : figure.points.flat(),
    );
    const rows = [...new Set(numbers)].sort((p, q) => p - q);
    return h(
      "dl",
      { class: "stored" },
      ...rows.flatMap((value) => [h("dt", {}, String(value)), h("dd", {}, decimal(exact(value)))]),
    );
  }

  private showAnswers(): void {
    const { carom, pair } = this;
    const table = answersTable(pair, carom && askCarom(carom, pair), this.libraries);
    const ask = button(say(this.asking ? words.asking : words.ask), () => void this.ask());
    const note = this.libraries.length ? h("p", { class: "hint" }, say(words.notes)) : h("div", { class: "row" }, ask);
    keepFocus(this.context.side, () => this.answers.replaceChildren(table, ...(carom ? [note] : [])));
  }

  /** Asks the libraries, and again if another pair was chosen in the meantime. */
  private async ask(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.showAnswers();
    try {
      const { askLibraries } = await import("./libraries");
      let asked: Case;
      let answers: Answer[];
      do {
        asked = this.pair;
        answers = await askLibraries(asked.a, asked.b);
      } while (asked !== this.pair);
      this.libraries = answers;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.context.message(say(words.askFailed, { reason }), "error");
    }
    this.asking = false;
    this.showAnswers();
  }

  private choose(id: string): void {
    const asked = this.libraries.length > 0;
    keepFocus(this.context.side, () => this.setState({ pair: id, zoom: 0 }));
    this.context.commit();
    if (asked) void this.ask();
  }

  getState(): Json {
    return { ...this.state, zoom: Math.round(this.state.zoom) };
  }

  setState(json: Json): void {
    const { pair, zoom } = json as Partial<Record<keyof State, unknown>>;
    const found = CASES.find(({ id }) => id === pair);
    if (!found || typeof zoom !== "number" || !(zoom >= 0 && zoom <= STEPS)) throw new Error("the state is not valid");
    cancelAnimationFrame(this.flight);
    clearTimeout(this.resting);
    if (found.id !== this.state.pair) this.libraries = [];
    this.state = { pair: found.id, zoom };
    this.nearest = nearest(found.a, found.b);
    this.render();
  }

  languageChanged(): void {
    this.render();
  }

  scene(): SceneFile {
    const collider = (id: string, figure: Case["a"]) =>
      figure.kind === "circle"
        ? { id, shape: { circle: { radius: figure.radius } }, position: figure.center }
        : { id, shape: { polygon: { points: figure.points } } };
    return { carom: 1, colliders: [collider("a", this.pair.a), collider("b", this.pair.b)] };
  }

  svg(): string {
    return exportSvg([this.figure.picture.svg], say(words.title));
  }

  unmount(): void {
    cancelAnimationFrame(this.flight);
    clearTimeout(this.resting);
  }
}
