// Draws the growth of tests and of milliseconds with the number of balls, one line for each method.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { say } from "../../shell/language";
import { colour } from "../../shell/theme";
import { h } from "../../ui/dom";
import { METHODS, type MethodId, methodOf } from "./methods";
import { number } from "./number";
import { words } from "./words";

/** A measured point of a method. */
export interface Sample {
  count: number;
  tests: number;
  search: number;
}

type Value = "tests" | "search";

/** Height of one chart in CSS pixels. */
const HEIGHT = 190;

export class Chart {
  readonly element = h("div", { class: "charts" });
  private readonly samples = new Map<MethodId, Map<number, Sample>>();
  private plots: uPlot[] = [];
  private current: MethodId = "brute";
  private readonly resize = new ResizeObserver(() => this.fit());

  constructor() {
    this.resize.observe(this.element);
  }

  /** Adds a point, or replaces the one of this method and count. */
  add(method: MethodId, sample: Sample): void {
    const of = this.samples.get(method) ?? new Map<number, Sample>();
    this.samples.set(method, of.set(sample.count, sample));
    this.refresh();
  }

  setCurrent(method: MethodId): void {
    this.current = method;
    this.rebuild();
  }

  /** Draws everything again: after another language or theme. */
  rebuild(): void {
    for (const plot of this.plots) plot.destroy();
    this.element.replaceChildren();
    const width = Math.max(200, this.element.clientWidth);
    this.plots = (["tests", "search"] as const).map((value) => {
      const title = say(value === "tests" ? words.chartTests : words.chartTime);
      const box = h("div", { role: "img", "aria-label": title });
      this.element.append(h("h2", {}, title), box);
      return new uPlot(this.options(value, width), this.data(value), box);
    });
    this.element.append(this.table());
  }

  private options(value: Value, width: number): uPlot.Options {
    const axis = { stroke: colour("faint"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false } };
    const short = (_: uPlot, ticks: (number | null)[]) => ticks.map((tick) => (tick === null ? "" : brief(tick)));
    return {
      width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, distr: 3, range: [8, 130_000] }, y: { distr: 3 } },
      axes: [
        { ...axis, size: 30, values: short },
        { ...axis, size: 52, values: short },
      ],
      series: [{}, ...METHODS.map((method) => this.series(method.id))],
      hooks: { draw: [(plot) => this.drawNames(plot, value)] },
    };
  }

  private series(method: MethodId): uPlot.Series {
    const chosen = method === this.current;
    const stroke = colour(chosen ? "tested" : "solid-line");
    return {
      stroke,
      width: chosen ? 3 : 1.25,
      spanGaps: true,
      points: { show: true, size: chosen ? 7 : 4, fill: stroke },
    };
  }

  private data(value: Value): uPlot.AlignedData {
    const all = [...this.samples.values()].flatMap((of) => [...of.keys()]);
    const counts = [...new Set(all)].sort((a, b) => a - b);
    const column = (method: MethodId) =>
      counts.map((count) => {
        const number = this.samples.get(method)?.get(count)?.[value];
        // A logarithmic axis has no 0. The tree does not count its tests.
        return number ? Math.max(number, 0.0001) : null;
      });
    return [counts, ...METHODS.map((method) => column(method.id))];
  }

  /** Writes the name of each method right of the end of its line, or above it if there is no space. */
  private drawNames(plot: uPlot, value: Value): void {
    const { ctx } = plot;
    ctx.save();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    const right = plot.bbox.left + plot.bbox.width;
    const taken: number[] = [];
    const ordered = [...METHODS].sort((a, b) => Number(b.id === this.current) - Number(a.id === this.current));
    for (const { id, name } of ordered) {
      const last = [...(this.samples.get(id)?.values() ?? [])].sort((a, b) => b.count - a.count)[0];
      if (!last?.[value]) continue;
      const x = Math.min(plot.valToPos(last.count, "x", true), right);
      const space = 7 * devicePixelRatio;
      const fits = x + space + ctx.measureText(say(name)).width < right;
      const y = plot.valToPos(last[value], "y", true) + (fits ? 0.5 : -1) * space;
      if (taken.some((other) => Math.abs(other - y) < 11 * devicePixelRatio)) continue;
      taken.push(y);
      ctx.fillStyle = colour(id === this.current ? "tested" : "faint");
      ctx.textAlign = fits ? "left" : "right";
      ctx.fillText(say(name), fits ? x + space : x, y);
    }
    ctx.restore();
  }

  /** The same numbers as a table. */
  private table(): HTMLElement {
    const rows = METHODS.flatMap(({ id, name }) =>
      [...(this.samples.get(id)?.values() ?? [])]
        .sort((a, b) => a.count - b.count)
        .map(({ count, tests, search }) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, say(name)),
            ...[count, tests, search].map((n) => h("td", {}, number(n))),
          ),
        ),
    );
    const head = [words.method, words.balls, words.tests, words.searchTime].map((text) =>
      h("th", { scope: "col" }, say(text)),
    );
    return h(
      "details",
      {},
      h("summary", {}, say(words.numbers)),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": say(words.numbers) },
        h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
      ),
    );
  }

  private refresh(): void {
    if (!this.plots.length) return this.rebuild();
    (["tests", "search"] as const).forEach((value, index) => this.plots[index]!.setData(this.data(value)));
    const details = this.element.querySelector("details");
    if (!details) return;
    const table = this.table();
    table.toggleAttribute("open", details.open);
    details.replaceWith(table);
  }

  private fit(): void {
    const width = Math.max(200, this.element.clientWidth);
    for (const plot of this.plots) if (plot.width !== width) plot.setSize({ width, height: HEIGHT });
  }

  /** Returns true if a method has a point at this count. */
  has(method: MethodId, count: number): boolean {
    return this.samples.get(methodOf(method).id)?.has(count) ?? false;
  }

  dispose(): void {
    this.resize.disconnect();
    for (const plot of this.plots) plot.destroy();
  }
}

/** Returns a number with three digits and a letter: 12.5k, 3M. */
function brief(value: number): string {
  for (const [size, letter] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const) {
    if (value >= size) return `${Number((value / size).toPrecision(3))}${letter}`;
  }
  return String(Number(value.toPrecision(3)));
}
