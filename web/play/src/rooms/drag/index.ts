// Many shapes of all kinds. Those that intersect turn translucent. A click names the part that it hits.

import type { Contact, ConvexPart, Id, World } from "carom";
import type { Carom } from "../../carom";
import { exportSvg } from "../../draw/export_svg";
import { tracer, type TraceMask } from "../../draw/shape_path";
import type { Point } from "../../draw/view";
import { named, readScene } from "../../open_files";
import { lengthOf, parseScene } from "../../scene_text";
import { format, say } from "../../shell/language";
import { select } from "../../ui/controls";
import { h, plain, rich } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { keepFocus } from "../../ui/keep_focus";
import { scrub } from "../../ui/scrub";
import type { Json, Room, RoomContext, RoomModule, SceneFile } from "../room";
import { DragFigure } from "./figure";
import { labelOf } from "./label";
import { CATALOGUE, firstState, itemsOf, newItem, poseOf, readState, type Item, type State } from "./state";
import { kindNames, words } from "./words";
import "./drag.css";

const MOST_SHAPES = 500;
/** Letters of the longest scene. The page itself builds it. */
const LONGEST = 4e6;
const MOST_ROWS = 60;

class Drag implements Room {
  private current: State = firstState();
  private carom: Carom | null = null;
  private world: World | null = null;
  private trace: TraceMask | undefined;
  private ids = new Map<string, Id>();
  private names = new Map<Id, string>();
  private contacts: Contact[] = [];
  private lit = new Set<string>();
  private selected: string | null = null;
  private kind = "star";
  private frame = 0;
  private readonly figure: DragFigure;
  private readonly title = h("h1", {});
  private readonly hit = h("p", { class: "hit", "data-hit": "" });
  private readonly list = h("ul", { class: "contact-list" });
  private readonly tools = h("div", { class: "stack" });

  constructor(private readonly context: RoomContext) {
    this.figure = new DragFigure(
      {
        state: () => this.current,
        moved: (item) => this.moved(item),
        middle: (item) => this.middle(item),
        commit: () => this.commit(),
        select: (id) => this.select(id),
        click: (p) => this.click(p),
        remove: (id) => this.remove(id),
      },
      context.left,
      () => this.changed(),
    );
    context.figure.append(this.figure.svg);
    this.build();
    this.figure.fit();
    this.draw();
    context.carom.then(
      (carom) => {
        if (context.left.aborted) return;
        this.carom = carom;
        this.trace = tracer(carom.outlines);
        this.start();
      },
      () => {},
    );
  }

  /** Builds the world of the state. The shapes of a link are checked here for the first time. */
  private start(): void {
    try {
      this.rebuild();
    } catch (error) {
      this.current = firstState();
      this.buildTools();
      this.rebuild();
      this.context.message(error instanceof Error ? error.message : String(error), "error");
    }
    this.figure.fit();
    this.changed();
  }

  private build(): void {
    this.context.side.replaceChildren(
      this.title,
      h("p", {}, rich(say(words.intro))),
      this.hit,
      this.tools,
      h("section", { class: "stack" }, h("h2", {}, say(words.contacts)), this.list),
      h("p", { class: "hint" }, say(words.keys)),
    );
    this.buildTools();
  }

  private buildTools(): void {
    keepFocus(this.tools, () => this.replaceTools());
  }

  private replaceTools(): void {
    const kinds = Object.keys(CATALOGUE).map((value) => ({ value, label: say(kindNames[value]!) }));
    const add = () => {
      const [minX, minY, maxX, maxY] = this.current.frame;
      const item = newItem(this.current.items, this.kind, (minX + maxX) / 2, (minY + maxY) / 2);
      this.current.items.push(item);
      this.rebuild();
      this.select(item.id);
      this.commit();
    };
    const row = h(
      "div",
      { class: "row" },
      select(say(words.add), kinds, this.kind, (kind) => {
        this.kind = kind;
      }),
      h("button", { class: "button", type: "button", onclick: add }, icon("plus"), say(words.addButton)),
    );
    this.tools.replaceChildren(row);
    const item = this.current.items.find((one) => one.id === this.selected);
    if (!item) return;
    const number = (name: string, key: "x" | "y" | "rotation", step: number) =>
      scrub({
        name,
        label: say(key === "rotation" ? words.rotation : words.coordinate, { id: labelOf(item), axis: key }),
        value: item[key],
        step,
        min: -1e9,
        max: 1e9,
        digits: 3,
        unit: key === "rotation" ? "°" : undefined,
        input: (value) => {
          item[key] = value;
          this.moved(item);
        },
        done: () => this.commit(),
      }).element;
    const step = 2 / this.figure.view.scale;
    const label = say(words.remove, { id: labelOf(item) });
    this.tools.append(
      h(
        "div",
        { class: "item-row row" },
        h("h2", { style: "flex: 1" }, say(words.selected, { id: labelOf(item) })),
        h(
          "button",
          {
            class: "button quiet",
            type: "button",
            "aria-label": label,
            title: label,
            onclick: () => this.remove(item.id),
          },
          icon("trash"),
        ),
      ),
      h("div", { class: "numbers" }, number("x", "x", step), number("y", "y", step), number("∠", "rotation", 1)),
    );
  }

