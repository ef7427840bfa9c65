// A level: walk with the mover, shoot bullets that do not tunnel, cast light, see what blocks.

import type { Id, Scene } from 'carom';
import type { Carom } from '../../carom';
import { tracer, type TraceMask } from '../../draw/shape_path';
import type { ReadOptions } from 'carom/files';
import { named, readScene, type NamedFile } from '../../open_files';
import { Turns } from '../../turns';
import { format, say } from '../../shell/language';
import { button, checkBox, select, slider } from '../../ui/controls';
import { h, rich } from '../../ui/dom';
import { drawable, type Json, type Room, type RoomContext, type RoomModule, type SceneFile } from '../room';
import { Controls } from './controls';
import { type Light, LevelPicture } from './draw';
import { Simulation } from './simulation';
import { EXAMPLES, loadExample, type Example } from './sources';
import { words } from './words';
import './level.css';

type Source = { example: Example } | { name: string; scene: Scene };

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

const FRAME = 1 / 60;
/** Milliseconds that the light may take in every frame. */
const FREE_LIGHT = 8;
const NO_INPUT = { left: false, right: false, up: false, down: false, jump: false };

function exampleState(example: Example): State {
  const { size, gravity } = EXAMPLES[example];
  return { source: { example }, at: null, size, gravity, light: true, range: 9, sampled: false, zoom: 13 };
}

class Level implements Room {
  private current: State = exampleState('own');
  private carom: Carom | null = null;
  private trace: TraceMask = () => [];
  private simulation: Simulation | null = null;
  private readonly picture = new LevelPicture();
  private readonly controls: Controls;
  private readonly lines = h('div', { class: 'state-lines' });
  private readonly blocks = h('p', { 'data-blocks': '' });
  private readonly shots = h('p', { 'data-shots': '' });
  private aim: [number, number] | null = null;
  private frame = 0;
  private last = 0;
  private debt = 0;
  private idle = 0;
  /** The files of a map of which some tiles were not read, and the level that they made. */
  private unread: { files: NamedFile[]; source: Source } | null = null;
  private light: { simulation: Simulation; key: string; shown: Light; until: number } | null = null;
  /** Ends the loading of the level of the state, and the opening of a file. */
  private loader = new AbortController();
  private opening = new AbortController();
  /** JSON of scenes of files: to write them again would take long. */
  private readonly texts = new WeakMap<Source, string>();

