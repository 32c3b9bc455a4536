// @ts-check
// Makes writes and prints the id of each acknowledged commit: node writer.js STORE NAME WRITES

import { Graph } from '../../dist/engine/graph.js';
import { createNodesLenient } from '../../dist/engine/write/create-nodes-lenient.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';

const [location = '', name = '', writes = '0'] = process.argv.slice(2);
const clients = 10;
const store = await openStoreAtLocation(location);
const graph = new Graph(store, 'default');
let left = Number(writes);

await Promise.all(
  Array.from({ length: clients }, async () => {
    while (left > 0) {
      const node = { name: `${name}-${left--}`, type: 'thing', observations: ['written'] };
      const { commit } = await graph.commit({ actor: name, tool: 'writer' }, (tx) =>
        createNodesLenient(tx, [node]),
      );
      process.stdout.write(`${commit?.id}\n`);
    }
  }),
);
await store.close();