  /** Builds the world again: after shapes were added, removed or loaded. Throws if a shape is refused. */
  private rebuild(): void {
    if (!this.carom) return;
    const world = new this.carom.World();
    const ids = new Map<string, Id>();
    try {
      for (const item of this.current.items) ids.set(item.id, world.add(item.shape, poseOf(item)));
      world.update();
    } catch (error) {
      world.dispose();
      throw error;
    }
    this.world?.dispose();
    this.world = world;
    this.ids = ids;
    this.names = new Map([...ids].map(([name, id]) => [id, name]));
    this.contacts = [...world.contacts];
  }

  private moved(item: Item): void {
    const id = this.ids.get(item.id);
    if (this.world && id !== undefined) {
      const { x, y, angle } = poseOf(item);
      this.world.move(id, x, y, angle);
      this.world.update();
      this.contacts = [...this.world.contacts];
    }
    this.changed();
  }

  private middle(item: Item): Point | null {
    const id = this.ids.get(item.id);
    if (!this.world || id === undefined) return null;
    const [minX, minY, maxX, maxY] = this.world.box(id);
    return [(minX! + maxX!) / 2, (minY! + maxY!) / 2];
  }

  private select(id: string): void {
    if (this.selected === id) return;
    this.selected = id;
    this.buildTools();
    this.changed();
  }

  private remove(id: string): void {
    this.current.items = this.current.items.filter((one) => one.id !== id);
    if (this.selected === id) this.selected = null;
    this.buildTools();
    this.rebuild();
    this.commit();
  }

  private click(p: Point): void {
    this.current.click = [Math.round(p[0] * 1000) / 1000, Math.round(p[1] * 1000) / 1000];
    this.commit();
    this.context.announce(this.hit.textContent ?? "");
  }

