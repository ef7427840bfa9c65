// Maps world units to pixels. y points up in the world, unless `down` is set.

export type Point = [number, number];

export class View {
  width = 1;
  height = 1;
  centre: Point = [0, 0];
  /** Pixels per unit. */
  scale = 1;
  down = false;

  /** Takes the size of an element. Returns false if it has none. */
  measure(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2) return false;
    this.width = width;
    this.height = height;
    return true;
  }

  /** Shows a box of the world with a border of `pad` pixels. */
  fit(min: Point, max: Point, pad = 24): void {
    const [w, h] = [Math.max(max[0] - min[0], 1e-9), Math.max(max[1] - min[1], 1e-9)];
    this.scale = Math.min(Math.max(this.width - 2 * pad, 16) / w, Math.max(this.height - 2 * pad, 16) / h);
    this.centre = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  }

  /** Shows a box of the world, or more if some places lie outside of the picture: those get a margin in units. */
  fitAll(min: Point, max: Point, pad: number, places: readonly Point[], margin: number): void {
    this.fit(min, max, pad);
    const isOutside = ([x, y]: Point) => x < 0 || y < 0 || x > this.width || y > this.height;
    if (!places.some((p) => isOutside(this.point(p)))) return;
    const least = (axis: 0 | 1) => Math.min(min[axis], ...places.map((p) => p[axis] - margin));
    const most = (axis: 0 | 1) => Math.max(max[axis], ...places.map((p) => p[axis] + margin));
    this.fit([least(0), least(1)], [most(0), most(1)], pad);
  }

  private get up(): number {
    return this.down ? -1 : 1;
  }

  x(x: number): number {
    return this.width / 2 + (x - this.centre[0]) * this.scale;
  }

  y(y: number): number {
    return this.height / 2 - this.up * (y - this.centre[1]) * this.scale;
  }

  point(p: Point): Point {
    return [this.x(p[0]), this.y(p[1])];
  }

  /** Returns the world point of a pixel of the figure. */
  world(px: number, py: number): Point {
    return [
      this.centre[0] + (px - this.width / 2) / this.scale,
      this.centre[1] - (this.up * (py - this.height / 2)) / this.scale,
    ];
  }

  /** Returns the world point of a pointer. */
  pointer(event: MouseEvent, element: Element): Point {
    const box = element.getBoundingClientRect();
    return this.world(event.clientX - box.left, event.clientY - box.top);
  }
}
