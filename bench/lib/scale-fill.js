// @ts-check
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { email, scaleLines, scaleSchema } from './scale-lines.js';

const author = { actor: 'bench', tool: 'bench' };
const graph = 'default';
const portion = 2_500;
/** With its observation and its two edges. */
const rowsOfNewNode = 4;
/**
 * A typed graph, for each number of changes a branch with changed nodes and one with new ones, and a small graph for somebody else.
 * @param {string} code The folder whose built code fills it: later versions can read what it writes.
 * @param {string} location
 * @param {{ nodes: number, edges: number, changes: readonly number[], additions?: readonly number[] }} size
 */
export async function fillForScale(code, location, { nodes, edges, changes, additions = [] }) {
  const load = (/** @type {string} */ file) => import(pathToFileURL(resolve(code, 'dist', file)).href);
  const { Graph } = await load('engine/graph.js');
  const { runIngest } = await load('ingest/run-ingest.js');
  const { compileGraphSchema } = await load('schema/enforce/compile-graph-schema.js');
  const { openStoreAtLocation } = await load('store/open-store-at-location.js');
  const store = await openStoreAtLocation(location, { compileGraphSchema });
  try {
    await store.createGraph(graph);
    await store.createGraph('small');
    await store.write({ graph }, author, (/** @type {any} */ writer) => writer.setSchema(scaleSchema));
    const into = new Graph(store, graph);
    await runIngest(
      { commit: (/** @type {any} */ work) => into.commit(author, work) },
      scaleLines(nodes, edges),
      {
        ...{ mode: 'merge', maxBytes: Number.MAX_SAFE_INTEGER },
      },
    );
    for (const count of changes) await changeOnBranch(store, `draft ${count}`, Math.min(count, nodes));
    for (const count of additions) await addOnBranch(store, `new ${count}`, count, nodes);
    // Something of its own, so that a merge is no fast-forward.
    await changeNodes(store, 'main', [email(nodes - 1)], { city: 'elsewhere' });
  } finally {
    await store.close();
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
 * So many rows: new nodes with an observation and two edges each, to each other and to those of `main`.
 * @param {import('../../dist/store/store-contract.js').Store} store
 * @param {string} branch
 * @param {number} count
 * @param {number} nodes
 */
async function addOnBranch(store, branch, count, nodes) {
  await store.createBranch(graph, branch);
  const total = count / rowsOfNewNode;
  for (let at = 0; at < total; at += portion) {
    const names = Array.from(
      { length: Math.min(portion, total - at) },
      (_, index) => `${branch} ${at + index}`,
    );
    const targets = names.map((_, index) => email(((at + index) * 7919) % nodes));
    await store.write({ graph, branch }, author, async (writer) => {
      const made = await writer.addIdentities(
        names.map((name) => ({ type: 'Person', name, observations: 1 })),
      );
      await writer.putNodes(
        made.map(({ node, type, name }, index) => ({
          ...{ id: node, type, name },
          props: {
            email: name,
            age: index % 90,
            city: `city ${index % 500}`,
            note: `new words about ${name}`,
          },
        })),
      );
      await writer.putObservations(
        made.map(({ node, name }) => ({ node, text: `an observation about ${name}` })),
      );
      const known = new Map((await writer.nodesNamed(targets)).map((node) => [node.name, node]));
      await writer.putEdges(
        made.flatMap(({ node: from, name: fromName }, index) => {
          const next = made[(index + 1) % made.length];
          const to = known.get(targets[index] ?? '');
          if (next === undefined || to === undefined) return [];
          const ends = [
            { to: next.node, toName: next.name },
            { to: to.id, toName: to.name },
          ];
          return ends.map((end) => ({ from, fromName, ...end, type: 'Knows', key: '' }));
        }),
      );
    });
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
