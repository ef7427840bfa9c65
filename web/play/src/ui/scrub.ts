// A number that is dragged sideways, typed, or stepped with the arrow keys.

import { h } from "./dom";
import { followPointer } from "./follow_pointer";

export interface ScrubOptions {
  /** The visible name: `x`. */
  name: string;
  /** The label for screen readers; default: the name. */
  label?: string;
  value: number;
  /** The change for one arrow key, and for 4 pixels of dragging. Shift: 10 times as much. */
  step: number;
  min?: number;
  max?: number;
  unit?: string;
  /** Decimals shown; default 2. */
  digits?: number;
  /** Called at each change. */
  input(value: number): void;
  /** Called when the gesture ends: a place for `commit`. */
  done(): void;
}

/** The control with a way to change its value from outside. */
export interface Scrub {
  readonly element: HTMLElement;
  set(value: number): void;
}

export function scrub(options: ScrubOptions): Scrub {
  const { step, min = -1e6, max = 1e6, digits = 2 } = options;
  let value = options.value;
  const show = () => String(Number(value.toFixed(digits)) + 0);
  const input = h("input", {
    type: "text",
    inputmode: "decimal",
    role: "spinbutton",
    autocomplete: "off",
    "aria-label": options.label ?? options.name,
  });
  const refresh = () => {
    input.value = show();
    input.setAttribute("aria-valuenow", show());
  };
  const change = (to: number) => {
    const next = Math.min(max, Math.max(min, to));
    if (!Number.isFinite(next) || next === value) return;
    value = next;
    refresh();
    options.input(value);
  };
  const typed = () => {
    const to = Number(input.value.replace("−", "-").replace(",", "."));
    if (input.value.trim() === "" || Number.isNaN(to)) return refresh();
    if (input.value !== show()) {
      change(to);
      options.done();
    }
    refresh();
  };
  refresh();
  input.addEventListener("keydown", (event) => {
    const sign = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (sign) {
      event.preventDefault();
      change(Number((value + sign * step * (event.shiftKey ? 10 : 1)).toPrecision(12)));
      options.done();
    } else if (event.key === "Enter") typed();
    else if (event.key === "Escape") refresh();
  });
  input.addEventListener("change", typed);
  input.addEventListener("blur", refresh);
  const element = h(
    "label",
    { class: "scrub" },
    h("span", { class: "name", "aria-hidden": "true" }, options.name),
    input,
    options.unit ? h("span", { class: "unit" }, options.unit) : null,
  );
  dragSideways(
    element,
    input,
    () => value,
    (start, steps, fast) => change(Number((start + steps * step * (fast ? 10 : 1)).toPrecision(12))),
    options.done,
  );
  return {
    element,
    set(to) {
      if (to === value) return;
      value = to;
      if (document.activeElement !== input) refresh();
      else if (Number(input.value) !== to) refresh();
    },
  };
}

function dragSideways(
  element: HTMLElement,
  input: HTMLInputElement,
  current: () => number,
  move: (start: number, steps: number, fast: boolean) => void,
  done: () => void,
): void {
  let moved = false;
  followPointer(element, (event) => {
    if (document.activeElement === input) return null;
    event.preventDefault();
    const [x, start] = [event.clientX, current()];
    moved = false;
    return {
      move(at) {
        const pixels = at.clientX - x;
        if (!moved && Math.abs(pixels) < 4) return;
        moved = true;
        move(start, Math.trunc(pixels / 4), at.shiftKey);
      },
      end({ type }) {
        if (moved) done();
        else if (type === "pointerup") {
          input.focus();
          input.select();
        }
      },
    };
  });
  element.addEventListener("click", (event) => moved && event.preventDefault());
}
