import { workerData } from 'node:worker_threads';

/**
 * A thread in a read process that ends the process when its parent is gone, as after a kill. The process itself would only
 * notice between two statements.
 */
const parent: number = workerData;
const everyMs = 1_000;

setInterval(() => {
  if (!lives()) process.kill(process.pid, 'SIGKILL');
}, everyMs);

function lives(): boolean {
  try {
    process.kill(parent, 0);
    return process.ppid === parent;
  } catch {
    return false;
  }
}
