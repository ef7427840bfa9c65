// Writes an SVG of the page as a file of its own: the colours of the style sheets become attributes.

const PROPERTIES = [
  "fill",
  "fill-opacity",
  "fill-rule",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
] as const;

/** Returns the text of a stand-alone SVG. */
export function exportSvg(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.getBoundingClientRect();
  /** Handles, and the wide lines that receive the pointer. */
  const tools: Element[] = [];
  const pairs: [Element, Element][] = [[svg, copy]];
  for (let i = 0; i < pairs.length; i++) {
    const [from, to] = pairs[i]!;
    [...from.children].forEach((child, k) => pairs.push([child, to.children[k]!]));
  }
  for (const [from, to] of pairs) {
    if (from === svg) continue;
    const style = getComputedStyle(from);
    if (style.display === "none") continue;
    for (const name of PROPERTIES) {
      const value = style.getPropertyValue(name);
      if (value && to.tagName !== "g") to.setAttribute(name, value);
    }
    if (to.tagName === "g" && style.opacity !== "1") to.setAttribute("opacity", style.opacity);
    if (from.matches("[data-handle], .axis-hit")) tools.push(to);
    for (const name of ["class", "tabindex", "role", "aria-label", "style"]) to.removeAttribute(name);
    for (const name of to.getAttributeNames()) if (name.startsWith("data-")) to.removeAttribute(name);
  }
  for (const one of tools) one.remove();
  for (const name of copy.getAttributeNames()) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${Math.round(width)} ${Math.round(height)}`);
  copy.setAttribute("font-family", "system-ui, sans-serif");
  const background = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  background.setAttribute("width", "100%");
  background.setAttribute("height", "100%");
  background.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--sheet").trim());
  const name = document.createElementNS("http://www.w3.org/2000/svg", "title");
  name.textContent = title;
  copy.prepend(name, background);
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}
