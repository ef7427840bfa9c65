// A level: walk with the mover, shoot bullets that do not tunnel, cast light, see what blocks.

import type { ReadOptions } from "carom/files";
import { named, readScene, type NamedFile } from "../../open_files";
import { sameText, type SceneText } from "../../scene_text";
import { format, joined, say } from "../../shell/language";
import { colour } from "../../shell/theme";
import { button, checkBox, select, slider, sliders } from "../../ui/controls";
import { h, rich } from "../../ui/dom";
import { keepFocus } from "../../ui/keep_focus";
import { drawable, type Json, type Room, type RoomContext, type RoomModule, type SceneFile } from "../room";
import { Controls } from "./controls";
import { Game } from "./game";
import { type Ink, INKS, type Load, type Report } from "./messages";
import { EXAMPLES, loadExample, NotFetched, type Example } from "./sources";
import { ownNames, words, type OwnName } from "./words";
import "./level.css";

type Source = { example: Example } | { name: string; scene: SceneText };

interface State {
  source: Source;
  /** Where the mover is, or null: at the start of the level. */
  at: [number, number] | null;
  size: number;
  gravity: boolean;
  light: boolean;
  range: number;
  sampled: boolean;
  /** Heights of the mover that the figure shows. */
  zoom: number;
}

function exampleState(example: Example): State {
  const { size, gravity } = EXAMPLES[example];
  return { source: { example }, at: null, size, gravity, light: true, range: 9, sampled: false, zoom: 13 };
}

/** Milliseconds after which the room says that it builds a level. */
const SAID_AFTER = 200;

class Level implements Room {
  private current: State = exampleState("own");
  private ready = false;
  private game: Game | null = null;
  /** The source of the running level. That of the state differs while its level is built, or if it cannot be built. */
  private running: Source | null = null;
  /** Says how much of a level is built, if that takes long. */
  private building: string | null = null;
  private readonly canvas = h("canvas", { tabindex: 0, role: "application" });
  private colours: Record<Ink, string> | null = null;
  private readonly controls: Controls;
  private readonly lines = h("div", { class: "state-lines" });
  private readonly blocks = h("p", { "data-blocks": "" });
  private readonly shotsLine = h("p", { "data-shots": "" });
  /** The last place of the pointer, whether it is new since the last frame, and the bullets to shoot. */
  private pointer: [number, number] | null = null;
  private pointed = false;
  private shots = 0;
  private frame = 0;
  /** Time of the last frame, and the time that it showed. */
  private last = 0;
  private passed = 0;
  /** Where the mover was in the last frame, and the seconds that it has stood still. */
  private place: [number, number] = [0, 0];
  private idle = 0;
  /** The files of a map of which some tiles were not read, and the level that they made. */
  private unread: { files: NamedFile[]; source: Source } | null = null;
  /** Ends the loading of the level of the state, and the opening of a file. */
  private loader = new AbortController();
  private opening = new AbortController();

