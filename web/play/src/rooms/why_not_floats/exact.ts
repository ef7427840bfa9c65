// Exact arithmetic: a finite f64 is an integer divided by a power of two, so sums and products of them are integers.

/** Numbers are stored as integers in units of 2 ** -UNIT. */
export const UNIT = 256;

const bits = new DataView(new ArrayBuffer(8));

/** Returns a number in units of 2 ** -UNIT. Throws if it is not a multiple of the unit. */
export function exact(value: number): bigint {
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const mantissa = exponent ? fraction | 0x10000000000000n : fraction;
  const shift = Math.max(exponent, 1) - 1075 + UNIT;
  const size = shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
  if (!Number.isFinite(value) || (shift < 0 && size << BigInt(-shift) !== mantissa)) {
    throw new RangeError(`${value} is no multiple of 2 ** -${UNIT}`);
  }
  return word >> 63n ? -size : size;
}

/** Returns the nearest number of an integer in units of 2 ** -UNIT. */
export const rounded = (value: bigint): number => Number(value) * 2 ** -UNIT;

/** Returns the distance between a number and the next f64 away from 0, in units of 2 ** -UNIT. */
export function ulp(value: number): bigint {
  const exponent = Math.max(-1022, Math.floor(Math.log2(Math.abs(value))));
  return exact(2 ** (exponent - 52));
}

/** Returns the largest integer whose square is at most `value`. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(16).length * 4 + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Returns all decimal digits of an integer in units of 2 ** -UNIT. */
export function decimal(value: bigint): string {
  const size = value < 0n ? -value : value;
  const whole = size >> BigInt(UNIT);
  // 2 ** -UNIT has UNIT decimals.
  const digits = ((size - (whole << BigInt(UNIT))) * 5n ** BigInt(UNIT))
    .toString()
    .padStart(UNIT, "0")
    .replace(/0+$/, "");
  return `${value < 0n ? "−" : ""}${whole}${digits ? `.${digits}` : ""}`;
}

export type Point = readonly [number, number];
export type ExactPoint = [bigint, bigint];
export type Relation = "apart" | "touch" | "overlap";

export interface Circle {
  kind: "circle";
  center: Point;
  radius: number;
}

/** A convex polygon, counter-clockwise if y points up. */
export interface Polygon {
  kind: "polygon";
  points: readonly Point[];
}

export type Figure = Circle | Polygon;

export const exactPoint = ([x, y]: Point): ExactPoint => [exact(x), exact(y)];

const relation = (gap: bigint): Relation => (gap > 0n ? "apart" : gap === 0n ? "touch" : "overlap");

/** Returns the relation of two circles, from the sign of distance² − (sum of radii)². */
function circles(a: Circle, b: Circle): Relation {
  const [ax, ay] = exactPoint(a.center);
  const [bx, by] = exactPoint(b.center);
  const reach = exact(a.radius) + exact(b.radius);
  return relation((bx - ax) ** 2n + (by - ay) ** 2n - reach ** 2n);
}

/** Returns the least value of `dot` over the points. */
function least(points: readonly ExactPoint[], [x, y]: ExactPoint): bigint {
  return points.map((p) => p[0] * x + p[1] * y).reduce((a, b) => (a < b ? a : b));
}

/** Returns the largest gap over the edge normals of `a`, as the gap times the length of the normal, and that normal. */
export function largestGap(
  a: readonly ExactPoint[],
  b: readonly ExactPoint[],
): { gap: bigint; normal: ExactPoint; from: ExactPoint } {
  const gaps = a.map((from, i) => {
    const to = a[(i + 1) % a.length]!;
    const normal: ExactPoint = [to[1] - from[1], from[0] - to[0]];
    return { gap: least(b, normal) - (from[0] * normal[0] + from[1] * normal[1]), normal, from };
  });
  // Gaps along different normals are compared as squares divided by the squared length, with their signs.
  const larger = (p: (typeof gaps)[number], q: (typeof gaps)[number]): boolean => {
    const square = ({ gap }: typeof p) => (gap < 0n ? -gap * gap : gap * gap);
    const length = ({ normal }: typeof p) => normal[0] ** 2n + normal[1] ** 2n;
    return square(p) * length(q) > square(q) * length(p);
  };
  return gaps.reduce((best, one) => (larger(one, best) ? one : best));
}

/** Returns the relation of two convex polygons, from the signs of the gaps along all edge normals. */
function polygons(a: Polygon, b: Polygon): Relation {
  const [p, q] = [a.points.map(exactPoint), b.points.map(exactPoint)];
  const [one, other] = [largestGap(p, q).gap, largestGap(q, p).gap];
  return relation(one > other ? one : other);
}

/** Returns the relation of two figures of one kind. */
export function relate(a: Figure, b: Figure): Relation {
  if (a.kind === "circle" && b.kind === "circle") return circles(a, b);
  if (a.kind === "polygon" && b.kind === "polygon") return polygons(a, b);
  throw new TypeError("the figures have different kinds");
}
