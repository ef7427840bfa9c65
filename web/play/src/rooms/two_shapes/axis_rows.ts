// The list of axes beside the figure: one row an axis, with both projections.

import type { Axis, Explanation } from 'carom';
import { format, say } from '../../shell/language';
import { h, plain, rich } from '../../ui/dom';
import { words } from './words';

export interface RowsHost {
  hover(index: number | null): void;
  choose(index: number): void;
}

/** Returns the words of an axis's source. */
export function sourceOf(axis: Axis): string {
  if (axis.source === 'edge of a') return say(words.edgeOfA, { i: axis.edge ?? 0 });
  if (axis.source === 'edge of b') return say(words.edgeOfB, { i: axis.edge ?? 0 });
  return say(axis.source === 'union' ? words.union : words.nearest);
}

/** Returns the words of an axis's overlap or gap. */
export function valueOf(axis: Axis): string {
  if (axis.overlap === 0) return say(words.touchValue);
  return say(axis.overlap > 0 ? words.overlapValue : words.gapValue, { d: format(Math.abs(axis.overlap), 2) });
}

class Row {
  readonly element: HTMLLIElement;
  readonly button: HTMLButtonElement;
  private readonly number = h('span', { class: 'number' });
  private readonly source = h('span', {});
  private readonly value = h('span', { class: 'value' });
  private readonly bars = [h('i', { class: 'bar-mark' }), h('i', { class: 'bar-a' }), h('i', { class: 'bar-b' })] as const;

  constructor(index: number, host: RowsHost) {
    this.number.textContent = String(index + 1);
    this.button = h('button', { class: 'axis-row', type: 'button', 'data-row': index, onclick: () => host.choose(index) },
      this.number, this.source, h('span', { class: 'bars', 'aria-hidden': 'true' }, ...this.bars), this.value);
    this.element = h('li', {}, this.button);
    this.button.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && host.hover(index));
    this.button.addEventListener('pointerleave', () => host.hover(null));
    this.button.addEventListener('focus', () => this.button.matches(':focus-visible') && host.hover(index));
    this.button.addEventListener('blur', () => host.hover(null));
  }

  draw(axis: Axis, index: number, chosen: boolean, lit: boolean, span: number): void {
    const { projectionA: a, projectionB: b } = axis;
    const middle = (Math.min(a[0], b[0]) + Math.max(a[1], b[1])) / 2;
    const put = (bar: HTMLElement, from: number, to: number) => {
      bar.style.left = `${50 + ((from - middle) / span) * 100}%`;
      bar.style.width = `${((to - from) / span) * 100}%`;
    };
    const apart = axis.overlap < 0;
    const [mark, barA, barB] = this.bars;
    if (apart) put(mark, a[1], b[0]);
    else put(mark, Math.max(a[0], b[0]), Math.min(a[1], b[1]));
    mark.style.background = apart ? 'var(--gap)' : 'var(--overlap)';
    put(barA, a[0], a[1]);
    put(barB, b[0], b[1]);
    this.source.replaceChildren(rich(sourceOf(axis)));
    this.value.replaceChildren(rich(valueOf(axis)));
    this.button.classList.toggle('decides', axis.decides);
    this.button.classList.toggle('lit', lit);
    if (chosen) this.button.setAttribute('aria-current', 'true');
    else this.button.removeAttribute('aria-current');
    this.button.setAttribute('aria-label', plain(say(words.axisLabel, { n: index + 1, source: sourceOf(axis), value: valueOf(axis) })));
  }
}

export class AxisRows {
  readonly element = h('ol', { class: 'axis-list', tabindex: -1 });
  private rows: Row[] = [];

  constructor(private readonly host: RowsHost) {}

  draw(found: Explanation, chosen: number, lit: number | null): void {
    const { axes } = found;
    while (this.rows.length > axes.length) this.rows.pop()!.element.remove();
    while (this.rows.length < axes.length) {
      const row = new Row(this.rows.length, this.host);
      this.rows.push(row);
      this.element.append(row.element);
    }
    const spans = axes.map(({ projectionA: a, projectionB: b }) => Math.max(a[1], b[1]) - Math.min(a[0], b[0]));
    const span = Math.max(...spans, 1e-9);
    axes.forEach((axis, i) => this.rows[i]!.draw(axis, i, i === chosen, i === lit, span));
  }
}
