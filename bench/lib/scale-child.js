// @ts-check
// One piece of large work in a process of its own: how long it takes, how long others wait, how much memory it needs.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { scaleLines, scaleSchema } from './scale-lines.js';
import { runDelayMs, Stalls } from './stalls.js';

/** @type {{ code: string, location: string, work: string, changes: number }} */
const { code, location, work, changes } = JSON.parse(process.argv[2] ?? '{}');
const load = (/** @type {string} */ file) => import(pathToFileURL(resolve(code, 'dist', file)).href);

const author = { actor: 'bench', tool: 'bench' };
const graph = 'default';
const { openStoreAtLocation } = await load('store/open-store-at-location.js');
const { compileGraphSchema } = await load('schema/enforce/compile-graph-schema.js');
const store = await openStoreAtLocation(location, { compileGraphSchema });

const works = { merge, 'merge-new': mergeNew, undo, gc, ingest };

async function merge() {
  const { mergeBranches } = await load('engine/history/merge/merge-branches.js');
  return () => mergeBranches(store, { graph, source: `draft ${changes}`, author });
}

/** A quarter as many new nodes, each with an observation and two edges. */
async function mergeNew() {
  const { mergeBranches } = await load('engine/history/merge/merge-branches.js');
  return () => mergeBranches(store, { graph, source: `new ${changes}`, author });
}

async function undo() {
  const { undo: undoCommits } = await load('engine/history/undo.js');
  // Others have written since.
  const commits = await store.commits({ graph, branch: 'main' }, { limit: 10_000 });
  const { id } = commits.find((/** @type {{ actor: string }} */ { actor }) => actor === author.actor);
  return () => undoCommits(store, { graph, commits: [id], author });
}

/** Nobody can see the versions of the branch any more, nor those that the merge made and the undo replaced. */
async function gc() {
  await store.deleteBranch(graph, `draft ${changes}`);
  // The newest commits are kept.
  for (const note of ['one', 'two'])
    await store.write({ graph }, { ...author, message: note }, async () => {}, {});
  return () => store.collect(graph, { before: Number.MAX_SAFE_INTEGER });
}

/** As many nodes and three times as many edges, into a graph of their own. */
async function ingest() {
  const { runIngest } = await load('ingest/run-ingest.js');
  const { Graph } = await load('engine/graph.js');
  const into = new Graph(store, 'ingested');
  await store.createGraph('ingested');
  await store.write({ graph: 'ingested' }, author, (/** @type {any} */ writer) =>
    writer.setSchema(scaleSchema),
  );
  return () =>
    runIngest(
      {
        read: (/** @type {any} */ look) => into.read(look),
        commit: (/** @type {any} */ put, /** @type {any} */ options) => into.commit(author, put, options),
      },
      scaleLines(changes, 3 * changes),
      { mode: 'merge', maxBytes: Number.MAX_SAFE_INTEGER },
    );
}

/**
 * Small writes of somebody else to a graph, until told to stop: the longest of them, without what this thread waited for
 * a processor.
 * @param {string} beside
 */
function writeBeside(beside) {
  let stopped = false;
  let longest = 0;
  let writes = 0;
  const writing = (async () => {
    while (!stopped) {
      const [start, delayed] = [performance.now(), runDelayMs()];
      await store.write(
        { graph: beside },
        { actor: 'other', tool: 'bench' },
        async (/** @type {any} */ writer) => {
          const type = beside === graph ? 'Person' : 'thing';
          const name = `${work}-${start}-${Math.random()}@example.org`;
          const [made] = await writer.addIdentities([{ type, name }]);
          const props = beside === graph ? { props: { email: name } } : {};
          await writer.putNodes([{ id: made.node, type, name, ...props }]);
        },
      );
      longest = Math.max(longest, performance.now() - start - (runDelayMs() - delayed));
      writes += 1;
      await delay(10);
    }
  })();
  return async () => {
    stopped = true;
    await writing;
    return { longest, writes };
  };
}

const run = await works[/** @type {keyof typeof works} */ (work)]();
const stalls = new Stalls();
const [another, same] = ['small', graph].map(writeBeside);
await delay(300);
stalls.take();
stalls.takeComputing();
const start = performance.now();
const cpu = process.cpuUsage();
await run();
const ms = performance.now() - start;
const used = process.cpuUsage(cpu);
// A standstill is noticed when it is over, and the commit is the last of the work.
await delay(20);
const [stall, computing] = [stalls.take(), stalls.takeComputing()];
const [besideAnother, besideSame] = [await another?.(), await same?.()];
await store.close();
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
const cpuMs = (used.user + used.system) / 1000;
process.stdout.write(
  `${JSON.stringify({ ms, cpuMs, waits: [besideAnother?.longest, besideSame?.longest], stall, computing, peak })}\n`,
);
