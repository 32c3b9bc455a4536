/** Scales to length 1; a zero vector stays zero. */
export function normalizeVector(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0 || !Number.isFinite(squares)) return new Float32Array(vector.length);
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