  constructor(private readonly context: RoomContext) {
    const { canvas } = this;
    context.figure.classList.add("level-box");
    this.controls = new Controls(canvas, () => this.shots++, context.left);
    context.figure.append(canvas, this.controls.touch);
    const point = (event: PointerEvent): void => {
      this.pointer = [event.offsetX, event.offsetY];
      this.pointed = true;
    };
    canvas.addEventListener("pointermove", point);
    canvas.addEventListener("pointerdown", (event) => {
      point(event);
      canvas.focus();
      this.shots++;
    });
    this.build();
    context.settle(); // `load` follows when the package is there.
    context.carom.then(
      () => {
        if (context.left.aborted) return;
        this.ready = true;
        void this.load();
      },
      () => {},
    );
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  private build(): void {
    const { current } = this;
    this.canvas.setAttribute("aria-label", say(words.figure));
    const choices = (Object.keys(EXAMPLES) as Example[]).map((value) => ({
      value: value as string,
      label: say(EXAMPLES[value].name),
    }));
    const mine = "name" in current.source ? current.source : null;
    if (mine) choices.push({ value: "mine", label: say(words.yours, { name: mine.name }) });
    const unread = this.unread?.source === current.source ? this.unread : null;
    const pick = (value: string) => {
      if (value === "mine") return;
      this.opening.abort(new DOMException("another level was chosen", "AbortError"));
      this.context.message(null); // An error of the level before.
      this.current = exampleState(value as Example);
      keepFocus(this.context.side, () => this.build());
      void this.load();
      this.context.commit();
    };
    const change = (set: (state: State) => void) => {
      set(this.current);
      this.context.commit();
    };
    this.lines.replaceChildren(this.blocks, this.shotsLine);
    this.context.side.replaceChildren(
      h("h1", {}, say(words.title)),
      h("p", {}, rich(say(words.intro))),
      h(
        "div",
        { class: "row" },
        select(say(words.level), choices, mine ? "mine" : (current.source as { example: Example }).example, pick),
        unread ? button(say(words.solid), () => this.makeSolid(unread.files)) : null,
      ),
      this.lines,
      h(
        "div",
        { class: "stack" },
        h(
          "div",
          { class: "row" },
          checkBox(say(words.light), current.light, (on) =>
            change((state) => {
              state.light = on;
            }),
          ),
          checkBox(say(words.gravity), current.gravity, (on) => {
            current.gravity = on;
            void this.load();
            this.context.commit();
          }),
        ),
        checkBox(say(words.sampled), current.sampled, (on) =>
          change((state) => {
            state.sampled = on;
          }),
        ),
        sliders(
          this.slider("range", say(words.range), 2, 20, 0.5),
          this.slider("zoom", say(words.zoom), 6, 40, 1),
          this.slider("size", say(words.size), current.size / 4, current.size * 3, current.size / 40),
        ),
      ),
      h("p", { class: "hint" }, say(words.keys)),
    );
  }

  private slider(key: "range" | "zoom" | "size", label: string, min: number, max: number, step: number): HTMLElement {
    return slider({
      label,
      min,
      max,
      step,
      value: this.current[key],
      show: (value) => format(value, 2),
      input: (value) => {
        this.current[key] = value;
      },
      done: () => {
        if (key === "size") void this.load();
        this.context.commit();
      },
    }).element;
  }

  /** True if the running level is that of the state. */
  private get matches(): boolean {
    const { game, current } = this;
    if (!game || this.running !== current.source) return false;
    return game.size === current.size && game.gravity === current.gravity;
  }

  /** Loads the level of the state, unless it runs. */
  private async load(): Promise<void> {
    this.loader.abort();
    this.building = null;
    if (this.matches) return this.context.settle().end(true);
    if (!this.ready) {
      this.context.settle(); // The state is not shown before the package is there.
      return;
    }
    const { signal } = (this.loader = new AbortController());
    const settling = this.context.settle();
    const { source } = this.current;
    const load = loadOf(this.current); // The state may change before its scene is there.
    let share = 0;
    const show = (): void => {
      const name = "name" in source ? source.name : say(EXAMPLES[source.example].name);
      this.building = say(words.building, { name, share: 10 * Math.floor(10 * share) });
      write(this.blocks, this.building);
      settling.say(this.building);
    };
    const timer = setTimeout(() => !signal.aborted && show(), SAID_AFTER);
    const progress = (built: number): void => {
      share = built;
      if (this.building !== null) show();
    };
    try {
      const scene = "scene" in source ? source.scene : await loadExample(source.example, signal);
      this.use(await Game.load(scene, load, signal, progress), source);
    } catch (error) {
      // If the running level is that of the state again, nothing is built.
      settling.end(this.matches);
      if (!signal.aborted) this.tell(error);
    } finally {
      clearTimeout(timer);
      if (this.loader.signal === signal) {
        this.building = null;
        if (!this.game) write(this.blocks, "");
      }
    }
  }

  /** Shows why a level was not loaded. */
  private tell(error: unknown): void {
    if (error instanceof NotFetched) {
      const { file, reason } = error;
      const again = { label: say(words.again), run: () => void this.load() };
      this.context.message(say(words.notFetched, { file, reason }), "error", again);
    } else this.context.message(error instanceof Error ? error.message : String(error), "error");
  }

  /** Shows a level. */
  private use(game: Game, source: Source): void {
    this.game?.dispose();
    this.game = game;
    this.running = source;
    this.shots = 0;
    this.idle = 0;
    this.pointed = this.pointer !== null;
    game.events = {
      painted: (picture, report) => this.painted(game, picture, report),
      failed: (message) => {
        // A level at the limits of the numbers. It stops, and the message says why.
        this.game = null;
        game.dispose(message);
        this.context.message(message, "error");
      },
    };
    this.context.settle().end(true);
  }

  /** Requests the next picture, unless the worker is still making the last one. */
  private tick(now: number): void {
    this.frame = requestAnimationFrame((next) => this.tick(next));
    const { game } = this;
    if (!game || game.busy) return;
    this.passed = Math.min(0.1, (now - (this.last || now)) / 1000);
    this.last = now;
    const { width, height } = this.canvas.getBoundingClientRect();
    const { sampled, light, range, zoom } = this.current;
    this.colours ??= Object.fromEntries(INKS.map((ink) => [ink, colour(ink)])) as Record<Ink, string>;
    game.frame({
      passed: this.passed,
      input: this.controls.take(),
      pointer: this.pointed ? this.pointer : null,
      shots: this.shots,
      sampled,
      light,
      range,
      zoom,
      still: matchMedia("(prefers-reduced-motion: reduce)").matches,
      width,
      height,
      ratio: Math.min(devicePixelRatio, 2),
      colours: this.colours,
    });
    this.pointed = false;
    this.shots = 0;
  }

  /** Shows a picture, and writes what it contains. */
  private painted(game: Game, picture: ImageBitmap, report: Report): void {
    this.canvas.getContext("bitmaprenderer")!.transferFromImageBitmap(picture);
    this.say(game, report);
    this.rest(game, report);
  }

  /** Writes the place of the mover to the state when it has stood still for a while. */
  private rest({ start }: Game, { x, y }: Report): void {
    // The places of another level than that of the state mean nothing there.
    if (!this.matches) return;
    const { at: known, size } = this.current;
    const before = this.idle;
    const moved = Math.hypot(x - this.place[0], y - this.place[1]) >= 1e-6 * size;
    this.place = [x, y];
    this.idle = moved ? 0 : this.idle + this.passed;
    if (before >= 0.6 || this.idle < 0.6) return;
    // Four digits of the mover's height.
    const unit = 10 ** (Math.floor(Math.log10(size)) - 4);
    const rounded = (value: number) => Number((Math.round(value / unit) * unit).toPrecision(15));
    const at: [number, number] = [rounded(x), rounded(y)];
    if (known && Math.hypot(known[0] - at[0], known[1] - at[1]) < 0.05 * size) return;
    if (!known && Math.hypot(start[0] - at[0], start[1] - at[1]) < 0.5 * size) return;
    this.current.at = at;
    this.context.commit();
  }

  /** Returns the name of a collider in the language of the page. Those of files stay as they are. */
  private nameOf(id: string): string {
    const { running } = this;
    if (!running || !("example" in running) || running.example !== "own") return id;
    const [, name = "", number = ""] = /^(.*?)( \d+)$/.exec(id) ?? [];
    return name in ownNames ? say(ownNames[name as OwnName]) + number : id;
  }

  private say({ gravity }: Game, { ground, surfaces, lastHit, hits, passed }: Report): void {
    const parts: string[] = [];
    if (gravity) parts.push(ground === null ? say(words.air) : say(words.standing, { id: this.nameOf(ground) }));
    else if (surfaces.length === 0) parts.push(say(words.free));
    for (const { name, kind } of surfaces) {
      if (kind === "floor" && gravity) continue;
      parts.push(say(words.blocked, { id: this.nameOf(name), kind: say(words[kind]) }));
    }
    write(this.blocks, this.building ?? joined(new Set(parts)));
    const shots = [lastHit === null ? say(words.noHit) : say(words.hit, { id: this.nameOf(lastHit), hits })];
    if (this.current.sampled) shots.push(say(words.passed, { n: passed }));
    write(this.shotsLine, joined(shots));
  }

  async open(files: File[], signal: AbortSignal): Promise<void> {
    await this.openNamed(named(files), {}, signal);
  }

  /** Opens the file again with all tiles solid. */
  private makeSolid(files: NamedFile[]): void {
    const name = files.map((file) => file.name).join(", ");
    this.context.open(name, (signal) => this.openNamed(files, { solid: true }, signal));
  }

  private async openNamed(files: NamedFile[], options: ReadOptions, given: AbortSignal): Promise<void> {
    const opening = new AbortController();
    this.opening = opening;
    given.addEventListener("abort", () => opening.abort(given.reason));
    const { signal } = opening;
    const { name, scene, count, warnings, hasUnreadTiles } = await readScene(files, options, signal);
    if (count === 0) throw new Error(say(words.empty, { name }));
    const state = exampleState("own");
    const progress = (share: number) => {
      // Screen readers say each text, so it changes ten times.
      if (share < 1) this.context.message(say(words.building, { name, share: 10 * Math.floor(10 * share) }), "busy");
    };
    const source = { name, scene };
    progress(0);
    const game = await Game.load(scene, loadOf({ ...state, source, size: 0 }), signal, progress);
    this.loader.abort(); // A level that is on its way does not replace the file.
    this.current = { ...state, source, size: game.size };
    this.use(game, source);
    // Undo returns to a level with unread tiles, so they stay known when all tiles became solid.
    if (hasUnreadTiles) this.unread = { files, source: this.current.source };
    keepFocus(this.context.side, () => this.build());
    if (warnings.length) setTimeout(() => this.context.message(warnings.join(" · "), "note"));
  }

  getState(): Json {
    const { source, ...rest } = this.current;
    return { source: "scene" in source ? { name: source.name, scene: null } : source, ...rest } as unknown as Json;
  }

  sceneText(): SceneText | null {
    const { source } = this.current;
    return "scene" in source ? source.scene : null;
  }

  setState(json: Json, scene: SceneText | null): void {
    const { source: given, ...rest } = json as unknown as State;
    const { at, size, range, zoom } = rest;
    const source: Source = scene && "name" in given ? { name: given.name, scene } : given;
    const hasSource =
      "scene" in source
        ? scene !== null && typeof source.name === "string"
        : "example" in source && Object.hasOwn(EXAMPLES, source.example);
    const fine =
      hasSource &&
      (at === null || (at.length === 2 && drawable(...at))) &&
      drawable(size) &&
      size > 0 &&
      range >= 1 &&
      range <= 100 &&
      zoom >= 1 &&
      zoom <= 1000;
    if (!fine) throw new Error("not a state of this room");
    // An equal source stays the same object: `unread` belongs to it.
    const known = new Set([this.current.source, this.running, this.unread?.source]);
    const kept = [...known].find((one) => one && sameSource(one, source));
    this.opening.abort(new DOMException("another state was set", "AbortError"));
    this.current = { source: kept ?? source, ...structuredClone(rest) };
    this.build();
    this.idle = 0;
    if (this.matches) this.game!.spawn(at);
    void this.load();
  }

  languageChanged(): void {
    this.controls.languageChanged();
    this.build();
  }

  themeChanged(): void {
    this.colours = null;
  }

  scene(): SceneFile | SceneText | null {
    if (!this.matches) return null;
    const { scene } = this.game!;
    return typeof scene.json === "string" ? (JSON.parse(scene.json) as SceneFile) : scene;
  }

  hasSvg(): boolean {
    return this.game?.painted ?? false;
  }

  svg(): Promise<string> | null {
    return this.hasSvg() ? this.game!.svg(say(words.title)) : null;
  }

  unmount(): void {
    cancelAnimationFrame(this.frame);
    this.loader.abort();
    this.game?.dispose();
  }
}

/** Returns true for sources of the same level. */
function sameSource(a: Source, b: Source): boolean {
  if ("scene" in a) return "scene" in b && a.name === b.name && sameText(a.scene, b.scene);
  return "example" in b && a.example === b.example;
}

/** Returns the level of a state without its scene. */
function loadOf({ source, size, gravity, at }: State): Omit<Load, "scene"> {
  return { options: { size, gravity }, start: "example" in source ? EXAMPLES[source.example].start : undefined, at };
}

/** Writes marked text, if it differs from the last one. */
function write(element: HTMLElement, text: string): void {
  if (element.dataset.text === text) return;
  element.dataset.text = text;
  element.replaceChildren(rich(text));
}

const module: RoomModule = { mount: (context) => new Level(context) };
export default module;
