/** Distinguishable on light and dark ground. */
const palette = [
  '#3b82c4',
  '#c9722a',
  '#3a9a68',
  '#b6528f',
  '#8a6fc9',
  '#a58a1f',
  '#2a9d9d',
  '#c4564f',
  '#6b8f3a',
  '#7a7f87',
];

/** A colour for each type; the most frequent ones get their own. */
export function colorsOf(types: ReadonlyMap<string, number>): ReadonlyMap<string, string> {
  const sorted = [...types].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return new Map(sorted.map(([type], index) => [type, palette[Math.min(index, palette.length - 1)] ?? '']));
}
