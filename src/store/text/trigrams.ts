/** The shortest needle for a trigram index; shorter ones need a scan. */
const trigramLength = 3;

/** Letters, commonest first; others count as rare. */
const commonLetters = ' etaoinsrhldcumfpgwybvk';

/**
 * The few trigrams that are likely to narrow a needle down most; none if it is too short. Rare ones first, and
 * preferably without overlap, since texts with one often have the next too. More would be slower and hardly sharper:
 * the index only narrows down what is then verified.
 */
export function rareTrigrams(needle: string, limit: number): string[] {
  const rarestFirst = trigramsOf(needle).sort((a, b) => b.rarity - a.rarity);
  const apart: Trigram[] = [];
  for (const trigram of rarestFirst) {
    if (apart.every(({ at }) => Math.abs(at - trigram.at) >= trigramLength)) apart.push(trigram);
  }
  const texts = [...apart, ...rarestFirst].map(({ text }) => text);
  return [...new Set(texts)].slice(0, limit);
}

interface Trigram {
  readonly text: string;
  readonly at: number;
  readonly rarity: number;
}

function trigramsOf(needle: string): Trigram[] {
  const characters = Array.from(needle);
  return characters.slice(0, Math.max(0, characters.length - trigramLength + 1)).map((_, at) => {
    const trigram = characters.slice(at, at + trigramLength);
    return {
      text: trigram.join(''),
      at,
      rarity: trigram.reduce((sum, character) => sum + rarity(character), 0),
    };
  });
}

function rarity(character: string): number {
  const place = commonLetters.indexOf(character);
  return place === -1 ? commonLetters.length : place;
}
