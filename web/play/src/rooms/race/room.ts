// Runs the room: starts the race in a worker, and draws the bars and the balls of one entrant.

import "./race.css";
import { say } from "../../shell/language";
import { words as shellWords } from "../../shell/words";
import { button, slider } from "../../ui/controls";
import { h } from "../../ui/dom";
import { Figure2d, type Picture } from "../balls/figure_2d";
import { ManyBalls } from "../balls/many";
import type { Buffers } from "../balls/messages";
import { number } from "../balls/number";
import { ballsFile, makeBalls, RADIUS, sideFor } from "../balls/scene";
import type { Json, Room, RoomContext, SceneFile } from "../room";
import { ENTRANTS, type Entrant } from "./engine";
import type { LaneReport } from "./lane";
import type { FromRace, ToRace } from "./messages";
import { COUNTS, FIRST, readState, type State } from "./state";
import { entrantNames, words } from "./words";

/** Bars are drawn again after this many milliseconds. */
const SHOWN_EVERY = 200;
/** Energy is lost if it differs from that at the start by more than this. */
const KEPT = 0.01;

/** The elements of an entrant. */
interface Row {
  button: HTMLButtonElement;
  time: HTMLElement;
  bar: HTMLElement;
  energy: HTMLElement;
  factor: HTMLElement;
}

export class RaceRoom implements Room {
  private state: State = { ...FIRST };
  private worker: Worker | null = null;
  private run = 0;
  private running = false;
  private waiting = false;
  private rows = new Map<string, Row>();
  private reports: LaneReport[] = [];
  /** The balls to draw. The painter takes them away. */
  private balls: Buffers | null = null;
  /** A copy of the positions that were drawn last. */
  private last = new Float32Array();
  private readonly box = h("div", { class: "race" });
  private readonly stage = h("div", { class: "stage" });
  /** The entrant whose balls are drawn, or null: those of the start. */
  private shownLane: string | null = null;
  private readonly drawn = h("p", { class: "drawn" });
  private readonly flat = new Figure2d();
  private many: ManyBalls | null = null;
  private noMany = false;
  private stale = true;
  private shown = 0;
  private request = 0;
  private toggle: HTMLButtonElement | null = null;

  constructor(private readonly context: RoomContext) {
    this.box.append(this.stage, this.drawn);
    context.figure.append(this.box);
    new ResizeObserver(() => (this.stale = true)).observe(this.stage);
    this.render();
    this.reset();
    this.request = requestAnimationFrame((now) => this.tick(now));
  }

  private get count(): number {
    return COUNTS[this.state.size]!;
  }

  private get entrants(): Entrant[] {
    return ENTRANTS.filter(({ most }) => most >= this.count);
  }

  private get side(): number {
    return sideFor(this.count);
  }

  /** Shows the balls of the start, without any entrant. */
  private reset(): void {
    this.stop();
    this.reports = [];
    const { positions } = makeBalls(this.count, this.state.seed);
    this.balls = { positions: Float32Array.from(positions), touching: new Uint8Array(this.count) };
    this.last = this.balls.positions.slice();
    this.stale = true;
    this.shownLane = null;
    this.caption();
    for (const { id } of ENTRANTS) this.showLane(id, this.idle(id));
  }

  /** Returns the text of an entrant that has no time. */
  private idle(id: string): string {
    const { most } = ENTRANTS.find((entrant) => entrant.id === id)!;
    return most < this.count ? say(words.most, { most: number(most) }) : "–";
  }

  /** Says below the figure which balls it shows. */
  private caption(): void {
    const { shownLane } = this;
    const text = shownLane
      ? say(words.drawn, { name: this.name(shownLane) })
      : say(words.atStart, { count: number(this.count) });
    if (this.drawn.textContent !== text) this.drawn.textContent = text;
  }

