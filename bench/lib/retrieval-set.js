// @ts-check
import { readFile } from 'node:fs/promises';
import { createNodesLenient } from '../../dist/engine/write/create-nodes-lenient.js';

/**
 * @typedef {{ id: string, node: string, text: string }} Document
 * @typedef {{ text: string, gold: string[] }} Question
 * @typedef {{ documents: Document[], questions: Question[] }} RetrievalSet
 */

/**
 * Reads a set: documents, and questions with the ids of the documents that answer them.
 * @param {string} path
 * @returns {Promise<RetrievalSet>}
 */
export async function readRetrievalSet(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}

/**
 * Writes the documents into a graph, those of one node as its observations, in order.
 * @param {import('../../dist/engine/graph.js').Graph} graph
 * @param {readonly Document[]} documents
 * @returns {Promise<Map<string, string>>} The id of the document by `node ordinal`.
 */
export async function loadDocuments(graph, documents) {
  /** @type {Map<string, string[]>} */
  const nodes = new Map();
  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const { id, node, text } of documents) {
    const texts = nodes.get(node) ?? [];
    texts.push(text);
    nodes.set(node, texts);
    ids.set(`${node} ${texts.length}`, id);
  }
  const specs = [...nodes].map(([name, observations]) => ({ name, type: 'session', observations }));
  for (let at = 0; at < specs.length; at += 500) {
    await graph.write({ actor: 'bench', tool: 'load' }, (tx) =>
      createNodesLenient(tx, specs.slice(at, at + 500)),
    );
  }
  return ids;
}
