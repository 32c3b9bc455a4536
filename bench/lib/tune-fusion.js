// @ts-check
// What meaning should count in hybrid search with a model: tries weights on all sets at once, and says how far the choice
// can be trusted.
import { join } from 'node:path';
import { Graph } from '../../dist/engine/graph.js';
import { openEmbedder } from '../../dist/search/embedders/open-embedder.js';
import { embedGraph } from '../../dist/search/embedding/embed-graph.js';
import { fuseLists } from '../../dist/search/hybrid/fuse-lists.js';
import { defaultPerspectives } from '../../dist/search/perspectives.js';
import { meaningDepth } from '../../dist/search/search-hybrid.js';
import { embedQuery } from '../../dist/search/semantic/query-embedding.js';
import { rankBySimilarity } from '../../dist/search/semantic/rank-by-similarity.js';
import { QueryWords } from '../../dist/search/text/query-words.js';
import { rankTexts } from '../../dist/search/text/rank-texts.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';
import { anyAtTen, bestTrial, crossValidate, margin, meanReciprocalRank } from './cross-validation.js';
import { groupsOf, loadDocuments } from './retrieval-set.js';
import { withScratch } from './scratch.js';
import { mean } from './statistics.js';
import { table } from './table.js';

/**
 * @typedef {import('./retrieval-set.js').RetrievalSet} RetrievalSet
 * @typedef {import('./cross-validation.js').Ranks} Ranks
 * @typedef {import('../../dist/search/embedders/embedder.js').Embedder} Embedder
 * @typedef {{ node: number, ordinal: number | null }} Found
 * @typedef {{ words: number, meaning: number, fused: number[] }} JudgedQuestion The rank of the first right answer.
 */

/** How far down a list an answer is looked for. */
const depth = 100;
const weights = [0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 30];

/**
 * @param {readonly RetrievalSet[]} sets
 * @param {{ provider?: string, model?: string, url?: string }} options
 */
export async function tune(sets, { provider, model, url }) {
  const name = /** @type {any} */ (provider ?? (model === undefined ? 'local' : 'onnx'));
  const embedder = await openEmbedder({ provider: name, model, url });
  if (embedder === null) throw new Error('Search by meaning needs an embedder.');
  const judged = [];
  for (const set of sets) {
    process.stderr.write(`reading ${set.name}, ${set.questions.length} questions\n`);
    const questions = await judgeSet(embedder, set);
    const [words, meaning] = [questions.map((one) => one.words), questions.map((one) => one.meaning)];
    judged.push({
      ...{ name: set.name, words, meaning, baseline: margin(meaning, words) > 0 ? meaning : words },
      trials: weights.map((_, at) => questions.map(({ fused }) => fused[at] ?? 0)),
    });
  }
  const figures = (/** @type {Ranks} */ ranks) =>
    `${anyAtTen(ranks).toFixed(3)} / ${meanReciprocalRank(ranks).toFixed(3)}`;
  console.log(
    table(
      ['any@10 / MRR', 'words', 'meaning', ...weights.map((weight) => `${weight}`)],
      judged.map(({ name, words, meaning, trials }) => [name, ...[words, meaning, ...trials].map(figures)]),
    ),
  );
  const { chosen, margins } = crossValidate(judged);
  const signed = (/** @type {number} */ value) => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
  console.log(
    `\n${table(
      ['gain over the better part, weight chosen without these questions', 'mean', 'least', 'most'],
      judged.map(({ name }) => {
        const gains = margins.get(name) ?? [];
        return [name, ...[mean(gains), Math.min(...gains), Math.max(...gains)].map(signed)];
      }),
    )}\n`,
  );
  console.log(`${embedder.id} declares ${embedder.meaningWeight}; best here: ${weights[bestTrial(judged)]}`);
  console.log(`Chosen without each fifth: ${chosen.map((trial) => weights[trial]).join(', ')}`);
}

/**
 * @param {Embedder} embedder
 * @param {RetrievalSet} set
 * @returns {Promise<JudgedQuestion[]>}
 */
function judgeSet(embedder, set) {
  return withScratch(async (folder) => {
    const store = await openStoreAtLocation(join(folder, 'tune.db'));
    try {
      const judged = [];
      for (const group of groupsOf(set)) judged.push(...(await judgeGroup(store, embedder, group)));
      return judged;
    } finally {
      await store.close();
    }
  });
}

/**
 * @param {import('../../dist/store/store-contract.js').Store} store
 * @param {Embedder} embedder
 * @param {RetrievalSet} group
 * @returns {Promise<JudgedQuestion[]>}
 */
async function judgeGroup(store, embedder, { name, documents, questions }) {
  if (store.vectors === null) throw new Error('This store keeps no vectors.');
  const graphName = name.replaceAll(' ', '-');
  await store.createGraph(graphName);
  const graph = new Graph(store, graphName);
  const ids = await loadDocuments(graph, documents);
  const context = { embedder, perspectives: defaultPerspectives };
  await embedGraph({ vectors: store.vectors, graph: graphName, ...context });
  const names = [...new Set(documents.map(({ node }) => node))];
  const nodes = await graph.read((reader) => reader.nodesNamed(names));
  const nameOf = new Map(nodes.map(({ id, name }) => [id, name]));
  const judged = [];
  for (const { text, gold } of questions) {
    const right = new Set(gold);
    const isRight = (/** @type {Found} */ { node, ordinal }) =>
      right.has(ids.get(`${nameOf.get(node)} ${ordinal}`) ?? '');
    const embedded = await embedQuery(context, text);
    if (!embedded.known) throw new Error(embedded.reason.message);
    judged.push(
      await graph.read(async (reader) => {
        const found = await rankTexts(reader, new QueryWords(text));
        const meant = await rankBySimilarity(reader, embedded.vectors, { limit: meaningDepth });
        return {
          words: rankOfFirst(found.ranked, isRight),
          meaning: rankOfFirst(meant, isRight),
          fused: fusedRanks(found, meant, isRight),
        };
      }),
    );
  }
  return judged;
}

/**
 * @param {readonly Found[]} list
 * @param {(text: Found) => boolean} isRight
 */
function rankOfFirst(list, isRight) {
  const observations = list.filter(({ ordinal }) => ordinal !== null).slice(0, depth);
  return 1 + observations.findIndex(isRight);
}

/**
 * The rank for each weight. A fused score is a line over the weight, so two lists tell it for all of them, and counting
 * what is above the best right text needs no order.
 * @param {Parameters<typeof fuseLists>[0]} found
 * @param {Parameters<typeof fuseLists>[1]} meant
 * @param {(text: Found) => boolean} isRight
 */
function fusedRanks(found, meant, isRight) {
  const keyOf = (/** @type {Found} */ { node, ordinal }) => `${node}/${ordinal}`;
  const byWeightOne = new Map(fuseLists(found, meant, 1).map((text) => [keyOf(text), text.score]));
  const lines = fuseLists(found, meant, 0)
    .filter(({ ordinal }) => ordinal !== null)
    .map((text) => ({
      ...{ isRight: isRight(text), start: text.score },
      slope: (byWeightOne.get(keyOf(text)) ?? 0) - text.score,
    }));
  return weights.map((weight) => {
    const scores = lines.map(({ start, slope }) => start + weight * slope);
    const best = Math.max(...scores.filter((_, at) => lines[at]?.isRight));
    const first = lines.findIndex((line, at) => line.isRight && scores[at] === best);
    if (first < 0) return 0;
    const rank = 1 + scores.filter((score, at) => score > best || (score === best && at < first)).length;
    return rank <= depth ? rank : 0;
  });
}
