import { parentPort } from 'node:worker_threads';
import type { NodeChunk } from '../../../vector-store.js';
import { eachVector } from '../node-vectors.js';
import type {
  NodePairAnswer,
  NodePairMessage,
  NodePairNews,
  NodePairQuestion,
} from './node-pair-messages.js';
import { NodePairs } from './node-pairs.js';
import { decodePairs, encodePairs } from './saved/saved-pairs.js';

const held = new Map<string, NodePairs>();
/** What has been read of those that are being loaded. */
const loading = new Map<string, NodeChunk[]>();

parentPort?.on('message', (message: NodePairMessage) => {
  if ('id' in message) parentPort?.postMessage({ ...answer(message), id: message.id });
  else apply(message);
});

function apply(message: NodePairNews): void {
  const { key } = message;
  switch (message.kind) {
    case 'start':
      held.set(key, new NodePairs(message.dimension));
      return;
    case 'put':
    case 'fill':
    case 'recall': {
      const pairs = heldOf(key);
      for (const [node, vector] of eachVector(message)) pairs[message.kind](node, vector);
      return;
    }
    case 'remove':
      for (const node of message.nodes) heldOf(key).remove(node);
      return;
    case 'chunks':
      loading.set(key, [...(loading.get(key) ?? []), ...message.chunks]);
      return;
    case 'drop':
      held.delete(key);
      loading.delete(key);
  }
}

function answer(question: NodePairQuestion): NodePairAnswer {
  const { key } = question;
  switch (question.kind) {
    case 'find': {
      const { limits, timeMs, wantsPairs } = question;
      const pairs = heldOf(key);
      const progress = pairs.advance({ ...limits, until: performance.now() + timeMs });
      const found = wantsPairs ? pairs.pairs(limits) : undefined;
      return { kind: 'find', ...progress, compared: pairs.size, found };
    }
    case 'load': {
      const saved = decodePairs(question.body);
      const loaded = saved === undefined ? undefined : NodePairs.load(saved, loading.get(key) ?? []);
      loading.delete(key);
      if (loaded !== undefined) held.set(key, loaded);
      return { kind: 'load', isLoaded: loaded !== undefined };
    }
    case 'save': {
      const { saved, chunks } = heldOf(key).save();
      return { kind: 'save', body: encodePairs(saved), chunks };
    }
  }
}

/** What was dropped must not be answered as if there were no nodes: it ends the thread, and the next call starts anew. */
function heldOf(key: string): NodePairs {
  const pairs = held.get(key);
  if (pairs === undefined) throw new Error(`The thread that compares nodes does not have those of ${key}.`);
  return pairs;
}
