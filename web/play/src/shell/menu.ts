// A button that opens a short menu.

import { h } from "../ui/dom";

export interface MenuItem {
  label: string;
  run(): void;
}

/** Makes a button open a menu. `items` is called at each opening. */
export function attachMenu(button: HTMLButtonElement, items: () => MenuItem[]): void {
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  let popup: HTMLElement | null = null;

  const close = (refocus: boolean) => {
    const old = popup;
    if (!old) return;
    popup = null; // First: removing an element with the focus calls this again.
    old.remove();
    button.setAttribute("aria-expanded", "false");
    if (refocus) button.focus();
  };
  const open = () => {
    popup = h("menu", { class: "popup", role: "menu" });
    for (const item of items()) {
      const choose = () => {
        close(true);
        item.run();
      };
      popup.append(
        h(
          "li",
          { role: "none" },
          h("button", { class: "button", role: "menuitem", type: "button", onclick: choose }, item.label),
        ),
      );
    }
    button.after(popup);
    const room = document.documentElement.clientWidth - popup.offsetWidth - 8;
    const left = Math.min(button.offsetLeft, room - (button.offsetParent?.getBoundingClientRect().left ?? 0));
    popup.style.left = `${left}px`;
    popup.style.top = `${button.offsetTop + button.offsetHeight}px`;
    button.setAttribute("aria-expanded", "true");
    popup.addEventListener("keydown", (event) => {
      const buttons = [...popup!.querySelectorAll("button")];
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      if (event.key === "Escape") close(true);
      else if (event.key === "ArrowDown") buttons[(at + 1) % buttons.length]?.focus();
      else if (event.key === "ArrowUp") buttons[(at + buttons.length - 1) % buttons.length]?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    popup.addEventListener("focusout", (event) => {
      if (!popup?.contains(event.relatedTarget as Node)) close(false);
    });
    popup.querySelector("button")?.focus();
  };
  button.addEventListener("click", () => (popup ? close(true) : open()));
}
