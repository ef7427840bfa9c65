// Runs the room: asks the worker for steps, plays recorded searches, and draws.

import "./balls.css";
import { say } from "../../shell/language";
import { words as shellWords } from "../../shell/words";
import { button } from "../../ui/controls";
import { h } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { keepFocus } from "../../ui/keep_focus";
import type { Json, Room, RoomContext, SceneFile } from "../room";
import { Figure2d, type Picture } from "./figure_2d";
import { ManyBalls } from "./many";
import { Measurer } from "./measurer";
import { median, medianOrNull } from "./median";
import type { Buffers, FromWorker, ToWorker } from "./messages";
import { type MethodId, methodOf } from "./methods";
import { number } from "./number";
import { Panel } from "./panel";
import { APART, LINE, HIT, Player, STOP, SWAP_X, SWAP_Y } from "./player";
import { ballsFile, RADIUS, sideFor } from "./scene";
import { COUNTS, FIRST, largest, LIVE, readState, SPEEDS, type State, WATCHED } from "./state";
import { words } from "./words";

type Frame = Extract<FromWorker, { kind: "frame" }>;

/** Times are medians of this many frames, and shown so often in milliseconds. */
const WINDOW = 60;
const SHOWN_EVERY = 300;

/** The page draws the balls itself after MOST_FAILURES failures within FAILURES_WITHIN milliseconds. */
const MOST_FAILURES = 3;
const FAILURES_WITHIN = 60_000;

/** The running search gets its point in the chart so often, in milliseconds. */
const CHARTED_EVERY = 3000;

