// @ts-check
// The graphs that bench/fairness.js asks too much of, and the small one of somebody else.
import { compileGraphSchema } from '../../dist/schema/enforce/compile-graph-schema.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';

/**
 * @typedef {import('../../dist/store/store-contract.js').Store} Store
 */

const author = { actor: 'bench', tool: 'bench' };
const portion = 2_500;

/** The schema of the typed graph, and one that holds its rows to more. */
export const schema = `node Item {
  code: String @key
  label: String
  amount: I64
}
edge Next: Item -> Item
`;
export const stricterSchema = `node Item {
  code: String @key
  label: String @unique
  amount: I64
  @check(label, "^[a-z0-9 ]{1,80}$")
  @range(amount, 0..1000000000)
}
edge Next: Item -> Item @card(0..1)
`;

export const nodeName = (/** @type {number} */ index) => `note ${index}`;

/**
 * Opens a store as the server does.
 * @param {string} location
 */
export function openForBench(location) {
  return openStoreAtLocation(location, { compileGraphSchema });
}

/**
 * Fills a store: `notes`, with texts and edges; `items`, typed, with a branch that changes every row; and `small`.
 * @param {string} location
 * @param {number} nodes
 * @param {(text: string) => void} progress
 */
export async function fillForFairness(location, nodes, progress) {
  const store = await openForBench(location);
  const isFile = store.kind === 'jsonl';
  try {
    const [notes, small] = isFile ? ['default', 'default'] : ['notes', 'small'];
    const known = new Set((await store.graphs()).map(({ name }) => name));
    for (const graph of new Set([notes, small])) if (!known.has(graph)) await store.createGraph(graph);
    await inPortions(nodes, progress, 'notes', (at, count) => growNotes(store, notes, at, count));
    await growNotes(store, small, nodes, 20);
    if (!isFile) await fillItems(store, nodes, progress);
  } finally {
    await store.close();
  }
}

/**
 * @param {Store} store
 * @param {number} nodes
 * @param {(text: string) => void} progress
 */
async function fillItems(store, nodes, progress) {
  const graph = 'items';
  await store.createGraph(graph);
  await store.write({ graph }, author, (writer) => writer.setSchema(schema));
  await inPortions(nodes, progress, 'items', (at, count) => growItems(store, graph, at, count));
  await store.createBranch(graph, 'draft');
  await inPortions(nodes, progress, 'draft', (at, count) =>
    store.write({ graph, branch: 'draft' }, author, async (writer) => {
      const names = Array.from({ length: count }, (_, index) => `item-${at + index}`);
      const found = await writer.nodesNamed(names);
      await writer.putNodes(found.map((node) => ({ ...node, props: { ...node.props, amount: 7 } })));
    }),
  );
  // Something of its own, so that a merge is no fast-forward.
  await growItems(store, graph, nodes, 1);
}

/**
 * @param {number} nodes
 * @param {(text: string) => void} progress
 * @param {string} what
 * @param {(at: number, count: number) => Promise<unknown>} grow
 */
async function inPortions(nodes, progress, what, grow) {
  for (let at = 0; at < nodes; at += portion) await grow(at, Math.min(portion, nodes - at));
  progress(`filled ${what}`);
}

/**
 * @param {Store} store
 * @param {string} graph
 * @param {number} at
 * @param {number} count
 */
export function growNotes(store, graph, at, count) {
  return store.write({ graph }, author, async (writer) => {
    const names = Array.from({ length: count }, (_, index) => nodeName(at + index));
    const made = await writer.addIdentities(names.map((name) => ({ type: 'note', name, observations: 3 })));
    await writer.putNodes(made.map(({ node, name }) => ({ id: node, type: 'note', name })));
    await writer.putObservations(
      made.flatMap(({ node, name }, index) =>
        ['what was said', 'what was meant', 'what came of it'].map((about) => ({
          node,
          text: `${about} about ${name}: ${sentence(at + index)}`,
        })),
      ),
    );
    await writer.putEdges(
      made.flatMap(({ node, name }, index) => {
        const to = made[(index * 7 + 1) % made.length] ?? { node, name };
        return [{ from: node, to: to.node, type: 'follows', key: '', fromName: name, toName: to.name }];
      }),
    );
  });
}

/**
 * @param {Store} store
 * @param {string} graph
 * @param {number} at
 * @param {number} count
 */
function growItems(store, graph, at, count) {
  return store.write({ graph }, author, async (writer) => {
    const names = Array.from({ length: count }, (_, index) => `item-${at + index}`);
    const made = await writer.addIdentities(names.map((name) => ({ type: 'Item', name })));
    await writer.putNodes(
      made.map(({ node, name }, index) => ({
        ...{ id: node, type: 'Item', name },
        props: { code: name, label: `the label of ${at + index}`, amount: at + index },
      })),
    );
    await writer.putEdges(
      made.flatMap(({ node, name }, index) => {
        const to = made[index + 1];
        if (to === undefined) return [];
        return [{ from: node, to: to.node, type: 'Next', key: '', fromName: name, toName: to.name }];
      }),
    );
  });
}

const words = 'river stone garden letter window engine paper orange silver market bridge winter'.split(' ');

/** @param {number} seed */
function sentence(seed) {
  return Array.from({ length: 16 }, (_, index) => words[(seed * 5 + index * index * 3) % words.length]).join(
    ' ',
  );
}
