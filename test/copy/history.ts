import { randomFrom } from '../../bench/lib/random.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import { LogMaker } from '../differential/log.js';
import { perform } from '../differential/perform.js';

export const author = { actor: 'ann', tool: 'copy' };

/** What makes one history. */
export interface History {
  readonly seed: number;
  readonly operations: number;
  readonly together: number;
}

/** Makes a store with a history of every kind of write, on several branches. */
export async function storeWithHistory(path: string, history: History): Promise<Store> {
  let now = Date.UTC(2026, 0, 1);
  const store = await openStoreAtLocation(path, { clock: () => now });
  await store.createGraph(defaultGraph);
  await goOn(store, history, () => {
    now += 1_000;
  });
  return store;
}

/** Writes more; the same seed does the same again, where it can. */
export async function goOn(
  store: Store,
  { seed, operations, together }: History,
  tick: () => void = () => {},
): Promise<void> {
  const there = new Set((await store.branches(defaultGraph)).map(({ name }) => name));
  const log = new LogMaker(randomFrom(seed), { operations, names: 12, branches: 5, together });
  for (const step of log.steps()) {
    tick();
    if (step.kind === 'write' || !there.has(step.name)) await perform(store, step);
  }
}

/** Everything a store shows of a graph at every commit, without the numbers it gave out itself. */
export async function everyCommit(store: Store): Promise<unknown[]> {
  const states: unknown[] = [];
  for (const { id, parent, branch } of await store.commitsSince(defaultGraph, 0, 100_000)) {
    const state = await store.read({ graph: defaultGraph, commit: id }, async (reader) => {
      const nodes = [...(await reader.nodes()), ...(await reader.stubs())];
      const names = new Map(nodes.map(({ id: node, type, name }) => [node, `${type} ${name}`]));
      const updated = await reader.updatedAt([...names.keys()]);
      const observations = await reader.observationsOf([...names.keys()]);
      const edges = await reader.edges();
      return {
        nodes: nodes.map(({ id: node, type, name, stub, summary, tags, props, provenance, createdAt }) => ({
          ...{ type, name, stub, summary, tags, props, provenance, createdAt, updated: updated.get(node) },
          observations: observations
            .filter((observation) => observation.node === node)
            .map(({ ordinal, text, createdAt: made }) => [ordinal, text, made]),
        })),
        edges: edges.map(({ from, to, type, key, weight, props, provenance, createdAt }) => ({
          ...{ from: names.get(from), to: names.get(to), type, key, weight, props, provenance, createdAt },
        })),
      };
    });
    states.push({ id, parent, branch, state });
  }
  return states;
}
