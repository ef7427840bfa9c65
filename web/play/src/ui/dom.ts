// Builds HTML and SVG elements.

type Value = string | number | boolean | null | undefined | EventListener;
export type Attributes = Record<string, Value>;
export type Child = Node | string | null | undefined | false;

function fill<T extends Element>(element: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child || child === ""));
  return element;
}

/** Returns an HTML element. An attribute whose value is a function is a listener: `onclick`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** Returns an SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * Returns text whose marked words wear the colour of their meaning:
 * `<a>A</a> and <b>B</b> <overlap>overlap</overlap>`. Marks: a, b, gap, overlap, tested, pruned, strong.
 */
export function rich(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let rest = text;
  for (let found; (found = /<(\w+)>(.*?)<\/\1>/.exec(rest));) {
    const [whole, mark = "", inner = ""] = found;
    fragment.append(
      rest.slice(0, found.index),
      h(mark === "strong" ? "strong" : "span", { class: `c-${mark}` }, inner),
    );
    rest = rest.slice(found.index + whole.length);
  }
  fragment.append(rest);
  return fragment;
}

/** Returns the same text without marks: for labels and titles. */
export function plain(text: string): string {
  return text.replace(/<\/?\w+>/g, "");
}
