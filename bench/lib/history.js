// @ts-check
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Graph } from '../../dist/engine/graph.js';
import { mergeBranches } from '../../dist/engine/history/merge/merge-branches.js';
import { openNodes } from '../../dist/engine/read/open-nodes.js';
import { createNodesLenient } from '../../dist/engine/write/create-nodes-lenient.js';
import { median, quantile } from './statistics.js';

/**
 * @typedef {import('../../dist/store/store-contract.js').Store} Store
 * @typedef {import('../../dist/store/writer.js').Writer} Writer
 */

const graph = 'default';
const author = { actor: 'bench', tool: 'bench' };
const portion = 5_000;
const settleLimit = 180_000;

/**
 * Makes a graph of nodes with two observations and an edge each.
 * @param {Store} store
 * @param {number} nodes
 */
export async function fill(store, nodes) {
  if (!(await store.graphs()).some(({ name }) => name === graph)) await store.createGraph(graph);
  for (let at = 0; at < nodes; at += portion) {
    const count = Math.min(portion, nodes - at);
    await store.write({ graph }, author, (writer) => grow(writer, 'node', at, count));
  }
}

/**
 * Makes a branch that has so many changes: new nodes, changed ones and new edges, in turn.
 * @param {Store} store
 * @param {string} branch
 * @param {number} changes
 */
export async function branchWithChanges(store, branch, changes) {
  await store.createBranch(graph, branch);
  for (let at = 0; at < changes; at += portion) {
    const count = Math.min(portion, changes - at);
    await store.write({ graph, branch }, author, (writer) => grow(writer, branch, at, count));
  }
}

/**
 * Waits until the text index has caught up, which otherwise takes its turns between the calls: until writes take alike.
 * @param {Store} store
 */
export async function settled(store) {
  const deadline = performance.now() + settleLimit;
  while (performance.now() < deadline) {
    const samples = [];
    for (let nth = 0; nth < 20; nth++) {
      const start = performance.now();
      await write(store, `settling ${Math.random()}`);
      samples.push(performance.now() - start);
      await wait(30);
    }
    if (quantile(samples, 0.9) < 2.5 * median(samples)) return;
  }
}

/**
 * How long it takes to merge a branch, once.
 * @param {Store} store
 * @param {string} source
 */
export async function timeOfMerge(store, source) {
  // Something of its own, so that it is no fast-forward.
  await write(store, `${source} meanwhile`);
  const start = performance.now();
  await mergeBranches(store, { graph, source, author });
  return performance.now() - start;
}

/**
 * Medians of what is done in turn, so that noise hits all alike.
 * @template {string} K
 * @param {Record<K, (round: number) => Promise<unknown>>} actions
 * @param {{ rounds: number, warmup: number, random: import('./random.js').Random }} options
 * @returns {Promise<Record<K, number>>}
 */
export async function inTurn(actions, { rounds, warmup, random }) {
  const entries = /** @type {[K, (round: number) => Promise<unknown>][]} */ (Object.entries(actions));
  const samples = new Map(entries.map(([name]) => [name, /** @type {number[]} */ ([])]));
  for (let round = 0; round < rounds + warmup; round++) {
    // In a new order each time: whoever follows a write finds the disk busy.
    for (const [name, act] of random.shuffle(entries)) {
      const start = performance.now();
      await act(round);
      if (round >= warmup) samples.get(name)?.push(performance.now() - start);
    }
  }
  return /** @type {Record<K, number>} */ (
    Object.fromEntries([...samples].map(([name, times]) => [name, median(times)]))
  );
}

/**
 * A commit of one node.
 * @param {Store} store
 * @param {string} name
 * @param {string} [branch]
 */
export function write(store, name, branch) {
  const on = new Graph(store, graph, branch === undefined ? {} : { branch });
  return on.write(author, (tx) =>
    createNodesLenient(tx, [{ name, type: 'thing', observations: ['one', 'two'] }]),
  );
}

/**
 * Opens some nodes with their edges.
 * @param {Store} store
 * @param {readonly string[]} names
 * @param {string} [branch]
 */
export function read(store, names, branch) {
  const on = new Graph(store, graph, branch === undefined ? {} : { branch });
  return on.read((reader) => openNodes(reader, names));
}

/**
 * @param {Writer} writer
 * @param {string} prefix
 * @param {number} at
 * @param {number} count
 */
async function grow(writer, prefix, at, count) {
  const names = Array.from({ length: count }, (_, index) => `${prefix} ${at + index}`);
  const made = await writer.addIdentities(names.map((name) => ({ type: 'thing', name, observations: 2 })));
  await writer.putNodes(made.map(({ node, name }) => ({ id: node, type: 'thing', name })));
  await writer.putObservations(
    made.flatMap(({ node, name }) => [
      { node, text: `the first thing about ${name}` },
      { node, text: `and another one` },
    ]),
  );
  await writer.putEdges(
    made.map(({ node, name }, index) => {
      const to = made[Math.max(0, index - 1)] ?? { node, name };
      return { from: node, to: to.node, type: 'follows', key: '', fromName: name, toName: to.name };
    }),
  );
}
