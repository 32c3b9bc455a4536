// @ts-check

/**
 * The texts by cosine alone, every one compared: the measure for search by meaning with the same model.
 * @param {import('../../dist/search/embedders/embedder.js').Embedder} embedder
 * @param {readonly { text: string }[]} documents
 * @returns {Promise<(question: string, limit: number) => Promise<number[]>>} The places of the nearest texts, best first.
 */
export async function denseIndex(embedder, documents) {
  const plain = { name: 'plain', instruction: '' };
  /** @type {Float32Array[]} */
  const vectors = [];
  for (let at = 0; at < documents.length; at += embedder.batchSize) {
    const texts = documents.slice(at, at + embedder.batchSize).map(({ text }) => text);
    vectors.push(...(await embedder.embed(texts, 'document', plain)));
  }
  return async (question, limit) => {
    const [query] = await embedder.embed([question], 'query', plain);
    if (query === undefined) return [];
    const scores = vectors.map((vector) => product(query, vector));
    return scores
      .map((score, place) => ({ score, place }))
      .sort((a, b) => b.score - a.score || a.place - b.place)
      .slice(0, limit)
      .map(({ place }) => place);
  };
}

/**
 * @param {Float32Array} a
 * @param {Float32Array} b
 */
function product(a, b) {
  let sum = 0;
  for (let axis = 0; axis < a.length; axis++) sum += (a[axis] ?? 0) * (b[axis] ?? 0);
  return sum;
}