  constructor(private readonly context: RoomContext) {
    const { canvas } = this.picture;
    context.figure.classList.add('level-box');
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    this.controls = new Controls(canvas, () => this.shoot(), context.left);
    context.figure.append(canvas, this.controls.touch);
    canvas.addEventListener('pointermove', (event) => {
      this.aim = this.picture.world(event);
    });
    canvas.addEventListener('pointerdown', (event) => {
      this.aim = this.picture.world(event);
      canvas.focus();
      this.shoot();
    });
    this.build();
    context.carom.then(
      async (carom) => {
        if (context.left.aborted) return;
        this.carom = carom;
        this.trace = tracer(carom.outlines);
        await this.load();
      },
      () => {},
    );
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  private build(): void {
    const { current } = this;
    this.picture.canvas.setAttribute('aria-label', say(words.figure));
    const choices = (Object.keys(EXAMPLES) as Example[]).map((value) => ({
      value: value as string,
      label: say(EXAMPLES[value].name),
    }));
    const mine = 'name' in current.source ? current.source : null;
    if (mine) choices.push({ value: 'mine', label: say(words.yours, { name: mine.name }) });
    const unread = this.unread?.source === current.source ? this.unread : null;
    const pick = (value: string) => {
      if (value === 'mine') return;
      this.opening.abort(new DOMException('another level was chosen', 'AbortError'));
      this.current = exampleState(value as Example);
      this.build();
      void this.load().then(() => this.context.commit());
    };
    const change = (set: (state: State) => void) => {
      set(this.current);
      this.context.commit();
    };
    this.lines.replaceChildren(this.blocks, this.shots);
    this.context.side.replaceChildren(
      h('h1', {}, say(words.title)),
      h('p', {}, rich(say(words.intro))),
      h(
        'div',
        { class: 'row' },
        select(say(words.level), choices, mine ? 'mine' : (current.source as { example: Example }).example, pick),
        unread ? button(say(words.solid), () => this.makeSolid(unread.files)) : null,
      ),
      this.lines,
      h(
        'div',
        { class: 'stack' },
        h(
          'div',
          { class: 'row' },
          checkBox(say(words.light), current.light, (on) =>
            change((state) => {
              state.light = on;
            }),
          ),
          checkBox(say(words.gravity), current.gravity, (on) => {
            change((state) => {
              state.gravity = on;
            });
            void this.load();
          }),
        ),
        checkBox(say(words.sampled), current.sampled, (on) =>
          change((state) => {
            state.sampled = on;
          }),
        ),
        this.slider('range', say(words.range), 2, 20, 0.5),
        this.slider('zoom', say(words.zoom), 6, 40, 1),
        this.slider('size', say(words.size), current.size / 4, current.size * 3, current.size / 40),
      ),
      h('p', { class: 'hint' }, say(words.keys)),
    );
  }

  private slider(key: 'range' | 'zoom' | 'size', label: string, min: number, max: number, step: number): HTMLElement {
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
        if (key === 'size') void this.load();
        this.context.commit();
      },
    }).element;
  }

  /** Loads the level of the state. */
  private async load(): Promise<void> {
    const { carom, current } = this;
    if (!carom) return;
    this.loader.abort();
    this.loader = new AbortController();
    const { signal } = this.loader;
    try {
      const { source, size, gravity } = current;
      const scene = 'scene' in source ? source.scene : await loadExample(source.example, signal);
      const simulation = await Simulation.load(carom, scene, { size, gravity }, new Turns(signal));
      this.use(simulation);
    } catch (error) {
      if (!signal.aborted) this.context.message(error instanceof Error ? error.message : String(error), 'error');
    }
  }

  /** Shows a level. */
  private use(simulation: Simulation): void {
    const { current } = this;
    try {
      const example = 'example' in current.source ? EXAMPLES[current.source.example] : null;
      simulation.start = example?.start ?? simulation.findPlace();
      simulation.spawn(...(current.at ?? simulation.start));
      simulation.step(0, NO_INPUT);
      this.picture.load(simulation, this.trace);
    } catch (error) {
      simulation.dispose();
      throw error;
    }
    this.simulation?.dispose();
    this.simulation = simulation;
    this.picture.aim(simulation, current.zoom, 1);
  }

  private shoot(): void {
    const { simulation } = this;
    if (!simulation) return;
    const [dx, dy] = this.aim ? [this.aim[0] - simulation.x, this.aim[1] - simulation.y] : [simulation.facing, 0];
    simulation.shoot(dx, dy, this.current.sampled);
  }

  private tick(now: number): void {
    this.frame = requestAnimationFrame((next) => this.tick(next));
    const { simulation } = this;
    const passed = Math.min(0.1, (now - (this.last || now)) / 1000);
    this.last = now;
    if (!simulation) return;
    try {
      this.advance(simulation, passed);
    } catch (error) {
      // A level at the limits of the numbers. It stops, and the message says why.
      this.simulation = null;
      simulation.dispose();
      this.context.message(error instanceof Error ? error.message : String(error), 'error');
    }
  }

  /** Runs the steps of the time that passed, and draws. */
  private advance(simulation: Simulation, passed: number): void {
    this.debt += passed;
    const steps = Math.floor(this.debt / FRAME);
    this.debt -= steps * FRAME;
    const [x, y] = [simulation.x, simulation.y];
    for (let i = 0; i < steps; i++) simulation.step(FRAME, this.controls.input);
    const { sampled, light, range, zoom } = this.current;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.picture.aim(simulation, zoom, still ? 1 : Math.min(1, passed * 7));
    this.picture.draw(simulation, {
      light: light ? this.lightOf(simulation, range) : null,
      blocking: blocking(simulation),
    });
    this.say(simulation, sampled);
    this.rest(simulation, Math.hypot(simulation.x - x, simulation.y - y) < 1e-6 * simulation.options.size, passed);
  }

  /**
   * Returns the visible region: that of the last time if nothing moved, or if it took so long that the frames would
   * wait for it. Large maps have more corners in sight than a frame has time for.
   */
  private lightOf(simulation: Simulation, range: number): Light {
    const now = performance.now();
    const key = [simulation.x, simulation.y, range, simulation.platforms.moving ? now : 0].join();
    const last = this.light;
    if (last?.simulation === simulation && (last.key === key || now < last.until)) return last.shown;
    const shown = simulation.visible(range);
    const end = performance.now();
    this.light = { simulation, key, shown, until: end + Math.max(0, 2 * (end - now) - FREE_LIGHT) };
    return shown;
  }

  /** Writes the place of the mover to the state when it has stood still for a while. */
  private rest(simulation: Simulation, still: boolean, passed: number): void {
    const before = this.idle;
    this.idle = still ? this.idle + passed : 0;
    if (before >= 0.6 || this.idle < 0.6) return;
    // Four digits of the mover's height.
    const unit = 10 ** (Math.floor(Math.log10(this.current.size)) - 4);
    const rounded = (value: number) => Number((Math.round(value / unit) * unit).toPrecision(15));
    const at: [number, number] = [rounded(simulation.x), rounded(simulation.y)];
    if (
      this.current.at &&
      Math.hypot(this.current.at[0] - at[0], this.current.at[1] - at[1]) < 0.05 * this.current.size
    )
      return;
    const atStart = Math.hypot(simulation.start[0] - at[0], simulation.start[1] - at[1]) < 0.5 * this.current.size;
    if (!this.current.at && atStart) return;
    this.current.at = at;
    this.context.commit();
  }

  private say(simulation: Simulation, sampled: boolean): void {
    const name = (id: Id) => simulation.names[id] ?? String(id);
    const { ground, surfaces, grounded } = simulation.mover;
    const parts: string[] = [];
    if (simulation.options.gravity)
      parts.push(grounded && ground ? say(words.standing, { id: name(ground.id) }) : say(words.air));
    else if (surfaces.length === 0) parts.push(say(words.free));
    for (const { id, kind } of surfaces) {
      if (kind === 'floor' && simulation.options.gravity) continue;
      parts.push(say(words.blocked, { id: name(id), kind: say(words[kind]) }));
    }
    write(this.blocks, [...new Set(parts)].join(' '));
    const { lastHit, fired } = simulation;
    const shots = lastHit === null ? say(words.noHit) : say(words.hit, { id: name(lastHit), hits: fired.hits });
    write(this.shots, sampled ? `${shots} ${say(words.passed, { n: fired.passed })}` : shots);
  }

  async open(files: File[], signal: AbortSignal): Promise<void> {
    await this.openNamed(named(files), {}, signal);
  }

  /** Opens the file again with all tiles solid. */
  private makeSolid(files: NamedFile[]): void {
    const name = files.map((file) => file.name).join(', ');
    this.context.open(name, (signal) => this.openNamed(files, { solid: true }, signal));
  }

  private async openNamed(files: NamedFile[], options: ReadOptions, given: AbortSignal): Promise<void> {
    const opening = new AbortController();
    this.opening = opening;
    given.addEventListener('abort', () => opening.abort(given.reason));
    const { signal } = opening;
    const { name, scene, text, warnings, hasUnreadTiles } = await readScene(files, options, signal);
    if (scene.colliders.length === 0) throw new Error(say(words.empty, { name }));
    const carom = await this.context.carom;
    signal.throwIfAborted();
    const state = exampleState('own');
    const progress = (share: number) => {
      // Screen readers say each text, so it changes ten times.
      if (share < 1) this.context.message(say(words.building, { name, share: 10 * Math.floor(10 * share) }), 'busy');
    };
    const { gravity } = state;
    const simulation = await Simulation.load(carom, scene, { size: 0, gravity }, new Turns(signal), progress);
    const before = this.current;
    this.current = { ...state, source: { name, scene }, size: simulation.options.size };
    this.loader.abort(); // A level that is on its way does not replace the file.
    try {
      this.use(simulation);
    } catch (error) {
      this.current = before;
      throw error;
    }
    this.texts.set(this.current.source, text);
    // Undo returns to a level with unread tiles, so they stay known when all tiles became solid.
    if (hasUnreadTiles) this.unread = { files, source: this.current.source };
    this.build();
    if (warnings.length) setTimeout(() => this.context.message(warnings.join(' · '), 'note'));
  }

  getState(): Json {
    // The parts are replaced, never changed. A copy of a level from a file would take long.
    return { ...this.current } as unknown as Json;
  }

  stateText(): string | null {
    const { source, ...rest } = this.current;
    const text = this.texts.get(source);
    if (text === undefined || !('scene' in source)) return null;
    return `{"source":{"name":${JSON.stringify(source.name)},"scene":${text}},${JSON.stringify(rest).slice(1)}`;
  }

  setState(json: Json): void {
    const state = json as unknown as State;
    const { source, ...rest } = state;
    const { at, size, range, zoom } = rest;
    const known = 'scene' in source ? typeof source.name === 'string' : Object.hasOwn(EXAMPLES, source.example);
    const fine =
      known &&
      (at === null || (at.length === 2 && drawable(...at))) &&
      drawable(size) &&
      size > 0 &&
      range >= 1 &&
      range <= 100 &&
      zoom >= 1 &&
      zoom <= 1000;
    if (!fine) throw new Error('not a state of this room');
    // An equal source stays the same object: `unread` and its text belong to it.
    const kept = [this.current.source, this.unread?.source].find((one) => one && sameSource(one, source));
    const same = kept === this.current.source && size === this.current.size && rest.gravity === this.current.gravity;
    this.opening.abort(new DOMException('another state was set', 'AbortError'));
    this.current = { source: kept ?? structuredClone(source), ...structuredClone(rest) };
    this.build();
    if (same && this.simulation) this.simulation.spawn(...(at ?? this.simulation.start));
    else void this.load();
  }

  languageChanged(): void {
    this.controls.languageChanged();
    this.build();
  }

  themeChanged(): void {
    this.picture.themeChanged();
  }

  scene(): SceneFile | null {
    return this.simulation ? (this.simulation.scene as unknown as SceneFile) : null;
  }

  svg(): string | null {
    return this.simulation ? this.picture.toSvg(this.simulation, say(words.title)) : null;
  }

  unmount(): void {
    cancelAnimationFrame(this.frame);
    this.loader.abort();
    this.simulation?.dispose();
  }
}

/** Returns true for sources of the same level. */
function sameSource(a: Source, b: Source): boolean {
  if ('scene' in a && 'scene' in b) {
    // Most differ in the number of their colliders. To write large scenes takes long.
    if (a.name !== b.name || a.scene.colliders?.length !== b.scene.colliders?.length) return false;
  } else if ('scene' in a || 'scene' in b) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the colliders that stop the mover, the ground included. */
function blocking({ mover }: Simulation): Map<Id, 'floor' | 'wall' | 'ceiling'> {
  const found = new Map(mover.surfaces.map(({ id, kind }): [Id, typeof kind] => [id, kind]));
  if (mover.ground) found.set(mover.ground.id, 'floor');
  return found;
}

/** Writes marked text, if it differs from the last one. */
function write(element: HTMLElement, text: string): void {
  if (element.dataset.text === text) return;
  element.dataset.text = text;
  element.replaceChildren(rich(text));
}

const module: RoomModule = { mount: (context) => new Level(context) };
export default module;
