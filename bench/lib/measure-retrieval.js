// @ts-check
import { estimateTokens } from '../../dist/brief/estimate-tokens.js';
import { judge, recall } from './recall.js';
import { groupsOf } from './retrieval-set.js';
import { mean, quantile } from './statistics.js';

/**
 * @typedef {import('./retrieval-set.js').RetrievalSet} RetrievalSet
 * @typedef {import('./retrieval-set.js').Document} Document
 * @typedef {import('./recall.js').Recall} Recall
 *
 * @typedef {'document' | 'node' | 'node-of-document'} Level What a question wants among the first ten: its documents,
 * their nodes, or any document of these nodes.
 *
 * @typedef {object} Sample One question to one search.
 * @property {string} category
 * @property {import('./recall.js').Judgement} judgement
 * @property {number} ms
 * @property {number} tokens Of the first ten texts with the names of their nodes, as JSON; estimated.
 *
 * @typedef {object} Figure How one search did on a set.
 * @property {string} search
 * @property {Recall} recall
 * @property {Map<string, { questions: number, recall: Recall }>} categories
 * @property {number} p50 Milliseconds.
 * @property {number} p95 Milliseconds.
 * @property {number} tokens The mean of an answer.
 */

const answerSize = 10;
/** Questions asked before the clock counts. */
const warmUp = 5;

/**
 * Puts each question to each search in turn, so that whatever else the machine does affects all alike.
 * @param {RetrievalSet} set
 * @param {(group: RetrievalSet) => Promise<Record<string, import('./retrieval-searches.js').Search>>} open
 * @param {Level} level
 * @returns {Promise<Figure[]>}
 */
export async function measureRetrieval(set, open, level) {
  /** @type {Map<string, Sample[]>} */
  const samples = new Map();
  for (const group of groupsOf(set)) {
    const searches = Object.entries(await open(group));
    const nodeOf = new Map(group.documents.map(({ id, node }) => [id, node]));
    const nodesOf = (/** @type {readonly string[]} */ ids) => ids.map((id) => nodeOf.get(id) ?? id);
    const judged = {
      document: judge,
      node: (/** @type {string[]} */ found, /** @type {string[]} */ gold) =>
        judge([...new Set(nodesOf(found))], nodesOf(gold)),
      'node-of-document': (/** @type {string[]} */ found, /** @type {string[]} */ gold) =>
        judge(nodesOf(found), nodesOf(gold)),
    }[level];
    for (const { text } of group.questions.slice(0, warmUp)) {
      for (const [, search] of searches) await search(text);
    }
    for (const { text, gold, category = '' } of group.questions) {
      for (const [name, search] of searches) {
        const start = performance.now();
        const found = await search(text);
        const ms = performance.now() - start;
        const sample = {
          category: String(category),
          judgement: judged(
            found.map(({ id }) => id),
            gold,
          ),
          ...{ ms, tokens: tokensOf(found) },
        };
        samples.set(name, [...(samples.get(name) ?? []), sample]);
      }
    }
  }
  return [...samples].map(([search, own]) => figureOf(search, own));
}

/** @param {readonly Document[]} found */
function tokensOf(found) {
  return estimateTokens(JSON.stringify(found.slice(0, answerSize).map(({ node, text }) => ({ node, text }))));
}

/**
 * @param {string} search
 * @param {readonly Sample[]} samples
 * @returns {Figure}
 */
export function figureOf(search, samples) {
  const recallOf = (/** @type {readonly Sample[]} */ some) => recall(some.map(({ judgement }) => judgement));
  const times = samples.map(({ ms }) => ms);
  const names = [...new Set(samples.map(({ category }) => category))].sort();
  return {
    ...{ search, recall: recallOf(samples) },
    categories: new Map(
      names.map((name) => {
        const own = samples.filter(({ category }) => category === name);
        return [name, { questions: own.length, recall: recallOf(own) }];
      }),
    ),
    ...{ p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
    tokens: mean(samples.map(({ tokens }) => tokens)),
  };
}
