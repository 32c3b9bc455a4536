// @ts-check
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { email, scaleLines, scaleSchema } from './scale-lines.js';

const author = { actor: 'bench', tool: 'bench' };
const graph = 'default';
const portion = 2_500;
/**
 * A typed graph, a branch for each number of changes, and a small graph for somebody else.
 * @param {string} code The folder whose built code fills it: later versions can read what it writes.
 * @param {string} location
 * @param {{ nodes: number, edges: number, changes: readonly number[] }} size
 */
export async function fillForScale(code, location, { nodes, edges, changes }) {
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
