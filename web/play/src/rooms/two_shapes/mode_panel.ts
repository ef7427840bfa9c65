// The text and the controls of each mode. `draw` fills them with the current results.

import type { Distance, Explanation, GjkExplanation, ImpactExplanation, Manifold, OverlapRegion } from "carom";
import { format, joined, say } from "../../shell/language";
import { button, slider, type Slider } from "../../ui/controls";
import { h, plain, rich } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { scrub, type Scrub } from "../../ui/scrub";
import { AxisRows, type RowsHost } from "./axis_rows";
import type { FigureHost } from "./figure";
import { gjkAt } from "./gjk_layer";
import type { ShownAxis } from "./shown_axes";
import { words } from "./words";

/** Returns the least decimals, 4 to 12, at which adjacent times look different. Returns 4 if 12 are not enough. */
function digitsThatDiffer(times: number[]): number {
  const differ = (digits: number) =>
    times.every((time, i) => i === 0 || format(time, digits) !== format(times[i - 1]!, digits));
  let digits = 4;
  while (digits < 12 && !differ(digits)) digits++;
  return differ(digits) ? digits : 4;
}

const paragraph = () => h("p", {});
const point = (p: readonly number[]) => `${format(p[0]!)}, ${format(p[1]!)}`;

/** Returns a row of two buttons and a title between them. */
function stepper(previous: string, next: string, title: HTMLElement, step: (by: number) => void): HTMLElement {
  return h(
    "div",
    { class: "row" },
    button(previous, () => step(-1), icon("previous")),
    button(next, () => step(1), icon("next")),
    title,
  );
}

export class AxesPanel {
  readonly element = h("section", { class: "stack" });
  private readonly why = paragraph();
  private readonly how = h("p", { class: "hint" });
  private readonly parts = h("p", { class: "hint" });
  private readonly title = h("h2", {});
  private readonly rows: AxisRows;

  constructor(host: RowsHost, step: (by: number) => void) {
    this.rows = new AxisRows(host);
    this.element.append(
      this.why,
      this.how,
      this.parts,
      stepper(say(words.previous), say(words.next), this.title, step),
      this.rows.element,
    );
  }

  draw(
    found: Explanation,
    axes: ShownAxis[],
    chosen: number,
    lit: number | null,
    concave: { a: boolean; b: boolean },
  ): void {
    const n = axes.findIndex((axis) => axis.decides) + 1;
    const parts = concave.a || concave.b;
    const apart = parts ? words.whyPartsApart : words.whyApart;
    const overlap = parts ? words.whyParts : words.whyOverlap;
    const text = !found.intersects ? apart : found.overlaps ? overlap : words.whyTouch;
    this.why.replaceChildren(rich(say(text, { n })));
    const nearest = axes.some(({ sources }) => sources.some(({ source }) => source === "nearest"));
    const how = [
      words.projection,
      ...(nearest ? [words.nearestAxis] : []),
      ...(found.intersects ? [] : [words.largestGap]),
      words.enough,
    ];
    this.how.textContent = joined(how.map((one) => say(one)));
    const named = [
      concave.a && say(words.partOf, { i: found.partA + 1, name: "<a>A</a>" }),
      concave.b && say(words.partOf, { i: found.partB + 1, name: "<b>B</b>" }),
    ].filter(Boolean);
    this.parts.hidden = !named.length;
    this.parts.replaceChildren(rich(say(words.parts, { which: named.join(say(words.and)) })));
    this.title.textContent = say(words.axesTitle, { count: axes.length });
    this.rows.draw(axes, chosen, lit);
  }
}

export class ClosestPanel {
  readonly element = h("section", { class: "stack" });
  private readonly text = paragraph();
  private readonly facts = h("dl", { class: "contact-facts" });

  constructor() {
    this.element.append(this.text, this.facts);
  }

  draw(found: Distance, contact: Manifold | null, region: OverlapRegion | null): void {
    this.text.replaceChildren(rich(say(contact ? words.closestOverlap : words.closestApart)));
    const rows: [string, string][] = contact
      ? [
          [say(words.depth), format(contact.depth, 4)],
          [say(words.normal), point(contact.normal)],
          ...contact.points.map((one, i): [string, string] => [
            say(words.contactPoint, { i: i + 1 }),
            point(one.position),
          ]),
          [say(words.sharedArea), format(region?.area ?? 0, 4)],
        ]
      : [
          [say(words.distance), format(found.distance, 4)],
          [say(words.pointOnA), point(found.pointA)],
          [say(words.pointOnB), point(found.pointB)],
        ];
    this.facts.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", {}, rich(name)), h("dd", {}, value)]));
  }
}