  private start(): void {
    this.reset();
    this.running = true;
    this.run++;
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "race" });
    this.worker.addEventListener("message", (event: MessageEvent<FromRace>) => this.receive(event.data));
    this.worker.addEventListener("error", ({ message }) => {
      this.reset();
      this.context.message(message || say(shellWords.noWorker), "error");
    });
    const ids = this.entrants.map(({ id }) => id);
    for (const id of ids) this.showLane(id, say(words.loading));
    const { seed, shown } = this.state;
    this.post({ kind: "start", run: this.run, ids, count: this.count, seed, shown });
    this.waiting = true;
    this.drawToggle();
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.running = false;
    this.waiting = false;
    this.drawToggle();
  }

  private post(message: ToRace): void {
    this.worker?.postMessage(message);
  }

  private receive(message: FromRace): void {
    if (message.run !== this.run) return;
    if (message.kind === "loaded") this.showLane(message.id, "…");
    else if (message.kind === "failed") {
      const name = this.name(message.id);
      this.context.message(say(words.failed, { name, message: message.message }), "error");
      this.showLane(message.id, "–");
    } else if (message.kind === "ready") this.waiting = false;
    else {
      this.waiting = false;
      this.reports = message.reports;
      this.last = message.positions.slice();
      this.balls = { positions: message.positions, touching: new Uint8Array(message.positions.length / 2) };
      this.shownLane = message.shown;
      this.caption();
      this.stale = true;
    }
  }

  private name(id: string): string {
    const text = entrantNames[id];
    return text ? say(text) : (ENTRANTS.find((entrant) => entrant.id === id)?.name ?? id);
  }

  private tick(now: number): void {
    this.request = requestAnimationFrame((then) => this.tick(then));
    if (this.running && !this.waiting && !document.hidden) {
      this.waiting = true;
      this.post({ kind: "round", run: this.run });
    }
    if (!this.stale || !this.draw()) return;
    this.stale = false;
    if (now - this.shown < SHOWN_EVERY) return;
    this.shown = now;
    this.showReports();
  }

  /** Draws the balls. Returns false if the painter is not ready for them. */
  private draw(): boolean {
    const many = this.useMany();
    const canvas = many?.canvas ?? this.flat.canvas;
    if (canvas.parentElement !== this.stage) this.stage.replaceChildren(canvas);
    canvas.setAttribute("role", "img");
    const name = this.name(this.shownLane ?? this.state.shown);
    canvas.setAttribute("aria-label", say(words.figure, { count: number(this.count), name }));
    if (many?.busy) return false;
    if (many) {
      many.draw(this.side, RADIUS, this.balls);
      if (many.busy) this.balls = null;
    } else if (this.balls) {
      this.flat.draw(this.picture(this.balls));
    }
    return true;
  }

  private picture(balls: Buffers): Picture {
    return { ...balls, side: this.side, radius: RADIUS, player: null, lists: "none" };
  }

  /** Returns the painter, or null if the browser has none. */
  private useMany(): ManyBalls | null {
    if (this.many || this.noMany) return this.many;
    const failed = (): void => {
      this.many?.dispose();
      this.many = null;
      this.noMany = true;
    };
    try {
      this.many = new ManyBalls({ drawn: () => {}, failed, changed: () => (this.stale = true) });
    } catch {
      failed();
    }
    return this.many;
  }

  private showLane(id: string, time: string): void {
    const row = this.rows.get(id);
    if (!row) return;
    row.time.textContent = time;
    row.bar.style.width = "0";
    row.energy.textContent = row.factor.textContent = "";
  }

  private showReports(): void {
    const carom = this.reports.find(({ id }) => id === "carom")?.milliseconds ?? 0;
    const slowest = Math.max(...this.reports.map(({ milliseconds }) => milliseconds));
    for (const { id, milliseconds, energy, frames } of this.reports) {
      const row = this.rows.get(id);
      if (!row || !milliseconds) continue;
      row.time.textContent = `${milliseconds.toFixed(2)} ${say(words.milliseconds)}`;
      row.bar.style.width = `max(2px, ${(100 * milliseconds) / slowest}%)`;
      row.energy.textContent = `${say(words.energy)} × ${energy.toFixed(4)}`;
      row.energy.classList.toggle("lost", Math.abs(energy - 1) > KEPT);
      row.factor.textContent =
        id === "carom" || !carom ? "" : say(words.slower, { times: Number((milliseconds / carom).toPrecision(2)) });
      row.button.dataset.milliseconds = milliseconds.toFixed(4);
      row.button.dataset.frames = String(frames);
    }
  }

  private lane({ id }: Entrant): HTMLElement {
    const name = this.name(id);
    const bar = h("i", {});
    const [time, energy, factor] = [
      h("span", { class: "time" }, this.idle(id)),
      h("span", { class: "more" }),
      h("span", { class: "more right" }),
    ];
    const pressed = String(this.state.shown === id);
    const choose = () => this.show(id);
    const element = h(
      "button",
      {
        class: "lane",
        type: "button",
        "data-id": id,
        "aria-pressed": pressed,
        title: say(words.draw, { name }),
        onclick: choose,
      },
      h("span", { class: "name" }, name),
      time,
      h("span", { class: "bar", "aria-hidden": "true" }, bar),
      energy,
      factor,
    );
    this.rows.set(id, { button: element, time, bar, energy, factor });
    return element;
  }

  private show(id: string): void {
    this.state = { ...this.state, shown: id };
    for (const [key, row] of this.rows) row.button.setAttribute("aria-pressed", String(key === id));
    this.post({ kind: "show", id });
    this.context.commit();
  }

  private render(): void {
    this.rows = new Map();
    const size = slider({
      label: say(words.balls),
      value: this.state.size,
      min: 0,
      max: COUNTS.length - 1,
      step: 1,
      show: (index) => number(COUNTS[index]!),
      input: (index) => this.resize(index),
      done: () => this.context.commit(),
    });
    this.toggle = button(say(words.start), () => (this.running ? this.stop() : this.start()));
    const included = [words.all, words.carom, words.rapier, words.check2d, words.matter, words.planck, words.loops];
    this.context.side.replaceChildren(
      h("h1", {}, say(words.title)),
      h("p", {}, say(words.intro)),
      h("div", { class: "stack" }, size.element, h("div", { class: "row" }, this.toggle)),
      h("div", { class: "lanes" }, ...ENTRANTS.map((entrant) => this.lane(entrant))),
      h("h2", {}, say(words.included)),
      h("ul", { class: "included" }, ...included.map((text) => h("li", {}, say(text)))),
      h("p", { class: "hint" }, say(words.unfair)),
    );
    this.drawToggle();
  }

  private drawToggle(): void {
    if (this.toggle) this.toggle.textContent = say(this.running ? words.stop : words.start);
  }

  private resize(size: number): void {
    const again = this.running;
    this.state = { ...this.state, size };
    if (again) this.start();
    else this.reset();
  }

  getState(): Json {
    return { ...this.state };
  }

  setState(json: Json): void {
    this.state = readState(json);
    this.render();
    this.reset();
  }

  languageChanged(): void {
    this.render();
    this.caption();
    if (this.reports.length) this.showReports();
  }

  themeChanged(): void {
    this.many?.themeChanged();
    this.flat.themeChanged();
    this.stale = true;
  }

  /** The balls at the start, with their velocities and walls. */
  scene(): SceneFile {
    return ballsFile(this.count, this.state.seed);
  }

  /** The balls as drawn last. */
  svg(): Promise<string> {
    return this.flat.toSvg(this.picture({ positions: this.last, touching: new Uint8Array(this.last.length / 2) }));
  }

  unmount(): void {
    cancelAnimationFrame(this.request);
    this.stop();
    this.many?.dispose();
  }
}