  private changed(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private commit(): void {
    this.figure.fit();
    this.draw();
    this.context.commit();
  }

  /** Returns the part below the last click, and says it. */
  private hitTest(): ConvexPart | null {
    const { click } = this.current;
    if (!click || !this.world || !this.carom) {
      this.hit.replaceChildren(say(words.clickHint));
      return null;
    }
    const found = this.world.atPoint(click[0], click[1]);
    const id = found.find((one) => this.names.get(one) === this.selected) ?? found[0];
    const item = this.current.items.find((one) => one.id === this.names.get(id ?? -1));
    if (id === undefined || !item) {
      this.hit.replaceChildren(say(words.miss));
      return null;
    }
    const parts = this.carom.parts({ shape: item.shape, ...poseOf(item) });
    const part = this.world.partAt(id, click[0], click[1]);
    const text = parts.length > 1 ? words.hit : words.hitWhole;
    this.hit.replaceChildren(rich(say(text, { id: labelOf(item), part: part + 1, parts: parts.length })));
    return parts[part] ?? null;
  }

  private draw(): void {
    cancelAnimationFrame(this.frame);
    // The rows are replaced: the new one below the pointer or with the focus highlights its shapes again.
    this.lit.clear();
    const met = new Set(this.contacts.flatMap(({ a, b }) => [this.names.get(a)!, this.names.get(b)!]));
    const part = this.hitTest();
    this.figure.draw({ met, lit: this.lit, selected: this.selected, part, trace: this.trace });
    const n = this.contacts.length;
    const text = !this.world ? words.loading : n === 0 ? words.none : n === 1 ? words.one : words.title;
    this.title.replaceChildren(rich(say(text, { n })));
    this.title.dataset.contacts = String(n);
    this.drawList();
  }

  private drawList(): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.pair;
    const labels = new Map(this.current.items.map((item) => [item.id, labelOf(item)]));
    const label = (id: string) => labels.get(id) ?? id;
    const rows = this.contacts.slice(0, MOST_ROWS).map((contact) => {
      const [a, b] = [this.names.get(contact.a)!, this.names.get(contact.b)!];
      const light = (on: boolean) => {
        this.lit = new Set(on ? [a, b] : []);
        this.redrawShapes();
      };
      const value = contact.depth === 0 ? say(words.touch) : `${say(words.depth)} ${format(contact.depth)}`;
      return h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            "data-pair": `${a}|${b}`,
            "data-depth": contact.depth,
            onpointerenter: () => light(true),
            onpointerleave: () => light(false),
            onfocus: () => light(true),
            onblur: () => light(false),
          },
          h("span", {}, `${label(a)} · ${label(b)}`),
          h("span", { class: "value c-overlap" }, value),
        ),
      );
    });
    this.list.replaceChildren(...rows);
    if (this.contacts.length > MOST_ROWS)
      this.list.append(h("li", { class: "hint" }, say(words.more, { n: this.contacts.length - MOST_ROWS })));
    if (focused) this.list.querySelector<HTMLElement>(`[data-pair="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Draws the figure, but leaves the list as it is: the pointer is on one of its rows. */
  private redrawShapes(): void {
    const met = new Set(this.contacts.flatMap(({ a, b }) => [this.names.get(a)!, this.names.get(b)!]));
    this.figure.draw({ met, lit: this.lit, selected: this.selected, part: this.hitTest(), trace: this.trace });
  }

  async open(files: File[], signal: AbortSignal): Promise<void> {
    const { name, scene: text, count, warnings } = await readScene(named(files), {}, signal);
    if (count > MOST_SHAPES) throw new Error(say(words.tooMany, { name, n: count, limit: MOST_SHAPES }));
    if (lengthOf(text) > LONGEST)
      throw new Error(say(words.tooLong, { name, size: Math.ceil(lengthOf(text) / 1e6), most: LONGEST / 1e6 }));
    const scene = await parseScene(text);
    await this.context.carom;
    signal.throwIfAborted();
    const items = itemsOf(scene);
    if (items.length === 0) throw new Error(say(words.empty, { name }));
    const before = this.current;
    this.current = { items, frame: [0, 0, 1, 1], down: scene.y === "down", click: null };
    try {
      this.rebuild();
    } catch (error) {
      this.current = before;
      throw error;
    }
    this.current.frame = this.bounds();
    this.selected = null;
    this.buildTools();
    this.figure.fit();
    this.draw();
    if (warnings.length) setTimeout(() => this.context.message(warnings.join(" · "), "note"));
  }

  /** Returns the box around all shapes. */
  private bounds(): State["frame"] {
    const boxes = [...this.ids.values()].map((id) => this.world!.box(id));
    const least = (k: number) => Math.min(...boxes.map((box) => box[k]!));
    const most = (k: number) => Math.max(...boxes.map((box) => box[k]!));
    return [least(0), least(1), most(2), most(3)];
  }

  getState(): Json {
    return structuredClone(this.current) as unknown as Json;
  }

  setState(json: Json): void {
    const before = this.current;
    this.current = readState(json);
    try {
      this.rebuild();
      this.figure.fit();
      this.draw();
    } catch (error) {
      this.current = before;
      this.rebuild();
      this.figure.fit();
      this.draw();
      throw error;
    }
    if (!this.current.items.some((one) => one.id === this.selected)) this.selected = null;
    this.buildTools();
  }

  languageChanged(): void {
    this.build();
    this.draw();
  }

  scene(): SceneFile {
    const { items, down } = this.current;
    const colliders = items.map(({ id, shape, x, y, rotation }) => ({
      ...(id.startsWith("#") ? {} : { id }),
      shape,
      position: [x, y],
      rotation,
    }));
    return { carom: 1, colliders, ...(down ? { y: "down" } : {}) };
  }

  svg(): string {
    return exportSvg([this.figure.svg], plain(this.title.textContent ?? ""));
  }

  unmount(): void {
    cancelAnimationFrame(this.frame);
    this.world?.dispose();
  }
}

const module: RoomModule = { mount: (context) => new Drag(context) };
export default module;
