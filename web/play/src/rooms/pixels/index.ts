// Two sprites: pixel-perfect overlap, traced outlines, convex parts.

import type { MaskShape, Outline, PlacedShape, Shape } from "carom";
import type { Carom } from "../../carom";
import { exportSvg } from "../../draw/export_svg";
import { placePoint, type Pose } from "../../draw/shape_path";
import type { Point } from "../../draw/view";
import { format, say } from "../../shell/language";
import { segments, select, slider, sliders } from "../../ui/controls";
import { h, plain, rich } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { keepFocus } from "../../ui/keep_focus";
import { scrub, type Scrub } from "../../ui/scrub";
import type { Json, Room, RoomContext, RoomModule, SceneFile } from "../room";
import { PixelFigure } from "./figure";
import { BUNDLED, loadImage, readImage, type LoadedImage } from "./sprites";
import { firstState, LOOKS, readState, type Name, type Sprite, type State } from "./state";
import { intros, lookNames, spriteNames, words } from "./words";
import "./pixels.css";

/** All that follows from an image, a threshold and a deviation. */
interface Prepared {
  key: string;
  image: LoadedImage;
  mask: MaskShape;
  outlines: Outline[];
  /** Convex parts of the simplified outlines. */
  convex: Point[][];
  /** The outlines along the edges of the pixels. */
  exact: Outline[];
  solid: number;
}

/** The images of both sprites, and what is made of them. */
type Wanted = Record<Name, string> & { threshold: number; deviation: number };

const NAMES = ["a", "b"] as const;

class Pixels implements Room {
  private current: State = firstState();
  private carom: Carom | null = null;
  private prepared: Partial<Record<Name, Prepared>> = {};
  private readonly figure: PixelFigure;
  private readonly title = h("h1", { "data-verdict": "" });
  private readonly intro = h("p", { "data-intro": "" });
  private readonly answers = h("dl", { class: "verdicts" });
  private facts: Record<Name, HTMLElement> = { a: h("p", {}), b: h("p", {}) };
  private scrubs: { control: Scrub; get(): number }[] = [];
  private frame = 0;
  private preparing = 0;
  /** True if the last image was refused, and the message says why. */
  private refused = false;
  private next: Name = "a";

  constructor(private readonly context: RoomContext) {
    this.figure = new PixelFigure(
      { state: () => this.current, changed: () => this.changed(), commit: () => this.commit() },
      context.left,
    );
    context.figure.append(this.figure.svg);
    this.build();
    this.figure.resize();
    this.draw();
    context.carom.then(
      async (carom) => {
        if (context.left.aborted) return;
        this.carom = carom;
        await this.prepare();
      },
      () => {},
    );
  }

  private build(): void {
    const { current } = this;
    this.scrubs = [];
    const looks = LOOKS.map((value) => ({ value, label: say(lookNames[value]) }));
    this.context.side.replaceChildren(
      this.title,
      segments(say(words.look), looks, current.look, (look) => {
        this.current.look = look;
        this.commit();
      }),
      this.intro,
      this.answers,
      sliders(
        this.slider("threshold", say(words.threshold), 1, 255, 1, (value) => String(value)),
        this.slider("deviation", say(words.deviation), 0, 6, 0.25, (value) =>
          say(words.pixels, { n: format(value, 2) }),
        ),
      ),
      ...NAMES.map((name) => this.panel(name)),
      h("p", { class: "hint" }, say(words.keys)),
    );
  }

  private slider(
    key: "threshold" | "deviation",
    label: string,
    min: number,
    max: number,
    step: number,
    show: (value: number) => string,
  ): HTMLElement {
    return slider({
      label,
      min,
      max,
      step,
      show,
      value: this.current[key],
      input: (value) => {
        this.current[key] = value;
        void this.prepare();
      },
      done: () => this.context.commit(),
    }).element;
  }

  private panel(name: Name): HTMLElement {
    const upper = name.toUpperCase();
    const sprite = () => this.current[name];
    const choices = Object.keys(BUNDLED).map((value) => ({ value, label: say(spriteNames[value]!) }));
    const own = !Object.hasOwn(BUNDLED, sprite().image);
    if (own) choices.push({ value: sprite().image, label: say(words.yours) });
    const pick = (image: string) => void this.setImage(name, image);
    const input = h("input", {
      type: "file",
      accept: "image/png,image/*",
      hidden: true,
      "aria-label": say(words.openFor, { name: upper }),
    });
    input.addEventListener("change", () => {
      const [file] = input.files ?? [];
      if (file) this.context.open(file.name, (signal) => this.openImages({ [name]: file }, signal));
      input.value = "";
    });
    const label = say(words.openFor, { name: upper });
    const number = (short: string, key: "x" | "y" | "rotation", step: number) => {
      const control = scrub({
        name: short,
        label: `${upper}: ${key === "rotation" ? say(words.rotation) : key}`,
        value: sprite()[key],
        step,
        digits: 2,
        unit: key === "rotation" ? "°" : undefined,
        input: (value) => {
          sprite()[key] = value;
          this.changed();
        },
        done: () => this.commit(),
      });
      this.scrubs.push({ control, get: () => sprite()[key] });
      return control.element;
    };
    this.facts[name] = h("p", { class: "hint" });
    return h(
      "section",
      { class: "stack" },
      h(
        "div",
        { class: "item-head row" },
        h("h2", { style: "flex: 1" }, rich(say(name === "a" ? words.spriteA : words.spriteB))),
        select(say(words.spriteOf, { name: upper }), choices, sprite().image, pick),
        input,
        h(
          "button",
          { class: "button quiet", type: "button", "aria-label": label, title: label, onclick: () => input.click() },
          icon("open"),
        ),
      ),
      h("div", { class: "numbers" }, number("x", "x", 1), number("y", "y", 1), number("∠", "rotation", 1)),
      this.facts[name],
    );
  }

