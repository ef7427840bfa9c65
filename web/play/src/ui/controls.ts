// Small controls: segments, selection, slider, check box, button.

import { balance } from "./balanced_rows";
import { h, type Child } from "./dom";

export interface Choice<T extends string> {
  value: T;
  label: string;
}

/** Returns a row of which one segment is chosen. Arrow keys move the choice. */
export function segments<T extends string>(
  label: string,
  choices: Choice<T>[],
  chosen: T,
  choose: (value: T) => void,
): HTMLElement {
  const row = h("div", { class: "segments", role: "radiogroup", "aria-label": label });
  const buttons = choices.map((choice) =>
    h(
      "button",
      {
        type: "button",
        role: "radio",
        "data-value": choice.value,
        onclick: () => pick(choice.value, false),
      },
      choice.label,
    ),
  );
  const mark = (value: T) => {
    for (const button of buttons) {
      const on = button.dataset.value === value;
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
  };
  const pick = (value: T, focus: boolean) => {
    mark(value);
    if (focus) buttons.find((button) => button.dataset.value === value)?.focus();
    choose(value);
  };
  row.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = buttons.findIndex((button) => button.getAttribute("aria-checked") === "true");
    pick(choices[(at + by + choices.length) % choices.length]!.value, true);
  });
  mark(chosen);
  row.append(...buttons);
  balance(row, buttons, () => h("span", { class: "break", role: "presentation" }));
  return row;
}

/** Returns a drop-down list. */
export function select<T extends string>(
  label: string,
  choices: Choice<T>[],
  chosen: T,
  choose: (value: T) => void,
): HTMLElement {
  const list = h(
    "select",
    { "aria-label": label },
    ...choices.map((choice) => h("option", { value: choice.value, selected: choice.value === chosen }, choice.label)),
  );
  list.addEventListener("change", () => choose(list.value as T));
  return h("span", { class: "select" }, list);
}

export interface SliderOptions {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  show(value: number): string;
  input(value: number): void;
  done(): void;
}

export interface Slider {
  readonly element: HTMLElement;
  set(value: number): void;
}

export function slider(options: SliderOptions): Slider {
  const input = h("input", {
    type: "range",
    min: options.min,
    max: options.max,
    step: options.step,
    "aria-label": options.label,
  });
  // Screen readers say the value of the slider itself.
  const output = h("output", { "aria-hidden": "true" });
  const set = (value: number) => {
    input.value = String(value);
    output.textContent = options.show(value);
    input.setAttribute("aria-valuetext", options.show(value));
  };
  input.addEventListener("input", () => {
    const value = Number(input.value);
    output.textContent = options.show(value);
    input.setAttribute("aria-valuetext", options.show(value));
    options.input(value);
  });
  input.addEventListener("change", () => options.done());
  set(options.value);
  return {
    element: h("div", { class: "slider" }, h("span", { "aria-hidden": "true" }, options.label), input, output),
    set,
  };
}

/** Returns a group of sliders whose labels have one width. */
export function sliders(...all: HTMLElement[]): HTMLElement {
  return h("div", { class: "sliders" }, ...all);
}

export function checkBox(label: string, checked: boolean, change: (checked: boolean) => void): HTMLElement {
  const input = h("input", { type: "checkbox", checked });
  input.addEventListener("change", () => change(input.checked));
  return h("label", { class: "check" }, input, label);
}

export function button(label: string, run: () => void, ...children: Child[]): HTMLButtonElement {
  return h(
    "button",
    {
      class: "button",
      type: "button",
      onclick: run,
      "aria-label": children.length ? label : null,
      title: children.length ? label : null,
    },
    ...(children.length ? children : [label]),
  );
}
