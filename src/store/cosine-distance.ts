/** What a number of a vector may be, but for 0: products of others overflow, or vanish. */
export const vectorComponentRange = { least: 1e-140, most: 1e140 } as const;

/** Whether products with a number can be reckoned with. */
export function isUsableComponent(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size >= vectorComponentRange.least && size <= vectorComponentRange.most);
}

/**
 * The cosine distance of two vectors, from 0 to 2; null if they differ in length or one has none. The sums are taken in
 * order, one number after the other, so that every store comes to the same figure.
 */
export function cosineDistance(a: readonly number[], b: readonly number[]): number | null {
  if (a.length !== b.length) return null;
  let product = 0;
  let ofA = 0;
  let ofB = 0;
  for (const [index, x] of a.entries()) {
    const y = b[index] ?? 0;
    if (!isUsableComponent(x) || !isUsableComponent(y)) return null;
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  if (ofA === 0 || ofB === 0) return null;
  return 1 - product / (Math.sqrt(ofA) * Math.sqrt(ofB));
}
