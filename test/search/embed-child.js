// @ts-check
// Writes and embeds until it is killed, naming each node once it is stored: `node test/search/embed-child.js STORE ROUND [thread]`.
import { Graph } from '../../dist/engine/graph.js';
import { createNodesLenient } from '../../dist/engine/write/create-nodes-lenient.js';
import { localEmbedder } from '../../dist/search/embedders/local-embedder.js';
import { BackgroundEmbedder } from '../../dist/search/embedding/background-embedder.js';
import { EmbeddingThread } from '../../dist/search/embedding/thread/embedding-thread.js';
import { defaultPerspectives } from '../../dist/search/perspectives.js';
import { openStoreAtLocation } from '../../dist/store/open-store-at-location.js';

const [, , path = '', round = '', on = ''] = process.argv;
const store = await openStoreAtLocation(path);
const graph = new Graph(store, 'default');
const source = on === 'thread' ? store.vectors?.source : undefined;
const background = new BackgroundEmbedder({
  store,
  // Many small batches, so that the end comes in the middle of one.
  embedder: { ...localEmbedder, batchSize: 5 },
  perspectivesOf: () => defaultPerspectives,
  pauseMs: 0,
  thread: source === undefined ? undefined : new EmbeddingThread(source),
});
for (let at = 0; ; at++) {
  const name = `node ${round}-${at}`;
  const observations = Array.from(
    { length: on === 'thread' ? 100 : 20 },
    (_, line) => `fact ${line} about ${name}`,
  );
  await graph.write({ actor: 'ann', tool: 'test' }, (tx) =>
    createNodesLenient(tx, [{ name, type: 'thing', observations }]),
  );
  process.stdout.write(`${name}\n`);
  await background.catchUp('default', 20);
}
