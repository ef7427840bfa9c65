// Switches between the light and the dark theme, and reads colours for canvases.

export type Theme = "light" | "dark";

export function theme(): Theme {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

/** Sets the theme and remembers it. */
export function setTheme(to: Theme): void {
  document.documentElement.dataset.theme = to;
  try {
    localStorage.setItem("carom.theme", to);
  } catch {
    // Storage can be forbidden. The choice then lasts as long as the page.
  }
}

/** The meanings of colours. Each is a CSS variable `--NAME` and a class `c-NAME` of words. */
export type Meaning =
  | "a"
  | "a-fill"
  | "b"
  | "b-fill"
  | "gap"
  | "overlap"
  | "tested"
  | "pruned"
  | "ink"
  | "faint"
  | "line"
  | "paper"
  | "sheet"
  | "solid"
  | "solid-line"
  | "light";

/** Returns the colour of a meaning in the current theme, for canvases and WebGL. */
export function colour(meaning: Meaning): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${meaning}`).trim();
}
