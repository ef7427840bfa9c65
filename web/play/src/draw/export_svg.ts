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

const SVG = "http://www.w3.org/2000/svg";

/** Returns the text of a stand-alone SVG. Its pictures lie where they are in the page. */
export function exportSvg(pictures: SVGSVGElement[], title: string): string {
  const boxes = pictures.map((one) => one.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  const sheet = document.createElementNS(SVG, "svg");
  sheet.setAttribute("viewBox", `0 0 ${Math.round(right - left)} ${Math.round(bottom - top)}`);
  sheet.setAttribute("font-family", "system-ui, sans-serif");
  const name = document.createElementNS(SVG, "title");
  name.textContent = title;
  const background = document.createElementNS(SVG, "rect");
  background.setAttribute("width", "100%");
  background.setAttribute("height", "100%");
  background.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--sheet").trim());
  sheet.append(name, background);
  pictures.forEach((one, i) => {
    const box = boxes[i]!;
    const copy = copyOf(one);
    const place = { x: box.left - left, y: box.top - top, width: box.width, height: box.height };
    for (const [key, value] of Object.entries(place)) copy.setAttribute(key, String(Math.round(value)));
    sheet.append(copy);
  });
  return `${new XMLSerializer().serializeToString(sheet)}\n`;
}

/** Returns a copy of a picture that needs no style sheet. Its handles are left out. */
function copyOf(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
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
  return copy;
}
