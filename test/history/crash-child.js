// @ts-check
// Merges or collects until it is done or killed: `node test/history/crash-child.js STORE merge|collect`.
import { mergeBranches } from '../../dist/engine/history/merge/merge-branches.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';

const [, , path = '', work = ''] = process.argv;
const graph = 'default';
const store = await openStoreAtLocation(path);
process.stdout.write('started\n');
if (work === 'merge') {
  await mergeBranches(store, { graph, source: 'try', author: { actor: 'ann', tool: 'merge' } });
} else {
  await store.collect(graph, { before: Number.MAX_SAFE_INTEGER });
}
process.stdout.write('done\n');
await store.close();
