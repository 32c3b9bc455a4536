// @ts-check
import { createEdgesWithStubs } from '../../dist/engine/write/create-edges-with-stubs.js';

/** Names of more words are not looked for. */
const longestName = 6;
/** Shorter names are too often meant otherwise. */
const shortestName = 4;

/**
 * Relates nodes wherever a text of one names another, with or without what its name has in brackets at the end.
 * @param {import('../../dist/engine/graph.js').Graph} graph
 * @param {readonly import('./retrieval-set.js').Document[]} documents
 */
export async function relateByNames(graph, documents) {
  /** @type {Map<string, Set<string>>} */
  const nodesCalled = new Map();
  for (const { node } of documents) {
    const name = node.replace(/ \([^)]*\)$/, '');
    if (name.length >= shortestName) nodesCalled.set(name, (nodesCalled.get(name) ?? new Set()).add(node));
  }
  /** @type {Map<string, { from: string, to: string, type: string }>} */
  const edges = new Map();
  for (const { node, text } of documents) {
    for (const phrase of phrasesIn(text)) {
      for (const other of nodesCalled.get(phrase) ?? []) {
        if (other !== node) edges.set(`${node}\n${other}`, { from: node, to: other, type: 'names' });
      }
    }
  }
  await graph.write({ actor: 'bench', tool: 'relate' }, (tx) =>
    createEdgesWithStubs(tx, [...edges.values()]),
  );
}

/** @param {string} text */
function* phrasesIn(text) {
  const words = text.split(/[^\p{L}\p{N}'’.-]+/u);
  for (let at = 0; at < words.length; at++) {
    for (let count = 1; count <= longestName && at + count <= words.length; count++) {
      yield words
        .slice(at, at + count)
        .join(' ')
        .replace(/\.$/, '');
    }
  }
}
