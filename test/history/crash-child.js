// @ts-check
// Does something large until it is done or killed: `node test/history/crash-child.js STORE GRAPH merge|collect|ingest`.
import { Graph } from '../../dist/engine/graph.js';
import { mergeBranches } from '../../dist/engine/history/merge/merge-branches.js';
import { runIngest } from '../../dist/ingest/run-ingest.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';

const [, , path = '', graph = '', work = ''] = process.argv;
const store = await openStoreAtLocation(path);
process.stdout.write('started\n');
if (work === 'merge') {
  await mergeBranches(store, { graph, source: 'try', author: { actor: 'ann', tool: 'merge' } });
} else if (work === 'ingest') {
  const lines = Array.from({ length: 5_000 }, (_, index) => [
    `{"type":"item","data":{"name":"item ${index}"},"observations":["about ${index}"]}\n`,
    `{"edge":"next","from":"item ${index}","to":"item ${Math.max(0, index - 1)}"}\n`,
  ]);
  const author = { actor: 'ann', tool: 'ingest' };
  const into = new Graph(store, graph);
  await runIngest(
    { commit: (put, options) => into.commit(author, put, options) },
    [Buffer.from(lines.flat().join(''))],
    {
      ...{ mode: 'append', maxBytes: Number.MAX_SAFE_INTEGER },
    },
  );
} else {
  await store.collect(graph, { before: Number.MAX_SAFE_INTEGER });
}
process.stdout.write('done\n');
await store.close();
