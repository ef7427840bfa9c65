/** Returns the middle number; the mean of both if there are two; 0 if there is none. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  if (!sorted.length) return 0;
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Returns the median, or null if there is no number. */
export function medianOrNull(numbers: readonly number[]): number | null {
  return numbers.length ? median(numbers) : null;
}
