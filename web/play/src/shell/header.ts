// The header: links of the rooms, language, theme.

import { rooms } from "../rooms/registry";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import { keepFocus } from "../ui/keep_focus";
import { language, say, setLanguage } from "./language";
import { setTheme, theme } from "./theme";
import { words } from "./words";

/** Draws the header. `changed` is called after another language or theme was chosen. */
export function drawHeader(header: HTMLElement, current: string, changed: (what: "language" | "theme") => void): void {
  const links = rooms.map((room) =>
    h("li", {}, h("a", { href: `#/${room.id}`, "aria-current": room.id === current ? "page" : null }, say(room.name))),
  );
  const swapTheme = () => {
    setTheme(theme() === "dark" ? "light" : "dark");
    changed("theme");
  };
  const swapLanguage = () => {
    setLanguage(language() === "zh" ? "en" : "zh");
    changed("language");
  };
  const dark = theme() === "dark";
  const parts = [
    h(
      "a",
      { class: "brand", href: `#/${rooms[0]!.id}`, "aria-label": say(words.home) },
      h("img", { src: "./icon.svg", alt: "" }),
      "carom",
    ),
    h("nav", { class: "rooms", "aria-label": say(words.rooms) }, h("ul", {}, ...links)),
    h(
      "div",
      { class: "settings" },
      h(
        "button",
        {
          class: "button quiet",
          type: "button",
          lang: language() === "zh" ? "en" : "zh",
          onclick: swapLanguage,
          "data-key": "language",
        },
        say(words.language),
      ),
      h(
        "button",
        {
          class: "button quiet",
          type: "button",
          "aria-label": say(dark ? words.light : words.dark),
          title: say(dark ? words.light : words.dark),
          onclick: swapTheme,
          "data-key": "theme",
        },
        icon(dark ? "sun" : "moon"),
      ),
    ),
  ];
  keepFocus(header, () => header.replaceChildren(...parts));
  const open = header.querySelector<HTMLElement>("[aria-current]");
  const list = open?.closest("ul");
  if (open && list) list.scrollLeft = open.offsetLeft - list.offsetLeft - 24;
}