export class GjkPanel {
  readonly element = h("section", { class: "stack" });
  private readonly title = h("h2", {});
  private readonly text = paragraph();
  private readonly radius = h("p", { class: "hint" });

  constructor(step: (by: number) => void) {
    this.element.append(
      stepper(say(words.previousStep), say(words.nextStep), this.title, step),
      this.text,
      this.radius,
      h("p", { class: "hint" }, rich(say(words.gjkIntro))),
    );
  }

  draw(found: GjkExplanation, step: number): void {
    const { simplex, support } = gjkAt(found, step);
    const one = found.steps[step];
    this.title.textContent = say(words.gjkStep, { i: step + 1, n: found.steps.length + 1 });
    const vertices = simplex.length === 1 ? say(words.gjkPoint) : say(words.gjkPoints, { n: simplex.length });
    const text =
      one && support
        ? say(words.gjkSupport, {
            simplex: vertices,
            va: support.vertexA,
            vb: support.vertexB,
            lower: format(Math.max(0, one.lowerBound)),
            upper: format(one.upperBound),
          })
        : found.intersects
          ? say(words.gjkInside)
          : say(words.gjkOutside, { d: format(found.distance) });
    this.text.replaceChildren(rich(text));
    this.radius.hidden = found.radius === 0;
    this.radius.textContent = say(words.gjkRadius, { r: format(found.radius) });
  }
}

export class ImpactPanel {
  readonly element = h("section", { class: "stack" });
  private readonly text = paragraph();
  private readonly at = paragraph();
  private readonly slider: Slider;
  private readonly jump: HTMLButtonElement;
  private readonly numbers: [Scrub, "dx" | "dy" | "rotation"][];
  private readonly method = h("p", { class: "hint" });
  private readonly body = h("tbody", {});
  private impact = 0;

  constructor(private readonly host: FigureHost) {
    const state = () => host.state();
    const changed = () => host.changed();
    const done = () => host.commit();
    this.slider = slider({
      label: say(words.time),
      value: state().time,
      min: 0,
      max: 1,
      step: 0.001,
      show: (value) => format(value),
      input: (value) => {
        state().time = value;
        changed();
      },
      done,
    });
    this.jump = button(say(words.toImpact), () => {
      state().time = this.impact;
      changed();
      done();
    });
    const number = (key: "dx" | "dy" | "rotation", name: string): [Scrub, typeof key] => [
      scrub({
        name,
        label: `${plain(say(words.motion))}: ${key === "rotation" ? say(words.rotation) : key}`,
        value: state().motion[key],
        digits: 3,
        step: key === "rotation" ? 5 : 0.1,
        unit: key === "rotation" ? "°" : undefined,
        input: (value) => {
          state().motion[key] = value;
          changed();
        },
        done,
      }),
      key,
    ];
    this.numbers = [number("dx", "Δx"), number("dy", "Δy"), number("rotation", "∠")];
    this.element.append(
      this.text,
      this.slider.element,
      h("div", { class: "row" }, this.jump, this.at),
      h("h2", {}, rich(say(words.motion))),
      h("div", { class: "numbers" }, ...this.numbers.map(([one]) => one.element)),
      h("h2", {}, say(words.advancement)),
      this.method,
      h(
        "table",
        { class: "steps" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, say(words.columnTime)),
            h("th", { scope: "col" }, say(words.columnGap)),
          ),
        ),
        this.body,
      ),
    );
  }

  /** `gap` is the distance at the chosen time, or minus the depth. */
  draw(found: ImpactExplanation, gap: number): void {
    const { time, motion } = this.host.state();
    const { impact, method, steps } = found;
    this.impact = impact?.time ?? 1;
    this.jump.disabled = !impact;
    const text = !impact
      ? say(words.impactMiss)
      : impact.initialDepth !== null
        ? say(words.impactStart, { d: format(impact.initialDepth) })
        : say(words.impactHit, { t: format(impact.time) });
    this.text.replaceChildren(rich(text));
    this.at.replaceChildren(
      rich(say(gap >= 0 ? words.gapAt : words.overlapAt, { t: format(time), d: format(Math.abs(gap)) })),
    );
    this.slider.set(time);
    for (const [control, key] of this.numbers) control.set(motion[key]);
    this.method.textContent = say(
      { start: words.methodStart, clip: words.methodClip, advancement: words.methodAdvancement }[method],
    );
    const digits = digitsThatDiffer(steps.map((one) => one.time));
    this.body.replaceChildren(
      ...steps.map((one) => h("tr", {}, h("td", {}, format(one.time, digits)), h("td", {}, format(one.gap, 5)))),
    );
  }
}