  private async setImage(name: Name, image: string): Promise<void> {
    this.current[name].image = image;
    keepFocus(this.context.side, () => this.build());
    await this.prepare();
    this.commit();
  }

  /** Replaces the images of one or both sprites by files. Changes nothing if it throws. */
  private async openImages(files: Partial<Record<Name, File>>, signal: AbortSignal): Promise<void> {
    const carom = await this.context.carom;
    const images: Partial<Record<Name, string>> = {};
    for (const name of NAMES) if (files[name]) images[name] = await readImage(files[name]);
    const names = NAMES.filter((name) => name in images);
    let wanted: Wanted;
    let prepared: Prepared[];
    do {
      wanted = this.wanted(images);
      prepared = await Promise.all(names.map((name) => this.prepareSprite(carom, name, wanted)));
      signal.throwIfAborted();
      // A slider that moved meanwhile wants other outlines.
    } while (names.some((name, i) => keyOf(this.wanted(images), name) !== prepared[i]!.key));
    this.preparing++;
    this.refused = false;
    names.forEach((name, i) => {
      this.prepared[name] = prepared[i]!;
      this.current[name].image = wanted[name];
    });
    keepFocus(this.context.side, () => this.build());
    this.draw();
    this.context.announce(this.title.textContent ?? "");
    // The other sprite may be refused at this threshold. Its message comes after the end of the opening.
    setTimeout(() => void this.prepare());
  }

  /** Returns what the state asks for, with some images replaced. */
  private wanted(images: Partial<Record<Name, string>> = {}): Wanted {
    const { a, b, threshold, deviation } = this.current;
    return { a: a.image, b: b.image, ...images, threshold, deviation };
  }

  /** Returns the mask and outlines of a sprite: those that are known, if they are the wanted ones. */
  private async prepareSprite(carom: Carom, name: Name, wanted: Wanted): Promise<Prepared> {
    const known = this.prepared[name];
    if (known?.key === keyOf(wanted, name)) return known;
    return prepareSprite(carom, name, await loadImage(wanted[name]), wanted);
  }

  /** Makes the masks and outlines of the state. Shows why if it cannot. */
  private async prepare(): Promise<void> {
    const { carom } = this;
    if (!carom) return;
    const ticket = ++this.preparing;
    const late = (): boolean => ticket !== this.preparing || this.context.left.aborted;
    try {
      const wanted = this.wanted();
      const [a, b] = await Promise.all(NAMES.map((name) => this.prepareSprite(carom, name, wanted)));
      if (late()) return;
      this.prepared = { a, b };
      // Only its own message: that of a damaged link stays.
      if (this.refused) this.context.message(null);
      this.refused = false;
    } catch (error) {
      if (late()) return;
      this.refused = true;
      this.context.message(error instanceof Error ? error.message : String(error), "error");
    }
    this.changed();
  }

