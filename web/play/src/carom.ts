// Loads the package `carom` once. The page paints before it arrives.

export type Carom = typeof import('carom');

let loading: Promise<Carom> | undefined;

/** Returns the package, loading it on the first call. */
export function loadCarom(): Promise<Carom> {
  loading ??= import('carom');
  return loading;
}
