/** How many nodes or edges are held in memory at a time. */
export const portionSize = 1_000;

/** Cuts a list into portions of bounded size. */
export function portionsOf<T>(items: readonly T[], size: number = portionSize): T[][] {
  const portions: T[][] = [];
  for (let at = 0; at < items.length; at += size) portions.push(items.slice(at, at + size));
  return portions;
}
