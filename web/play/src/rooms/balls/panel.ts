// The text and the controls of the room Balls.

import { say, type Text } from "../../shell/language";
import { button, checkBox, segments, slider } from "../../ui/controls";
import { h, rich } from "../../ui/dom";
import { keepFocus } from "../../ui/keep_focus";
import { Chart } from "./chart";
import type { Counts } from "./messages";
import { METHODS, type MethodId, methodOf } from "./methods";
import { number } from "./number";
import { COUNTS, largest, LIVE, SPEEDS, type State, WATCHED } from "./state";
import { words } from "./words";

/** What the controls call. */
export interface PanelActions {
  method(method: MethodId): void;
  size(size: number): void;
  speed(speed: number): void;
  draw(on: boolean): void;
  measure(): void;
  done(): void;
}

/** Times in milliseconds, medians. Null: nothing was measured. */
export interface Times {
  step: number | null;
  search: number | null;
  draw: number | null;
  script: number | null;
  rate: number | null;
  energy: number;
}

/** Text of a value that was not measured. */
const NONE = "–";

export class Panel {
  readonly chart = new Chart();
  private readonly values = new Map<string, HTMLElement>();
  private bar = h("i", {});
  private measureButton: HTMLButtonElement | null = null;
  private measuring = false;
  private speedPart = h("div", {});
  private limitPart = h("p", {});

  constructor(
    private readonly side: HTMLElement,
    private readonly actions: PanelActions,
  ) {}

  /** Draws everything in the current language. `drawing` is the state of the check box. */
  render(state: State, drawing: boolean): void {
    const method = methodOf(state.method);
    const choices = METHODS.map(({ id, name }) => ({ value: id, label: say(name) }));
    const most = largest(state.method);
    const count = slider({
      label: say(words.balls),
      value: state.size,
      min: 0,
      max: most,
      step: 1,
      show: (size) => number(COUNTS[size]!),
      input: this.actions.size,
      done: this.actions.done,
    });
    const speed = slider({
      label: say(words.speed),
      value: state.speed,
      min: 0,
      max: LIVE,
      step: 1,
      show: (index) => (index === LIVE ? say(words.live) : say(words.perSecond, { count: SPEEDS[index]! })),
      input: this.actions.speed,
      done: this.actions.done,
    });
    this.speedPart = h("div", { "data-part": "speed" }, speed.element);
    this.limitPart = h("p", { class: "hint" }, say(words.slowLimit, { most: WATCHED }));
    this.showSpeed(state);
    this.measureButton = button(say(words.measure), () => this.actions.measure());
    const parts = [
      h("h1", {}, say(words.title)),
      h("p", {}, say(words.intro)),
      h(
        "div",
        { class: "stack", "data-part": "method" },
        segments(say(words.method), choices, state.method, this.actions.method),
        h("p", { class: "change" }, rich(say(method.change))),
        method.observed ? null : h("p", { class: "hint" }, say(words.wide)),
      ),
      this.countsCard(),
      h(
        "div",
        { class: "stack" },
        h("div", { "data-part": "size" }, count.element),
        h("p", { class: "hint" }, say(words.atMost, { most: number(method.most) })),
        this.speedPart,
        this.limitPart,
      ),
      this.timesCard(drawing),
      h("p", { class: "hint" }, say(words.same)),
      h("div", { class: "stack" }, this.chart.element, h("div", { class: "row" }, this.measureButton)),
    ];
    keepFocus(this.side, () => this.side.replaceChildren(...parts));
    this.chart.setCurrent(state.method);
    this.setMeasuring(this.measuring);
  }

  /** Shows the slider of the speed if the search can be watched. The other controls stay: one of them is in use. */
  showSpeed({ method, size }: State): void {
    const watchable = methodOf(method).observed && COUNTS[size]! <= WATCHED;
    this.speedPart.hidden = !watchable;
    this.limitPart.hidden = watchable;
  }

  private cell(key: string, name: Text, ...extra: HTMLElement[]): HTMLElement {
    const value = h("output", { "data-value": key, "aria-live": "off" }, this.values.get(key)?.textContent ?? NONE);
    this.values.set(key, value);
    return h("div", { class: "fact" }, h("span", {}, say(name)), value, ...extra);
  }

  private countsCard(): HTMLElement {
    const bar = h("div", { class: "bar", "aria-hidden": "true" }, this.bar);
    return h(
      "div",
      { class: "card facts counts" },
      this.cell("tests", words.tests),
      this.cell("possible", words.allPairs),
      bar,
      this.cell("share", ["", ""]),
      this.cell("pairs", words.pairs),
      this.cell("swaps", words.swaps),
      this.cell("strategy", ["", ""]),
    );
  }

  private timesCard(drawing: boolean): HTMLElement {
    return h(
      "div",
      { class: "card facts times" },
      this.cell("search", words.searching),
      this.cell("step", words.simulation),
      this.cell("draw", words.drawing),
      this.cell("script", words.script),
      this.cell("rate", words.rate),
      this.cell("energy", words.energy),
      checkBox(say(words.drawBalls), drawing, this.actions.draw),
    );
  }

  private set(key: string, text: string): void {
    const value = this.values.get(key);
    if (value && value.textContent !== text) value.textContent = text;
  }

  /** Shows the counts of a search, or of its part that was played. */
  showCounts(count: number, counts: Pick<Counts, "tests" | "swaps" | "pairs">, chosen: string, counted: boolean): void {
    const possible = (count * (count - 1)) / 2;
    const share = (100 * counts.tests) / possible;
    this.set("tests", counted ? number(counts.tests) : say(words.uncounted));
    this.set("possible", number(possible));
    const percent = share >= 99.95 ? 100 : Number(share.toPrecision(3));
    this.set("share", counted ? say(words.share, { share: percent }) : "");
    this.set("pairs", number(counts.pairs));
    this.set("swaps", number(counts.swaps));
    this.set("strategy", chosen ? say(words.chosen, { strategy: chosen }) : "");
    this.bar.style.width = counts.tests ? `max(2px, ${Math.min(100, share)}%)` : "0";
  }

  showTimes(times: Times): void {
    const milliseconds = (value: number | null) => (value === null ? NONE : `${value.toFixed(2)} ms`);
    this.set("step", milliseconds(times.step));
    this.set("search", milliseconds(times.search));
    this.set("draw", milliseconds(times.draw));
    this.set("script", milliseconds(times.script));
    this.set("rate", times.rate === null ? NONE : times.rate.toFixed(0));
    this.set("energy", `× ${times.energy.toFixed(6)}`);
  }

  setMeasuring(on: boolean): void {
    this.measuring = on;
    if (this.measureButton) this.measureButton.textContent = say(on ? words.measuring : words.measure);
  }
}
