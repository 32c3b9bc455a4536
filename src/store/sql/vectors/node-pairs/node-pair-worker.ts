import { parentPort } from 'node:worker_threads';
import { findNearPairs } from './find-near-pairs.js';
import { NodeMatrix } from './node-matrix.js';
import type { NodePairAnswer, NodePairMessage } from './node-pair-messages.js';

const matrices = new Map<string, NodeMatrix>();

parentPort?.on('message', (message: NodePairMessage) => {
  switch (message.kind) {
    case 'put': {
      const { key, dimension, nodes, vectors } = message;
      const matrix = matrices.get(key) ?? new NodeMatrix(dimension);
      matrices.set(key, matrix);
      for (const [index, node] of nodes.entries())
        matrix.put(node, vectors.subarray(index * dimension, (index + 1) * dimension));
      return;
    }
    case 'remove':
      for (const node of message.nodes) matrices.get(message.key)?.remove(node);
      return;
    case 'drop':
      matrices.delete(message.key);
      return;
    case 'find': {
      const { id, key, request, timeMs } = message;
      const matrix = matrices.get(key) ?? new NodeMatrix(1);
      const found = findNearPairs(matrix, { ...request, until: performance.now() + timeMs });
      const answer: NodePairAnswer = { id, compared: matrix.size, found };
      parentPort?.postMessage(answer);
    }
  }
});
