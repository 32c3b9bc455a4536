// @ts-check
import { join } from 'node:path';
import { Graph } from '../../dist/engine/graph.js';
import { gatherTexts } from '../../dist/search/text/gather-texts.js';
import { QueryWords } from '../../dist/search/text/query-words.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';
import { plainIndex } from './plain-index.js';
import { groupsOf, loadDocuments } from './retrieval-set.js';
import { withScratch } from './scratch.js';

/**
 * @typedef {import('./retrieval-set.js').RetrievalSet} RetrievalSet
 *
 * @typedef {object} GatheredQuestion
 * @property {import('../../dist/search/text/gather-texts.js').GatheredTexts} gathered What ranking needs.
 * @property {Set<string>} gold As `node/ordinal`.
 * @property {number} plainRank Of the first right answer with plain FTS5; 0 if it has none.
 */

/** How far down a list an answer is looked for. */
export const depth = 100;

/**
 * Reads all that ranking needs for each question of the set, as a search does, and judges it at once: what all questions
 * need would fill the memory.
 * @template T
 * @param {RetrievalSet} set
 * @param {(question: GatheredQuestion) => T} judge
 * @returns {Promise<T[]>}
 */
export function judgeQuestions(set, judge) {
  return withScratch(async (folder) => {
    const store = await openStoreAtLocation(join(folder, 'tune.db'));
    try {
      const judged = [];
      for (const group of groupsOf(set)) judged.push(...(await judgeGroup(store, group, judge)));
      return judged;
    } finally {
      await store.close();
    }
  });
}

/**
 * @template T
 * @param {import('../../dist/store/store-contract.js').Store} store
 * @param {RetrievalSet} group
 * @param {(question: GatheredQuestion) => T} judge
 * @returns {Promise<T[]>}
 */
async function judgeGroup(store, { name, documents, questions }, judge) {
  const graphName = name.replaceAll(' ', '-');
  await store.createGraph(graphName);
  const graph = new Graph(store, graphName);
  const ids = await loadDocuments(graph, documents);
  const plain = plainIndex(':memory:', documents);
  const names = [...new Set(documents.map(({ node }) => node))];
  const nodes = await graph.read((reader) => reader.nodesNamed(names));
  const nodeIds = new Map(nodes.map(({ id, name }) => [name, id]));
  const placeOf = new Map(
    [...ids].map(([place, id]) => {
      const gap = place.lastIndexOf(' ');
      return [id, `${nodeIds.get(place.slice(0, gap))}/${place.slice(gap + 1)}`];
    }),
  );
  const judged = [];
  for (const { text, gold } of questions) {
    const found = plain(text, depth).map((place) => documents[place]?.id ?? '');
    judged.push(
      judge({
        gathered: await graph.read((reader) => gatherTexts(reader, new QueryWords(text), {})),
        gold: new Set(gold.map((id) => placeOf.get(id) ?? '')),
        plainRank: 1 + found.findIndex((id) => gold.includes(id)),
      }),
    );
  }
  return judged;
}
