// @ts-check
// One merge in a process of its own: how much CPU time it takes, with that of the processes that read for it.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mergeByHand } from './merge-by-hand.js';
import { textsIndexed } from './texts-indexed.js';

/** @type {{ code: string | null, location: string, warmup: string, source: string }} Without code, by hand. */
const { code, location, warmup, source } = JSON.parse(process.argv[2] ?? '{}');
const tickMs = 10;

/** The CPU time of child processes, which a process is told only when they have ended. */
function childrenMs() {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ');
      } catch {
        return [];
      }
    });
  return stats
    .filter(([, parent]) => Number(parent) === process.pid)
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * tickMs, 0);
}

async function openMerge() {
  if (code === null)
    return { merge: async (/** @type {string} */ branch) => mergeByHand(location, branch), close: () => {} };
  const load = (/** @type {string} */ file) => import(pathToFileURL(resolve(code, 'dist', file)).href);
  const { openStoreAtLocation } = await load('store/open-store-at-location.js');
  const { compileGraphSchema } = await load('schema/enforce/compile-graph-schema.js');
  const { mergeBranches } = await load('engine/history/merge/merge-branches.js');
  const store = await openStoreAtLocation(location, { compileGraphSchema });
  const author = { actor: 'bench', tool: 'bench' };
  return {
    merge: (/** @type {string} */ branch) =>
      mergeBranches(store, { graph: 'default', source: branch, author }),
    close: () => store.close(),
  };
}

const { merge, close } = await openMerge();
// A server is warm, and background work on what it wrote before is not what is measured.
await merge(warmup);
if (code !== null) await textsIndexed(location);
const [start, own, others] = [performance.now(), process.cpuUsage(), childrenMs()];
await merge(source);
const { user, system } = process.cpuUsage(own);
const figures = { ms: performance.now() - start, cpuMs: (user + system) / 1000 + childrenMs() - others };
await close();
process.stdout.write(JSON.stringify(figures));
