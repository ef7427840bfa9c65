// Keys and touch buttons of the mover.

import { h } from "../../ui/dom";
import { icon, type IconName } from "../../ui/icons";
import { say, type Text } from "../../shell/language";
import type { Input } from "./messages";
import { words } from "./words";

const KEYS: Record<string, keyof Input> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  a: "left",
  d: "right",
  w: "up",
  s: "down",
  " ": "jump",
};

const nothing = (): Input => ({ left: false, right: false, up: false, down: false, jump: false });

/** Reads the keyboard while the figure or the page has the focus. */
export class Controls {
  /** The directions that are held, and those that were pressed since the last frame. */
  private readonly held = nothing();
  private pressed = nothing();
  readonly touch = h("div", { class: "touch" });

  constructor(
    private readonly canvas: HTMLElement,
    private readonly shoot: () => void,
    signal: AbortSignal,
  ) {
    addEventListener("keydown", (event) => this.key(event, true), { signal });
    addEventListener("keyup", (event) => this.key(event, false), { signal });
    addEventListener("blur", () => this.release(), { signal });
    this.languageChanged();
  }

  /** Returns the input of the next frame. A short press counts, even if no frame was requested during it. */
  take(): Input {
    const input = nothing();
    for (const key of Object.keys(input) as (keyof Input)[]) input[key] = this.held[key] || this.pressed[key];
    this.pressed = nothing();
    return input;
  }

  private set(key: keyof Input, on: boolean): void {
    this.held[key] = on;
    if (on) this.pressed[key] = true;
  }

  private release(): void {
    Object.assign(this.held, nothing());
    this.pressed = nothing();
  }

  private key(event: KeyboardEvent, down: boolean): void {
    const focus = document.activeElement;
    const ours = focus === this.canvas || focus === document.body || focus === null || focus?.id === "figure";
    if (!ours && down) return;
    // A shortcut is no input. The end of a press always counts, except beside the key Meta: macOS reports none there.
    if (event.key === "Meta") this.release();
    if (down && (event.ctrlKey || event.metaKey || event.altKey)) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const key = KEYS[name];
    if (key) {
      this.set(key, down);
      if (key === "up") this.set("jump", down);
      if (ours) event.preventDefault();
    } else if (name === "f" && down && !event.repeat) this.shoot();
  }

  languageChanged(): void {
    const hold = (key: keyof Input, text: Text, name: IconName, turn = 0) => {
      const button = h("button", { class: "button", type: "button", "aria-label": say(text) }, icon(name));
      button.style.rotate = `${turn}deg`;
      const set = (on: boolean) => () => this.set(key, on);
      button.addEventListener("pointerdown", set(true));
      for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, set(false));
      button.addEventListener("keydown", (event) => (event.key === " " || event.key === "Enter") && set(true)());
      button.addEventListener("keyup", set(false));
      button.addEventListener("contextmenu", (event) => event.preventDefault());
      return button;
    };
    const fire = h(
      "button",
      { class: "button fire", type: "button", "aria-label": say(words.shoot), onclick: () => this.shoot() },
      "●",
    );
    this.touch.replaceChildren(
      hold("left", words.left, "previous"),
      hold("right", words.right, "next"),
      h("span", { class: "spring" }),
      fire,
      hold("down", words.down, "next", 90),
      hold("jump", words.jump, "next", -90),
    );
  }
}
