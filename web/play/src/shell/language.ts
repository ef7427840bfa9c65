// Translates the words of the page, and formats its numbers. Each text stands in both languages
// side by side.

/** One text: English, Chinese. `{name}` is replaced by a value. */
export type Text = readonly [en: string, zh: string];

export type Language = "en" | "zh";

/** Returns the language of the page. */
export function language(): Language {
  return document.documentElement.lang === "zh" ? "zh" : "en";
}

/** Sets the language and remembers it. */
export function setLanguage(to: Language): void {
  document.documentElement.lang = to;
  try {
    localStorage.setItem("carom.language", to);
  } catch {
    // Storage can be forbidden. The choice then lasts as long as the page.
  }
}

/** Returns the text in the language of the page, with its values filled in. */
export function say(text: Text, values: Record<string, string | number> = {}): string {
  const chosen = text[language() === "zh" ? 1 : 0];
  return chosen.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}

/** Returns sentences as one text. Chinese has no spaces between them. */
export function joined(sentences: Iterable<string>): string {
  return [...sentences].join(language() === "zh" ? "" : " ");
}

/** Returns a number with at most `digits` decimals, without −0. Only with `zeros` it keeps trailing zeros. */
export function format(value: number, digits = 3, zeros = false): string {
  if (value !== 0 && (Math.abs(value) >= 1e7 || Math.abs(value) < 0.5 * 10 ** -digits)) {
    return value.toExponential(2).replaceAll("-", "−").replace("e+", "e");
  }
  const rounded = Number(value.toFixed(digits)) + 0;
  return (zeros ? rounded.toFixed(digits) : String(rounded)).replace("-", "−");
}
