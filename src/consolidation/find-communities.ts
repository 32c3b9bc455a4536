import { once } from 'node:events';
import type { Deadline } from '../bounds/deadline.js';
import { programFile } from '../file/program-file.js';
import type { WeightedEdgeList } from './weighted-graph.js';

/** Up to so many ties, finding communities takes no longer than starting a thread. */
const maxEdgesOnMainThread = 2_000;

/** The community of each node; undefined if that takes too long. Nobody else waits meanwhile. */
export async function findCommunities(
  { nodes, from, to, weights }: WeightedEdgeList,
  deadline: Deadline,
): Promise<readonly number[] | undefined> {
  const list: WeightedEdgeList = { nodes, from, to, weights };
  // Loaded when a report is asked for, so that nothing else waits for it.
  if (weights.length <= maxEdgesOnMainThread) return (await import('./louvain.js')).louvainCommunities(list);
  const { Worker } = await import('node:worker_threads');
  const thread = new Worker(programFile(import.meta.url, './louvain-worker.js'), { workerData: list });
  try {
    // An error of the thread rejects this.
    const message = await deadline.wait(once(thread, 'message'));
    return message?.[0];
  } finally {
    void thread.terminate();
  }
}