  private changed(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private commit(): void {
    this.figure.fit();
    this.draw();
    this.context.announce(this.title.textContent ?? "");
    this.context.commit();
  }

  private draw(): void {
    cancelAnimationFrame(this.frame);
    for (const { control, get } of this.scrubs) control.set(get());
    this.intro.textContent = say(intros[this.current.look]);
    const { carom } = this;
    const [a, b] = [this.prepared.a, this.prepared.b];
    if (!carom || !a || !b) {
      this.title.replaceChildren(say(words.loading));
      return;
    }
    const { look } = this.current;
    for (const [name, one] of [
      ["a", a],
      ["b", b],
    ] as const) {
      const { data, url } = one.image;
      const rings = look === "parts" ? one.convex : ringsOf(look === "pixels" ? one.exact : one.outlines);
      this.figure.drawSprite(
        name,
        {
          url,
          width: data.width,
          height: data.height,
          rings,
          separate: look === "parts",
          vertices: look === "outline",
        },
        poseOf(this.current[name], data),
      );
      const count = (outlines: Outline[]) => ringsOf(outlines).reduce((sum, ring) => sum + ring.length, 0);
      const numbers = {
        solid: one.solid,
        exact: count(one.exact),
        vertices: count(one.outlines),
        convex: one.convex.length,
      };
      this.facts[name].textContent = say(words.facts, numbers);
    }
    this.drawAnswers(carom, a, b);
  }

  private drawAnswers(carom: Carom, a: Prepared, b: Prepared): void {
    const placed = (name: Name, one: Prepared): PlacedShape => ({
      shape: one.mask,
      ...poseOf(this.current[name], one.image.data),
    });
    const [pa, pb] = [placed("a", a), placed("b", b)];
    const region = carom.overlapRegion(pa, pb);
    const found = carom.distance(pa, pb);
    const overlaps = carom.overlaps(pa, pb);
    const verdict = overlaps ? "overlap" : found.distance === 0 ? "touch" : "apart";
    const text = { overlap: words.overlap, touch: words.touch, apart: words.apart }[verdict];
    this.title.replaceChildren(rich(say(text, { n: format(region.area, 1), d: format(found.distance, 1) })));
    this.title.dataset.verdict = verdict;
    this.title.dataset.value = String(overlaps ? region.area : found.distance);
    this.figure.drawResult(region.pieces, found.distance > 0 ? [found.pointA, found.pointB] : null);
    const yes = (value: boolean) =>
      h("dd", { class: value ? "c-overlap" : "c-gap" }, say(value ? words.yes : words.no));
    this.answers.replaceChildren(
      h("dt", {}, say(words.boxes)),
      yes(carom.intersects(boxOf(this.current.a, a), boxOf(this.current.b, b))),
      h("dt", {}, say(words.masks)),
      yes(found.distance === 0),
      h("dt", {}, say(words.traced)),
      yes(carom.intersects(tracedOf(this.current.a, a), tracedOf(this.current.b, b))),
    );
  }

  async open(files: File[], signal: AbortSignal): Promise<void> {
    const other: Name = this.next === "a" ? "b" : "a";
    const [first, second] = files;
    await this.openImages({ [this.next]: first, [other]: second }, signal);
    if (!second) this.next = other;
  }

  getState(): Json {
    return structuredClone(this.current) as unknown as Json;
  }

  setState(json: Json): void {
    this.current = readState(json);
    this.build();
    this.figure.fit();
    void this.prepare();
    this.draw();
  }

  languageChanged(): void {
    this.build();
    this.draw();
  }

  scene(): SceneFile | null {
    const [a, b] = [this.prepared.a, this.prepared.b];
    if (!a || !b) return null;
    const collider = (id: string, sprite: Sprite, one: Prepared) => {
      const { x, y } = poseOf(sprite, one.image.data);
      return { id, shape: one.mask, position: [x, y], rotation: sprite.rotation };
    };
    return { carom: 1, y: "down", colliders: [collider("A", this.current.a, a), collider("B", this.current.b, b)] };
  }

  svg(): string {
    return exportSvg([this.figure.svg], plain(this.title.textContent ?? ""));
  }

  unmount(): void {
    cancelAnimationFrame(this.frame);
  }
}

/** Returns the pose of the image's corner, so that the sprite turns about its centre. */
function poseOf(sprite: Sprite, { width, height }: { width: number; height: number }): Pose {
  const angle = (sprite.rotation * Math.PI) / 180;
  const [x, y] = placePoint([-width / 2, -height / 2], { x: sprite.x, y: sprite.y, angle });
  return { x, y, angle };
}

function ringsOf(outlines: Outline[]): Point[][] {
  return outlines.flatMap(({ points, holes }) => [points, ...holes]);
}

/** Returns the box of the image, turned with it. */
function boxOf(sprite: Sprite, { image }: Prepared): PlacedShape {
  const { width, height } = image.data;
  return {
    shape: { rectangle: { width, height } },
    x: sprite.x,
    y: sprite.y,
    angle: (sprite.rotation * Math.PI) / 180,
  };
}

/** Returns the simplified outlines as one shape. */
function tracedOf(sprite: Sprite, one: Prepared): PlacedShape {
  const polygons = one.outlines.map(({ points, holes }): { shape: Shape } => ({
    shape: { polygon: { points, holes } },
  }));
  const shape: Shape = polygons.length === 1 ? polygons[0]!.shape : { compound: polygons };
  return { shape, ...poseOf(sprite, one.image.data) };
}

/** Returns a text that is equal for equal outlines. */
function keyOf(wanted: Wanted, name: Name): string {
  return [wanted[name], wanted.threshold, wanted.deviation].join();
}

function prepareSprite(carom: Carom, name: Name, image: LoadedImage, wanted: Wanted): Prepared {
  const { threshold, deviation } = wanted;
  const solid = image.data.data.reduce((sum, value, i) => sum + Number(i % 4 === 3 && value >= threshold), 0);
  if (solid === 0) throw new Error(say(words.noSolid, { name: name.toUpperCase() }));
  const mask = carom.maskFromImage(image.data, { threshold });
  const outlines = carom.outlines(mask, { deviation });
  const convex = outlines.flatMap(({ points, holes }) => carom.decompose({ polygon: { points, holes } }));
  return { key: keyOf(wanted, name), image, mask, outlines, convex, exact: carom.outlines(mask), solid };
}

const module: RoomModule = { mount: (context) => new Pixels(context) };
export default module;