export class BallsRoom implements Room {
  private state: State = { ...FIRST };
  private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "balls" });
  private readonly box = h("div", { class: "balls" });
  /** The box of the canvas. A caption of several lines makes it smaller. */
  private readonly stage = h("div", { class: "stage" });
  private readonly caption = h("p", { class: "caption" });
  private readonly controls = h("div", { class: "row" });
  private readonly flat = new Figure2d();
  private readonly panel: Panel;
  private readonly measurer: Measurer;
  private many: ManyBalls | null = null;
  private noMany = false;
  /** Times at which painters failed. */
  private failures: number[] = [];
  private frame: Frame | null = null;
  private player: Player | null = null;
  /** The balls that are drawn next, while the page has them, and free arrays for a step. */
  private balls: Buffers | null = null;
  private spare: Buffers | null = null;
  /** Number of the current set of balls and method: answers to older ones are dropped. */
  private run = 0;
  private waiting = false;
  /** True if the next frame was asked for by hand: its search is played action by action. */
  private single = false;
  private playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  private drawing = true;
  private stale = true;
  /** True if times were measured that the panel does not show. */
  private unshown = false;
  private firstEnergy = 0;
  private due = 0;
  private before = 0;
  private shown = 0;
  private charted = 0;
  private sinceDrawn = 0;
  private request = 0;
  private readonly times = {
    step: [] as number[],
    search: [] as number[],
    draw: [] as number[],
    script: [] as number[],
    gap: [] as number[],
  };

  constructor(private readonly context: RoomContext) {
    this.panel = new Panel(context.side, {
      method: (method) => this.setMethod(method),
      size: (size) => this.setSize(size),
      speed: (speed) => this.setSpeed(speed),
      draw: (on) => this.setDrawing(on),
      measure: () => this.measure(),
      done: () => context.commit(),
    });
    this.measurer = new Measurer(this.panel, (message) => context.message(message, "error"));
    this.stage.append(this.flat.canvas);
    this.box.append(this.stage, h("div", { class: "under" }, this.controls, this.caption));
    context.figure.append(this.box);
    this.flat.canvas.tabIndex = 0;
    this.flat.canvas.setAttribute("role", "img");
    this.box.addEventListener("keydown", (event) => this.keydown(event));
    new ResizeObserver(() => (this.stale = true)).observe(this.stage);
    this.worker.addEventListener("message", (event: MessageEvent<FromWorker>) => this.receive(event.data));
    // The error has no text if the script did not arrive.
    this.worker.addEventListener("error", ({ message }) =>
      context.message(message || say(shellWords.noWorker), "error"),
    );
    this.panel.render(this.state, this.drawing);
    this.drawControls();
    this.setup(false);
    this.request = requestAnimationFrame((now) => this.tick(now));
  }

  private get count(): number {
    return COUNTS[this.state.size]!;
  }

  /** True if the search is recorded. */
  private get recorded(): boolean {
    return methodOf(this.state.method).observed && this.count <= WATCHED;
  }

  /** True if the search is played action by action. */
  private get watched(): boolean {
    return this.recorded && this.state.speed !== LIVE;
  }

  private post(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  private setup(keep: boolean): void {
    const { method, seed } = this.state;
    this.run++;
    this.waiting = true;
    if (!keep) this.firstEnergy = 0;
    for (const list of Object.values(this.times)) list.length = 0;
    this.label();
    this.post({ kind: "setup", run: this.run, method, count: this.count, seed, keep, trace: this.recorded });
  }

  /** Asks the worker for the next step. */
  private next(): void {
    if (this.waiting) return;
    this.waiting = true;
    const buffers = this.spare;
    this.spare = null;
    this.post(
      { kind: "step", run: this.run, buffers },
      buffers ? [buffers.positions.buffer, buffers.touching.buffer] : [],
    );
  }

  private receive(message: FromWorker): void {
    if (message.kind === "failed") this.context.message(message.message, "error");
    if (message.kind === "not loaded")
      this.context.message(say(shellWords.loadFailed, { reason: message.message }), "error");
    if (message.kind !== "frame" || message.run !== this.run) return;
    this.waiting = false;
    this.spare = this.balls ?? this.spare;
    this.balls = message.buffers;
    this.frame = message;
    this.player = message.trace ? new Player(message.trace) : null;
    if (!this.watched && !this.single) this.player?.advance(Infinity);
    this.single = false;
    this.due = 0;
    if (message.step) {
      this.times.step.push(message.step);
      this.times.search.push(message.search);
    }
    if (!this.firstEnergy) this.measurer.measureOne(this.state.method, this.state.seed);
    this.firstEnergy ||= message.energy;
    this.stale = true;
  }

  private tick(now: number): void {
    this.request = requestAnimationFrame((then) => this.tick(then));
    const elapsed = Math.min(now - this.before, 250);
    this.before = now;
    const start = performance.now();
    const drawn = this.stale && this.frame !== null && (!this.drawing || this.draw());
    if (drawn) this.stale = false;
    if (this.playing && !document.hidden) this.play(elapsed);
    if (drawn) this.measured(start, elapsed);
    else this.sinceDrawn += elapsed;
    // Also at rest: the last picture may have been measured after the last frame.
    if (!this.unshown || !this.frame || now - this.shown < SHOWN_EVERY) return;
    this.shown = now;
    this.unshown = false;
    this.showTimes();
  }

  /** Stores the times of a frame that began at `start`. */
  private measured(start: number, elapsed: number): void {
    this.times.script.push(performance.now() - start);
    this.times.gap.push(elapsed + this.sinceDrawn);
    this.sinceDrawn = 0;
    for (const list of Object.values(this.times)) if (list.length > WINDOW) list.splice(0, list.length - WINDOW);
    this.showCounts();
    this.unshown = true;
  }

  private play(elapsed: number): void {
    const { player } = this;
    if (!this.watched || !player) {
      // The worker computes the next step while this one is painted, but no more than one ahead.
      if (this.stale) return;
      if (!player || player.done) this.next();
      else {
        player.advance(Infinity);
        this.stale = true;
      }
      return;
    }
    this.due += (elapsed / 1000) * SPEEDS[this.state.speed]!;
    const actions = Math.floor(this.due);
    if (actions < 1) return;
    this.due -= actions;
    if (player.done) this.next();
    player.advance(actions);
    this.stale = true;
  }

  /** Runs one action, or one step of the simulation if the search is over. */
  private stepOnce(): void {
    this.setPlaying(false);
    if (!this.player || this.player.done) {
      this.single = true;
      this.next();
    } else this.player.advance(1);
    this.stale = true;
    this.context.announce(this.describe());
  }

  /** Draws the balls. Returns false if the painter is not ready for them. */
  private draw(): boolean {
    const many = this.count > WATCHED ? this.useMany() : null;
    if (many) {
      this.show(many.canvas);
      if (many.busy) return false;
      many.draw(this.side, RADIUS, this.balls);
      if (many.busy) this.balls = null;
      return true;
    }
    if (!this.balls) return true;
    this.show(this.flat.canvas);
    const start = performance.now();
    this.flat.draw(this.picture(this.balls));
    this.times.draw.push(performance.now() - start);
    return true;
  }

  private picture(balls: Buffers): Picture {
    const { lists } = methodOf(this.state.method);
    return { ...balls, side: this.side, radius: RADIUS, player: this.player, lists };
  }

  private get side(): number {
    return sideFor(this.count);
  }

  /** Returns the painter of many balls, or null if the browser has none. */
  private useMany(): ManyBalls | null {
    if (this.many || this.noMany) return this.many;
    const failed = (reason: string, lasting: boolean): void => {
      this.many?.dispose();
      this.many = null;
      this.stale = true;
      // Without a limit, a driver that loses each context would restart painters forever.
      const now = performance.now();
      this.failures = [...this.failures.filter((time) => now - time < FAILURES_WITHIN), now];
      this.noMany = lasting || this.failures.length >= MOST_FAILURES;
      const text = lasting ? say(words.noGl, { reason }) : say(words.failing, { count: MOST_FAILURES, reason });
      if (this.noMany) this.context.message(text, "note");
      this.next();
    };
    const drawn = (buffers: Buffers | null, milliseconds: number): void => {
      this.spare = buffers ?? this.spare;
      // The last answer may arrive after drawing was switched off.
      if (!this.drawing) return;
      this.times.draw.push(milliseconds);
      this.unshown = true;
    };
    try {
      this.many = new ManyBalls({ drawn, failed, changed: () => (this.stale = true) });
      this.many.canvas.tabIndex = 0;
      this.label();
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error), true);
    }
    return this.many;
  }

  /** Names the canvases for screen readers. */
  private label(): void {
    const label = say(words.figure, { count: number(this.count), what: this.caption.textContent ?? "" });
    for (const canvas of [this.flat.canvas, this.many?.canvas]) canvas?.setAttribute("aria-label", label);
  }

  private show(canvas: HTMLCanvasElement): void {
    const { stage } = this;
    if (stage.firstElementChild !== canvas) stage.replaceChildren(canvas);
  }

  private showCounts(): void {
    const { counts } = this.frame!;
    const { player } = this;
    const part = player
      ? { tests: player.tests, swaps: player.swaps, pairs: player.done ? counts.pairs : player.hits.length / 2 }
      : counts;
    const chosen = counts.strategy === this.state.method ? "" : counts.strategy;
    this.panel.showCounts(this.count, part, chosen, counts.strategy !== "bvh");
    const text = this.describe();
    if (this.caption.textContent === text) return;
    this.caption.textContent = text;
    this.label();
  }

  private showTimes(): void {
    const { step, search, draw, script, gap } = this.times;
    const { counts, energy } = this.frame!;
    this.panel.showTimes({
      step: medianOrNull(step),
      search: medianOrNull(search),
      draw: medianOrNull(draw),
      script: medianOrNull(script),
      rate: this.playing && gap.length > 5 ? 1000 / median(gap) : null,
      energy: energy / this.firstEnergy,
    });
    const due = performance.now() - this.charted > CHARTED_EVERY;
    // Shorter times are not known well: the clock of a browser may be as coarse as 0.1 ms.
    if (!due || search.length < 20 || this.recorded || median(search) < 0.5) return;
    this.charted = performance.now();
    this.panel.chart.add(this.state.method, { count: this.count, tests: counts.tests, search: median(search) });
  }

  /** Returns the last action in words. */
  private describe(): string {
    const last = this.player?.last;
    if (!this.player || !this.recorded) return "";
    if (!last) return say(words.ready);
    const both = methodOf(this.state.method).lists === "both ends";
    const swap = last.kind === SWAP_X || last.kind === SWAP_Y;
    const edge = (value: number): string => say(value & 1 ? words.upperEdge : words.lowerEdge, { ball: value >> 1 });
    const name = (value: number): string => (swap && both ? edge(value) : String(value));
    const text = {
      [APART]: words.apart,
      [HIT]: words.hit,
      [SWAP_X]: words.swap,
      [SWAP_Y]: words.swap,
      [LINE]: words.line,
      [STOP]: words.stop,
    }[last.kind]!;
    const sentence = say(text, { a: name(last.a), b: name(last.b), axis: last.kind === SWAP_Y ? "y" : "x" });
    return sentence[0]!.toUpperCase() + sentence.slice(1);
  }

  private drawControls(): void {
    const play = button(
      say(this.playing ? words.pause : words.play),
      () => this.setPlaying(!this.playing),
      icon(this.playing ? "pause" : "play"),
    );
    play.dataset.key = "play";
    const single = button(say(words.stepAction), () => this.stepOnce(), icon("next"));
    single.dataset.key = "step";
    keepFocus(this.controls, () => this.controls.replaceChildren(play, single));
  }

  private setPlaying(on: boolean): void {
    if (on === this.playing) return;
    this.playing = on;
    this.times.gap.length = 0;
    this.drawControls();
  }

  /** Draws the balls or not. The times of the page depend on it, so they are measured anew. */
  private setDrawing(on: boolean): void {
    this.drawing = on;
    this.stale = true;
    for (const list of [this.times.draw, this.times.script, this.times.gap]) list.length = 0;
  }

  private keydown(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLCanvasElement)) return;
    if (event.key === " ") this.setPlaying(!this.playing);
    else if (event.key === "ArrowRight") this.stepOnce();
    else return;
    event.preventDefault();
  }

  private setMethod(method: MethodId): void {
    const most = largest(method);
    const keep = this.state.size <= most;
    if (!keep) this.context.message(say(words.reduced, { most: methodOf(method).most }), "note");
    this.state = { ...this.state, method, size: Math.min(this.state.size, most) };
    this.panel.render(this.state, this.drawing);
    this.setup(keep);
    this.measurer.measureOne(this.state.method, this.state.seed);
    this.context.commit();
  }

  private setSize(size: number): void {
    this.state = { ...this.state, size };
    this.panel.showSpeed(this.state);
    this.setup(false);
  }

  private setSpeed(speed: number): void {
    this.state = { ...this.state, speed };
    this.due = 0;
  }

  /** Measures the searches of all methods and sizes, while the balls rest; or stops that. */
  private measure(): void {
    if (this.measurer.busyWithAll) return this.measurer.end();
    this.setPlaying(false);
    this.measurer.measureAll(this.state.seed);
  }

  getState(): Json {
    return { ...this.state };
  }

  setState(json: Json): void {
    this.state = readState(json);
    this.panel.render(this.state, this.drawing);
    this.setup(false);
  }

  languageChanged(): void {
    this.panel.render(this.state, this.drawing);
    this.drawControls();
    this.label();
    this.stale = true;
  }

  themeChanged(): void {
    this.flat.themeChanged();
    this.many?.themeChanged();
    this.panel.chart.rebuild();
    this.stale = true;
  }

  /** The balls at the start, with their velocities and walls. */
  scene(): SceneFile {
    return ballsFile(this.count, this.state.seed);
  }

  /** Only few balls have a picture to save. */
  hasSvg(): boolean {
    return this.count <= WATCHED && this.balls !== null;
  }

  /** The balls with the tests made so far. */
  svg(): Promise<string> | null {
    return this.hasSvg() ? this.flat.toSvg(this.picture(this.balls!)) : null;
  }

  unmount(): void {
    cancelAnimationFrame(this.request);
    this.worker.terminate();
    this.measurer.end();
    this.panel.chart.dispose();
    this.many?.dispose();
  }
}
