import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../model/error.js';
import { openVectorSource } from '../../../store/open-vector-source.js';
import type { VectorSource } from '../../../store/vector-store.js';
import { localEmbedder } from '../../embedders/local-embedder.js';
import type { Perspective } from '../../perspectives.js';
import { embedGraph } from '../embed-graph.js';
import type { EmbeddingRequest, EmbeddingResponse } from './embedding-messages.js';

// The thread that embeds with the model in the package: it opens the vectors that its data names, and embeds graphs.
const source: VectorSource = workerData;
const opened = openVectorSource(source);
let last: Promise<unknown> = opened;
let ended = false;

parentPort?.on('message', (request: EmbeddingRequest) => {
  if (request === 'end') void end();
  else last = embed(request.embed.graph, request.embed.perspectives);
});

async function embed(graph: string, perspectives: readonly Perspective[]): Promise<void> {
  try {
    const { vectors } = await opened;
    await embedGraph({
      ...{ vectors, graph, embedder: localEmbedder, perspectives },
      keepOthers: true,
      stopped: () => ended,
    });
    send('done');
  } catch (error) {
    send({ failed: reasonOf(error) });
  }
}

async function end(): Promise<void> {
  ended = true;
  await last;
  await (await opened).close();
  parentPort?.close();
}

function send(response: EmbeddingResponse): void {
  parentPort?.postMessage(response);
}
