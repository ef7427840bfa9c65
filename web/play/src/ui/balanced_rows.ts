// Distributes the segments of a control over rows.

/** The most segments of a control. More would need another search. */
const MOST = 12;

/**
 * Returns the number of segments in each row: as few rows as fit into `space`, then as few rows of one segment as
 * possible, then rows of nearly equal width. A segment that is wider than `space` has a row of its own.
 */
export function balancedRows(widths: readonly number[], gap: number, space: number): number[] {
  if (widths.length > MOST) throw new RangeError(`${widths.length} segments: at most ${MOST}`);
  let best: { rows: number[]; cost: number[] } | null = null;
  // Bit i of `ends` is 1 if a row ends after segment i. The last segment has no bit.
  for (let ends = 0; ends < 2 ** Math.max(0, widths.length - 1); ends++) {
    const rows: number[] = [];
    const wide: number[] = [];
    for (let i = 0; i < widths.length; i++) {
      if (i === 0 || (ends >> (i - 1)) & 1) {
        rows.push(0);
        wide.push(-gap);
      }
      rows[rows.length - 1]! += 1;
      wide[wide.length - 1]! += gap + widths[i]!;
    }
    if (rows.some((count, k) => count > 1 && wide[k]! > space)) continue;
    const cost = [rows.length, rows.filter((count) => count === 1).length, Math.max(...wide)];
    if (!best || isLess(cost, best.cost)) best = { rows, cost };
  }
  return best?.rows ?? [];
}

/** Compares two lists by their first different number. */
function isLess(a: number[], b: number[]): boolean {
  const k = a.findIndex((value, i) => value !== b[i]);
  return k >= 0 && a[k]! < b[k]!;
}

/** Keeps the segments of a control in balanced rows, at every width and size of text. */
export function balance(control: HTMLElement, segments: readonly HTMLElement[], newBreak: () => HTMLElement): void {
  const arrange = () => {
    const { paddingLeft, paddingRight, columnGap } = getComputedStyle(control);
    const space = control.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (!(space > 0)) return;
    control.classList.add("measured");
    // One pixel more than the width: it is rounded.
    const widths = segments.map((one) => Math.ceil(one.getBoundingClientRect().width));
    control.classList.remove("measured");
    const rows = balancedRows(widths, parseFloat(columnGap) || 0, space);
    const key = rows.join();
    if (control.dataset.rows === key) return;
    control.dataset.rows = key;
    let next = 0;
    const parts = rows.map((count) => segments.slice(next, (next += count)));
    // Only the breaks move: a segment that moves would lose the focus.
    control.querySelectorAll(".break").forEach((one) => one.remove());
    for (const [first] of parts.slice(1)) first!.before(newBreak());
  };
  new ResizeObserver(arrange).observe(control);
}
