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
 * @property {import('../../dist/search/text/gather-texts.js').GatheredTexts} gathered What ranking needs; without texts.
 * @property {Set<string>} gold As `node/ordinal`.
 * @property {number} plainRank Of the first right answer with plain FTS5; 0 if it has none.
 *
 * @typedef {{ name: string, questions: GatheredQuestion[] }} GatheredSet
 */

/** How far down a list an answer is looked for. */
export const depth = 100;

/**
 * Reads all that ranking needs for each question of the set, as a search does, so that it can be ranked again and again
 * with other settings.
 * @param {RetrievalSet} set
 * @returns {Promise<GatheredSet>}
 */
export function gatherQuestions(set) {
  return withScratch(async (folder) => {
    const store = await openStoreAtLocation(join(folder, 'tune.db'));
    try {
      const questions = [];
      for (const group of groupsOf(set)) questions.push(...(await questionsOf(store, group)));
      return { name: set.name, questions };
    } finally {
      await store.close();
    }
  });
}

/**
 * @param {import('../../dist/store/store-contract.js').Store} store
 * @param {RetrievalSet} group
 * @returns {Promise<GatheredQuestion[]>}
 */
async function questionsOf(store, { name, documents, questions }) {
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
  const gathered = [];
  for (const { text, gold } of questions) {
    const found = plain(text, depth).map((place) => documents[place]?.id ?? '');
    gathered.push({
      gathered: withoutTexts(await graph.read((reader) => gatherTexts(reader, new QueryWords(text), {}))),
      gold: new Set(gold.map((id) => placeOf.get(id) ?? '')),
      plainRank: 1 + found.findIndex((id) => gold.includes(id)),
    });
  }
  return gathered;
}

/**
 * The words are counted already, and the texts of all questions would fill the memory.
 * @param {GatheredQuestion['gathered']} gathered
 */
function withoutTexts(gathered) {
  const nodes = gathered.nodes.map((node) => ({
    ...node,
    observations: node.observations.map((observation) => ({ ...observation, text: '' })),
  }));
  return { ...gathered, nodes };
}
