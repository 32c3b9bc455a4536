// @ts-check
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createNodesLenient } from '../../dist/engine/write/create-nodes-lenient.js';
import { timeSpansIn } from '../../dist/search/time/time-spans.js';

/**
 * @typedef {object} Document
 * @property {string} id
 * @property {string} node
 * @property {string} text
 * @property {string} [group] Documents and questions of a group form a graph of their own.
 * @property {string} [time] When it was said, such as `1:56 pm on 8 May, 2023`.
 *
 * @typedef {object} Question
 * @property {string} text
 * @property {string[]} gold Ids of the documents that answer it.
 * @property {string | number} [category]
 * @property {string} [group]
 *
 * @typedef {{ name: string, documents: Document[], questions: Question[] }} RetrievalSet
 */

/**
 * Reads a set: documents, and questions with the ids of the documents that answer them.
 * @param {string} path
 * @returns {Promise<RetrievalSet>}
 */
export async function readRetrievalSet(path) {
  return { name: basename(path, '.json'), ...JSON.parse(await readFile(path, 'utf8')) };
}

/**
 * The same set with at most so many questions, evenly spread.
 * @param {RetrievalSet} set
 * @param {number} most
 * @returns {RetrievalSet}
 */
export function sampleQuestions(set, most) {
  const step = Math.max(1, set.questions.length / most);
  const isFirst = (/** @type {number} */ at) => Math.floor(at / step) !== Math.floor((at - 1) / step);
  return { ...set, questions: set.questions.filter((_, at) => isFirst(at)) };
}

/**
 * The parts of a set that are searched separately.
 * @param {RetrievalSet} set
 * @returns {RetrievalSet[]}
 */
export function groupsOf(set) {
  const names = [...new Set(set.documents.map(({ group }) => group))];
  return names.map((name) => ({
    name: name ?? set.name,
    documents: set.documents.filter(({ group }) => group === name),
    questions: set.questions.filter(({ group }) => group === name),
  }));
}

/**
 * The same set, grouped by what precedes the first slash of an id, such as the conversation in `3/D1:2`.
 * @param {RetrievalSet} set
 * @returns {RetrievalSet}
 */
export function groupById(set) {
  const groupOf = (/** @type {string | undefined} */ id) => id?.split('/')[0] ?? '';
  return {
    ...set,
    documents: set.documents.map((document) => ({ ...document, group: groupOf(document.id) })),
    questions: set.questions.map((question) => ({ ...question, group: groupOf(question.gold[0]) })),
  };
}

/** The clock of a store whose documents are loaded at the day of their time. */
export const loadingClock = { time: 0, now: () => loadingClock.time || Date.now() };

/**
 * Writes the documents into a graph, those of one node as its observations, in order, and each node at the day that
 * `loadingClock` can tell the store.
 * @param {import('../../dist/engine/graph.js').Graph} graph
 * @param {readonly Document[]} documents
 * @returns {Promise<Map<string, string>>} The id of the document by `node ordinal`.
 */
export async function loadDocuments(graph, documents) {
  /** @type {Map<string, string[]>} */
  const nodes = new Map();
  /** @type {Map<string, string>} */
  const ids = new Map();
  /** @type {Map<number, string[]>} */
  const byDay = new Map();
  for (const { id, node, text, time } of documents) {
    if (!nodes.has(node)) {
      const day = timeSpansIn(time ?? '', 0)[0]?.from ?? 0;
      byDay.set(day, [...(byDay.get(day) ?? []), node]);
    }
    const texts = nodes.get(node) ?? [];
    texts.push(text);
    nodes.set(node, texts);
    ids.set(`${node} ${texts.length}`, id);
  }
  for (const [day, names] of byDay) {
    loadingClock.time = day;
    const specs = names.map((name) => ({ name, type: 'session', observations: nodes.get(name) ?? [] }));
    for (let at = 0; at < specs.length; at += 500) {
      await graph.write({ actor: 'bench', tool: 'load' }, (tx) =>
        createNodesLenient(tx, specs.slice(at, at + 500)),
      );
    }
  }
  loadingClock.time = 0;
  return ids;
}
