import { parentPort } from 'node:worker_threads';
import type { NodePairAnswer, NodePairMessage } from './node-pair-messages.js';
import { NodePairs } from './node-pairs.js';

const held = new Map<string, NodePairs>();

parentPort?.on('message', (message: NodePairMessage) => {
  switch (message.kind) {
    case 'put': {
      const { key, dimension, nodes, vectors } = message;
      const pairs = held.get(key) ?? new NodePairs(dimension);
      held.set(key, pairs);
      for (const [index, node] of nodes.entries())
        pairs.put(node, vectors.subarray(index * dimension, (index + 1) * dimension));
      return;
    }
    case 'remove':
      for (const node of message.nodes) held.get(message.key)?.remove(node);
      return;
    case 'drop':
      held.delete(message.key);
      return;
    case 'find': {
      const { id, key, request, timeMs } = message;
      const pairs = held.get(key) ?? new NodePairs(1);
      const found = pairs.find({ ...request, until: performance.now() + timeMs });
      const answer: NodePairAnswer = { id, compared: pairs.size, found };
      parentPort?.postMessage(answer);
    }
  }
});
