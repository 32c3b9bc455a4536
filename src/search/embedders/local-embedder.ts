import { TimeSlice } from '../../bounds/time-slice.js';
import { type Embedder, normalizeVector } from './embedder.js';
import { type StaticModel, staticModel } from './static-model.js';

/**
 * Embeds with the static model in the package: offline, more than ten thousand short texts a second. A text is the mean
 * of its pieces, whose vectors are the longer the more they say.
 */
export const localEmbedder: Embedder = {
  id: 'local:potion-base-8M-int8-1',
  perspectives: 'none',
  canShorten: true,
  batchSize: 32,
  meaningWeight: 0.5,
  dimension: async () => staticModel().dimension,
  async embed(texts) {
    const model = staticModel();
    const slice = new TimeSlice(maxBlockingMs);
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      if (slice.isOver) await slice.yieldToOthers();
      vectors.push(embedText(model, text));
    }
    return vectors;
  },
};

/** Embedding goes on in the background for minutes, so nobody should notice it. */
const maxBlockingMs = 5;

function embedText({ dimension, tokenizer, bytes, scales }: StaticModel, text: string): Float32Array {
  const sum = new Float32Array(dimension);
  for (const [piece, count] of countPieces(tokenizer.encode(text))) {
    const factor = count * (scales[piece] ?? 0);
    const start = piece * dimension;
    for (let axis = 0; axis < dimension; axis++) {
      sum[axis] = (sum[axis] ?? 0) + factor * (bytes[start + axis] ?? 0);
    }
  }
  return normalizeVector(sum);
}

function countPieces(words: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const pieces of words) for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
}
