/** Products of numbers beyond this range overflow or vanish; 0 is allowed. */
export const vectorComponentRange = { least: 1e-140, most: 1e140 } as const;

export function isUsableComponent(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size >= vectorComponentRange.least && size <= vectorComponentRange.most);
}

/** From 0 to 2; null without a result. Summed in order, so that every store gets the same figure. */
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
