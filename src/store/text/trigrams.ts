/** The shortest needle a trigram index can look up; below it, the rows are scanned. */
const trigramLength = 3;

/** Letters by how common they are in text, commonest first; what is not listed counts as rare. */
const commonest = ' etaoinsrhldcumfpgwybvk';

/**
 * The few trigrams of a needle that are likely to be rarest, or none if it is too short to have any. Looking up more
 * would be slower without being sharper, since the index only narrows down what is then verified.
 */
export function rareTrigrams(needle: string, limit: number): string[] {
  const characters = Array.from(needle);
  const found = new Map<string, number>();
  for (let at = 0; at + trigramLength <= characters.length; at += 1) {
    const trigram = characters.slice(at, at + trigramLength);
    found.set(
      trigram.join(''),
      trigram.reduce((sum, character) => sum + rarity(character), 0),
    );
  }
  return [...found]
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([trigram]) => trigram);
}

function rarity(character: string): number {
  const place = commonest.indexOf(character);
  return place === -1 ? commonest.length : place;
}
