// The list of axes beside the figure: one row an axis, with both projections.

import { format, say, type Text } from "../../shell/language";
import { h, rich } from "../../ui/dom";
import type { ShownAxis } from "./shown_axes";
import { words } from "./words";

export interface RowsHost {
  hover(index: number | null): void;
  choose(index: number): void;
}

/** Returns the words of an axis's sources: `edge 1 of A`, `edges 0 and 2 of B`. */
export function sourceOf({ sources }: ShownAxis): string {
  const edges = (source: string, one: Text, many: Text) => {
    const found = sources.filter((axis) => axis.source === source).map((axis) => axis.edge ?? 0);
    return found.length ? say(found.length > 1 ? many : one, { i: found.join(say(words.and)) }) : "";
  };
  const named = [
    edges("edge of a", words.edgeOfA, words.edgesOfA),
    edges("edge of b", words.edgeOfB, words.edgesOfB),
    sources.some((axis) => axis.source === "nearest") ? say(words.nearest) : "",
    sources.some((axis) => axis.source === "union") ? say(words.union) : "",
  ];
  return named.filter(Boolean).join(say(words.comma));
}

/** Returns the words of an axis's overlap or gap. */
export function valueOf(axis: ShownAxis): string {
  if (axis.overlap === 0) return say(words.touchValue);
  return say(axis.overlap > 0 ? words.overlapValue : words.gapValue, { d: format(Math.abs(axis.overlap), 2, true) });
}

class Row {
  readonly element: HTMLLIElement;
  readonly button: HTMLButtonElement;
  private readonly number = h("span", { class: "number" });
  private readonly source = h("span", {});
  private readonly value = h("span", { class: "value" });
  private readonly bars = [
    h("i", { class: "bar-mark" }),
    h("i", { class: "bar-a" }),
    h("i", { class: "bar-b" }),
  ] as const;

  constructor(index: number, host: RowsHost) {
    this.number.textContent = String(index + 1);
    this.button = h(
      "button",
      { class: "axis-row", type: "button", "data-row": index, onclick: () => host.choose(index) },
      this.number,
      this.source,
      h("span", { class: "bars", "aria-hidden": "true" }, ...this.bars),
      this.value,
    );
    this.element = h("li", {}, this.button);
    this.button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && host.hover(index));
    this.button.addEventListener("pointerleave", () => host.hover(null));
    this.button.addEventListener("focus", () => this.button.matches(":focus-visible") && host.hover(index));
    this.button.addEventListener("blur", () => host.hover(null));
  }

  draw(axis: ShownAxis, chosen: boolean, lit: boolean, span: number): void {
    const { projectionA: a, projectionB: b } = axis;
    const middle = (Math.min(a[0], b[0]) + Math.max(a[1], b[1])) / 2;
    // Left and right are those of the figure.
    const side = axis.normal[0] < 0 ? "right" : "left";
    const put = (bar: HTMLElement, from: number, to: number) => {
      bar.style.left = bar.style.right = "";
      bar.style[side] = `${50 + ((from - middle) / span) * 100}%`;
      bar.style.width = `${((to - from) / span) * 100}%`;
    };
    const apart = axis.overlap < 0;
    const [mark, barA, barB] = this.bars;
    put(mark, axis.band[0], axis.band[1]);
    mark.style.background = apart ? "var(--gap)" : "var(--overlap)";
    put(barA, a[0], a[1]);
    put(barB, b[0], b[1]);
    this.source.replaceChildren(rich(sourceOf(axis)));
    this.value.replaceChildren(rich(valueOf(axis)));
    this.button.classList.toggle("decides", axis.decides);
    this.button.classList.toggle("lit", lit);
    if (chosen) this.button.setAttribute("aria-current", "true");
    else this.button.removeAttribute("aria-current");
  }
}

export class AxisRows {
  readonly element = h("ol", { class: "axis-list", tabindex: -1 });
  private rows: Row[] = [];

  constructor(private readonly host: RowsHost) {}

  draw(axes: ShownAxis[], chosen: number, lit: number | null): void {
    while (this.rows.length > axes.length) this.rows.pop()!.element.remove();
    while (this.rows.length < axes.length) {
      const row = new Row(this.rows.length, this.host);
      this.rows.push(row);
      this.element.append(row.element);
    }
    const spans = axes.map(({ projectionA: a, projectionB: b }) => Math.max(a[1], b[1]) - Math.min(a[0], b[0]));
    const span = Math.max(...spans, 1e-9);
    axes.forEach((axis, i) => this.rows[i]!.draw(axis, i === chosen, i === lit, span));
  }
}
