import { cachedStems } from '../../store/text/words.js';
import { type Embedder, normalizeVector } from './embedder.js';
import { type WordVectors, wordVectors } from './word-vectors.js';

/** Words with at least this share of all words say little, and weigh little. */
const commonShare = 1e-3;
const wordPattern = /[\p{L}\p{N}]+/gu;

/**
 * Embeds with the word vectors in the package: offline, tens of thousands of texts a second. A text is the mean of its
 * words, rare ones weighing more. A word without a vector, such as a rare name, gets one made from its letters, so that
 * it still finds itself.
 */
export const localEmbedder: Embedder = {
  id: 'local:glove-60k-100d-1',
  usesPerspectives: false,
  batchSize: 500,
  dimension: async () => wordVectors().dimension,
  embed: async (texts) => texts.map((text) => embedText(wordVectors(), text)),
};

function embedText(vectors: WordVectors, text: string): Float32Array {
  const { dimension, places, bytes, scales } = vectors;
  const sum = new Float32Array(dimension);
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(wordPattern)) {
    const place = places.get(word);
    if (place === undefined) {
      addUnknownWord(sum, word);
      continue;
    }
    const factor = weightOf(place, places.size) * (scales[place] ?? 0);
    const start = place * dimension;
    for (let axis = 0; axis < dimension; axis++) {
      sum[axis] = (sum[axis] ?? 0) + factor * (bytes[start + axis] ?? 0);
    }
  }
  return normalizeVector(sum);
}

/** By Zipf's law the rank of a word gives its share of all words. */
function weightOf(place: number, count: number): number {
  const share = 1 / ((place + 1) * Math.log(count));
  return commonShare / (commonShare + share);
}

/** About the length of the vector of a rare word. */
const unknownWordLength = 5;

/** All forms of a word get the same vector, far from all others. */
function addUnknownWord(sum: Float32Array, word: string): void {
  for (const stem of cachedStems(word)) {
    let state = 2_166_136_261;
    for (const character of stem) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
    const size = unknownWordLength / Math.sqrt(sum.length);
    for (let axis = 0; axis < sum.length; axis++) {
      state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9;
      sum[axis] = (sum[axis] ?? 0) + (state & 0x10_000 ? size : -size);
    }
  }
}
