// The tools of every room: undo, redo, reset, link, save, open.

import { h } from "../ui/dom";
import { icon, type IconName } from "../ui/icons";
import { say, type Text } from "./language";
import { attachMenu, type MenuItem } from "./menu";
import { words } from "./words";

export interface ToolbarActions {
  undo(): void;
  redo(): void;
  reset(): void;
  share(): void;
  saves(): MenuItem[];
  /** `null` if the room opens no files. */
  open: ((files: File[]) => void) | null;
}

/** The row of tools above the figure. */
export class Toolbar {
  readonly element = h("div", { class: "toolbar", role: "toolbar" });
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;

  constructor(actions: ToolbarActions) {
    const tool = (name: IconName, text: Text, run?: () => void) =>
      h(
        "button",
        { class: "button quiet", type: "button", "aria-label": say(text), title: say(text), onclick: run },
        icon(name),
      );
    this.undo = tool("undo", words.undo, actions.undo);
    this.redo = tool("redo", words.redo, actions.redo);
    const save = tool("save", words.save);
    attachMenu(save, () => actions.saves());
    this.element.setAttribute("aria-label", say(words.tools));
    this.element.append(
      this.undo,
      this.redo,
      tool("reset", words.reset, actions.reset),
      h("span", { class: "spring" }),
    );
    if (actions.open) {
      const input = h("input", { type: "file", multiple: true, hidden: true, "aria-label": say(words.open) });
      input.addEventListener("change", () => {
        if (input.files?.length) actions.open?.([...input.files]);
        input.value = "";
      });
      this.element.append(
        input,
        tool("open", words.open, () => input.click()),
      );
    }
    this.element.append(tool("link", words.share, actions.share), save);
  }

  update(canUndo: boolean, canRedo: boolean): void {
    this.undo.disabled = !canUndo;
    this.redo.disabled = !canRedo;
  }
}
