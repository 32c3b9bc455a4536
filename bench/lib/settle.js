// @ts-check
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const restMs = 1_000;

/** Has the system write out what it still holds of filled files, so that nobody's commit waits behind it. */
export async function settle() {
  // Where there is no such command, the rest alone has to do.
  spawnSync('sync');
  await sleep(restMs);
}
