/** Returns a number for a table: all digits of a count, three of a time. */
export function number(value: number): string {
  return Number.isInteger(value)
    ? value.toLocaleString("en").replaceAll(",", "\u202f")
    : String(Number(value.toPrecision(3)));
}
