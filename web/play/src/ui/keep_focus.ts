// Keeps the keyboard focus while controls are replaced.

const CONTROLS = "a[href], button, input, select, summary, [tabindex]";

/**
 * Runs a change that replaces controls in a box. If the control with the focus is gone afterwards, the control of the
 * same name gets the focus, else the one at the same place.
 */
export function keepFocus(box: Element, change: () => void): void {
  const focused = document.activeElement;
  if (!focused || !box.contains(focused)) return change();
  const controls = () => [...box.querySelectorAll<HTMLElement | SVGElement>(CONTROLS)];
  const place = stops(controls()).indexOf(focused as HTMLElement);
  const name = nameOf(focused);
  change();
  if (focused.isConnected && document.activeElement === focused) return;
  const now = controls();
  const same = now.find((one) => nameOf(one) === name);
  // Of a group of radio buttons, the chosen one is the stop of the Tab key.
  const chosen = same?.closest("[role=radiogroup]")?.querySelector<HTMLElement>('[tabindex="0"]');
  const [before, after] = [stops(now).slice(0, Math.max(0, place)), stops(now).slice(Math.max(0, place))];
  for (const one of [chosen, same, ...after, ...before.reverse()]) {
    one?.focus({ preventScroll: true });
    if (one && document.activeElement === one) return;
  }
}

/** Returns the controls that the Tab key reaches. */
function stops<T extends Element>(controls: T[]): T[] {
  return controls.filter((one) => one.getAttribute("tabindex") !== "-1");
}

function nameOf(control: Element): string {
  const { tagName, textContent } = control;
  return `${tagName} ${control.getAttribute("aria-label") ?? textContent}`;
}
