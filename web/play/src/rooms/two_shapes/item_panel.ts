// The numbers of one shape: kind, place, sizes, vertices. Each can be dragged, typed and stepped.

import type { Shape } from "carom";
import { plain, h, rich } from "../../ui/dom";
import { select } from "../../ui/controls";
import { icon } from "../../ui/icons";
import { keepFocus } from "../../ui/keep_focus";
import { scrub, type Scrub } from "../../ui/scrub";
import { say } from "../../shell/language";
import type { FigureHost } from "./figure";
import { KINDS, newItem, vertices, withVertices, type Item, type Kind, type Name } from "./state";
import { kindNames, words } from "./words";

/** A size of a shape: its name, how to read it and how to replace it. */
interface Size {
  name: string;
  min: number;
  get(shape: Shape): number;
  set(shape: Shape, value: number): Shape;
}

function sizes(shape: Shape): Size[] {
  const radius = (key: "circle" | "capsule" | "segment" | "rectangle" | "polygon", min: number): Size => ({
    name: "radius",
    min,
    get: (one) => (one as unknown as Record<string, { radius?: number }>)[key]!.radius ?? 0,
    set: (one, value) =>
      ({ [key]: { ...(one as unknown as Record<string, object>)[key], radius: value } }) as unknown as Shape,
  });
  const side = (key: "width" | "height"): Size => ({
    name: key,
    min: 0.05,
    get: (one) => ("rectangle" in one ? one.rectangle[key] : 0),
    set: (one, value) => ("rectangle" in one ? { rectangle: { ...one.rectangle, [key]: value } } : one),
  });
  if ("circle" in shape) return [radius("circle", 0)];
  if ("capsule" in shape) return [radius("capsule", 0)];
  if ("segment" in shape) return [radius("segment", 0)];
  if ("rectangle" in shape) return [side("width"), side("height"), radius("rectangle", 0)];
  if ("polygon" in shape && !shape.polygon.holes?.length) return [radius("polygon", 0)];
  return [];
}

export class ItemPanel {
  readonly element = h("section", { class: "stack" });
  private built = "";
  private scrubs: { control: Scrub; get(item: Item): number }[] = [];
  private open = false;

  constructor(
    private readonly name: Name,
    private readonly host: FigureHost,
  ) {}

  private get item(): Item {
    return this.host.state()[this.name];
  }

  /** Shows the current numbers. Rebuilds the controls only if other ones are needed. */
  draw(): void {
    const { item } = this;
    const key = [item.kind, vertices(item.shape).length, document.documentElement.lang].join();
    if (key !== this.built) {
      this.built = key;
      keepFocus(this.element, () => this.build());
    }
    for (const { control, get } of this.scrubs) control.set(get(item));
  }

  private add(
    name: string,
    label: string,
    get: (item: Item) => number,
    set: (item: Item, value: number) => void,
    more: { step?: number; min?: number; max?: number; unit?: string } = {},
  ): HTMLElement {
    const { step = 0.05, ...rest } = more;
    const control = scrub({
      name,
      label: `${this.name.toUpperCase()}: ${label}`,
      value: get(this.item),
      step,
      ...rest,
      digits: 3,
      input: (value) => {
        set(this.item, value);
        this.host.changed();
      },
      done: () => this.host.commit(),
    });
    this.scrubs.push({ control, get });
    return control.element;
  }

  private build(): void {
    this.scrubs = [];
    const { item, name } = this;
    const upper = name.toUpperCase();
    const kinds = (Object.keys(KINDS) as Kind[]).map((value) => ({ value, label: say(kindNames[value]) }));
    const choose = (kind: Kind) => {
      Object.assign(this.item, newItem(kind, this.item));
      this.host.changed();
      this.host.commit();
    };
    const numbers = h(
      "div",
      { class: "numbers" },
      this.add(
        "x",
        "x",
        (one) => one.x,
        (one, value) => {
          one.x = value;
        },
      ),
      this.add(
        "y",
        "y",
        (one) => one.y,
        (one, value) => {
          one.y = value;
        },
      ),
      this.add(
        "∠",
        say(words.rotation),
        (one) => one.rotation,
        (one, value) => {
          one.rotation = value;
        },
        { step: 1, unit: "°" },
      ),
      this.add(
        say(words.scale),
        say(words.scale),
        (one) => one.scale,
        (one, value) => {
          one.scale = value;
        },
        { step: 0.02, min: 0.2, max: 3 },
      ),
    );
    for (const size of sizes(item.shape)) {
      const short =
        { radius: say(words.radius), width: say(words.width), height: say(words.height) }[size.name] ?? size.name;
      numbers.append(
        this.add(
          short,
          short,
          (one) => size.get(one.shape),
          (one, value) => {
            one.shape = size.set(one.shape, value);
          },
          { min: size.min, max: 10 },
        ),
      );
    }
    this.element.replaceChildren(
      h(
        "div",
        { class: "item-head" },
        h("h2", {}, rich(say(name === "a" ? words.shapeA : words.shapeB))),
        select(say(words.kindOf, { name: upper }), kinds, item.kind, choose),
      ),
      numbers,
    );
    if (vertices(item.shape).length) this.element.append(this.vertexList());
  }

  private vertexList(): HTMLElement {
    const { item } = this;
    const count = vertices(item.shape).length;
    const polygon = "polygon" in item.shape;
    const list = h("details", { open: this.open }, h("summary", {}, say(words.vertices)));
    list.addEventListener("toggle", () => {
      this.open = list.open;
    });
    const coordinate = (i: number, axis: 0 | 1) =>
      this.add(
        `${"xy"[axis]}${i}`,
        plain(`${say(words.vertices)} ${i} ${"xy"[axis]}`),
        (one) => vertices(one.shape)[i]?.[axis] ?? 0,
        (one, value) => {
          const points = vertices(one.shape).map((p) => [p[0]!, p[1]!]);
          points[i]![axis] = value;
          one.shape = withVertices(one.shape, points);
        },
      );
    for (let i = 0; i < count; i++) {
      const label = say(words.removeVertex, { i });
      list.append(
        h(
          "div",
          { class: "vertex-row" },
          coordinate(i, 0),
          coordinate(i, 1),
          polygon && count > 3
            ? h(
                "button",
                {
                  class: "button quiet",
                  type: "button",
                  "aria-label": label,
                  title: label,
                  onclick: () => this.edit((points) => points.splice(i, 1)),
                },
                icon("trash"),
              )
            : null,
        ),
      );
    }
    if (polygon && count < 16) {
      const add = (points: (readonly number[])[]) => {
        const [first, last] = [points[0]!, points.at(-1)!];
        const [mx, my] = [(first[0]! + last[0]!) / 2, (first[1]! + last[1]!) / 2];
        points.push([Math.round(mx * 1150) / 1000, Math.round(my * 1150) / 1000]);
      };
      list.append(
        h(
          "button",
          { class: "button", type: "button", onclick: () => this.edit(add) },
          icon("plus"),
          say(words.addVertex),
        ),
      );
    }
    return list;
  }

  private edit(change: (points: (readonly number[])[]) => void): void {
    const { item } = this;
    const points = vertices(item.shape);
    change(points);
    item.shape = withVertices(item.shape, points);
    this.host.changed();
    this.host.commit();
  }
}
