import { once } from 'node:events';
import type { Deadline } from '../bounds/deadline.js';
import { programFile } from '../file/package-files.js';
import type { WeightedEdgeList } from './weighted-graph.js';

/** For fewer edges, starting a worker takes longer than the work. */
const maxEdgesOnMainThread = 2_000;

/** The community of each node; undefined if time runs out. */
export async function findCommunities(
  { nodes, from, to, weights }: WeightedEdgeList,
  deadline: Deadline,
): Promise<readonly number[] | undefined> {
  const list: WeightedEdgeList = { nodes, from, to, weights };
  // Loaded on demand to keep the start of the server fast.
  if (weights.length <= maxEdgesOnMainThread) return (await import('./louvain.js')).louvainCommunities(list);
  const { Worker } = await import('node:worker_threads');
  const thread = new Worker(programFile(import.meta.url, './louvain-worker.js'), { workerData: list });
  try {
    // An error in the worker rejects this.
    const message = await deadline.wait(once(thread, 'message'));
    return message?.[0];
  } finally {
    void thread.terminate();
  }
}
