/** The shortest needle a trigram index can look up; below it, the rows are scanned. */
export const trigramLength = 3;

/** Up to `limit` trigrams of a needle, spread over its whole length. Empty if it is shorter than three characters. */
export function trigrams(needle: string, limit: number): string[] {
  const characters = Array.from(needle);
  const count = characters.length - trigramLength + 1;
  if (count <= 0) return [];
  const picked = new Set<string>();
  const step = Math.max(1, count / limit);
  for (let at = 0; at < count; at += step) {
    const start = Math.floor(at);
    picked.add(characters.slice(start, start + trigramLength).join(''));
  }
  picked.add(characters.slice(-trigramLength).join(''));
  return [...picked];
}
