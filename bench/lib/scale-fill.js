// @ts-check
import { Graph } from '../../dist/engine/graph.js';
import { runIngest } from '../../dist/ingest/run-ingest.js';
import { compileGraphSchema } from '../../dist/schema/enforce/compile-graph-schema.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';

const author = { actor: 'bench', tool: 'bench' };
const graph = 'default';
const portion = 2_500;
const schema = `
node Person { email: String @key  age: I32?  city: String? @index  note: String? }
edge Knows: Person -> Person { since: Date? }
`;

const email = (/** @type {number} */ index) => `person-${index}@example.org`;

/**
 * A typed graph, a branch for each number of changes, and a small graph for somebody else.
 * @param {string} location
 * @param {{ nodes: number, edges: number, changes: readonly number[] }} size
 */
export async function fillForScale(location, { nodes, edges, changes }) {
  const store = await openStoreAtLocation(location, { compileGraphSchema });
  try {
    await store.createGraph(graph);
    await store.createGraph('small');
    await store.write({ graph }, author, (writer) => writer.setSchema(schema));
    const into = new Graph(store, graph);
    await runIngest({ commit: (work) => into.commit(author, work) }, lines(nodes, edges), {
      ...{ mode: 'merge', maxBytes: Number.MAX_SAFE_INTEGER },
    });
    for (const count of changes) await changeOnBranch(store, `draft ${count}`, Math.min(count, nodes));
    // Something of its own, so that a merge is no fast-forward.
    await changeNodes(store, 'main', [email(nodes - 1)], { city: 'elsewhere' });
  } finally {
    await store.close();
  }
}

/**
 * @param {number} nodes
 * @param {number} edges
 */
function* lines(nodes, edges) {
  for (let n = 0; n < nodes; n++) {
    const data = {
      email: email(n),
      age: n % 90,
      city: `city ${n % 500}`,
      note: `some words about person ${n}`,
    };
    yield Buffer.from(`${JSON.stringify({ type: 'Person', data })}\n`);
  }
  for (let n = 0; n < edges; n++) {
    const [from, to] = [(n * 7919) % nodes, (n * 104_729 + Math.floor(n / nodes) + 1) % nodes];
    const data = { since: `2020-01-${String((n % 28) + 1).padStart(2, '0')}` };
    yield Buffer.from(`${JSON.stringify({ edge: 'Knows', from: email(from), to: email(to), data })}\n`);
  }
}

/**
 * @param {import('../../dist/store/store-contract.js').Store} store
 * @param {string} branch
 * @param {number} count
 */
async function changeOnBranch(store, branch, count) {
  await store.createBranch(graph, branch);
  for (let at = 0; at < count; at += portion) {
    const names = Array.from({ length: Math.min(portion, count - at) }, (_, index) => email(at + index));
    await changeNodes(store, branch, names, { note: `other words, ${count}`, age: 7 });
  }
}

/**
 * @param {import('../../dist/store/store-contract.js').Store} store
 * @param {string} branch
 * @param {readonly string[]} names
 * @param {Readonly<Record<string, string | number>>} props
 */
function changeNodes(store, branch, names, props) {
  return store.write({ graph, branch }, author, async (writer) => {
    const found = await writer.nodesNamed(names);
    await writer.putNodes(found.map((node) => ({ ...node, props: { ...node.props, ...props } })));
  });
}
