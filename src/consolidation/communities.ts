import { once } from 'node:events';
import { programFile } from '../file/program-file.js';
import type { TieList } from './ties.js';

/** Up to so many ties, finding communities takes no longer than starting a thread. */
const tiesOnThisThread = 2_000;

/** The community of each node. Finding many takes seconds, during which nobody else must have to wait. */
export async function communitiesOf({ nodes, from, to, weights }: TieList): Promise<readonly number[]> {
  const list: TieList = { nodes, from, to, weights };
  // Loaded when a report is asked for, so that nothing else waits for it.
  if (weights.length <= tiesOnThisThread) return (await import('./louvain.js')).louvainCommunities(list);
  const { Worker } = await import('node:worker_threads');
  const thread = new Worker(programFile(import.meta.url, './louvain-thread.js'), { workerData: list });
  // An error of the thread rejects this.
  const [communities] = await once(thread, 'message');
  return communities;
}
