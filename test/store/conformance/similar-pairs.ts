import { beforeEach, describe, expect, test } from 'vitest';
import { Deadline } from '../../../src/bounds/deadline.js';
import type { Store } from '../../../src/store/store-contract.js';
import type { NodePairsPatch, VectorSpace, VectorStore } from '../../../src/store/vector-store.js';
import { author, main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

const dimension = 32;
const space: VectorSpace = { model: 'numbers', perspective: '', dimension };
/** More than are compared by their vectors. */
const nodes = 2_100;
const minScore = 0.9;

/** Texts `of N` and `like N` are near to each other, and to no other. */
function vectorOf(text: string): Float32Array {
  const [kind, number] = text.split(' ');
  // The names of nodes have no number.
  let state = Number(number ?? 0) * 7 + 1_000;
  const vector = Float32Array.from({ length: dimension }, () => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  });
  if (kind === 'like') vector[0] = (vector[0] ?? 0) + 0.2;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Pairs of similar nodes that are saved serve a new process, and only propose. */
export function similarPairsConformance(context: StoreContext): void {
  describe.runIf(context.kind.capabilities.branches)('saved pairs of similar nodes', () => {
    const { write } = context;
    const ids = new Map<string, number>();
    const say = async (texts: Readonly<Record<string, string>>) => {
      const named = Object.entries(texts).map(([name, text]) => [name, [text]] as const);
      const { result } = await write((writer) => put(writer, { nodes: Object.fromEntries(named) }));
      for (const [name, id] of Object.entries(result)) ids.set(name, id);
    };
    const vectorsOf = (store: Store): VectorStore => {
      if (store.vectors === null) throw new Error('no vectors');
      return store.vectors;
    };
    const embed = async () => {
      const vectors = vectorsOf(context.store);
      for (;;) {
        const pending = await vectors.pending(main.graph, space, 3_000);
        if (pending.length === 0) return;
        const made = pending.map(({ document, text }) => ({ document, vector: vectorOf(text) }));
        await vectors.put(main.graph, space, made);
      }
    };
    const maintainOnce = (store: Store, ms: number) =>
      store.read(main, (reader) =>
        reader.maintainNodePairs(space, { minScore: 0.7, deadline: new Deadline(ms) }),
      );
    /** Returns the patches that were saved, and whether they were. */
    const maintain = async (store: Store = context.store, ms = 60_000) => {
      const saved: boolean[] = [];
      for (let step = 0; step < 1_000; step++) {
        const { isDone, patch } = await maintainOnce(store, ms);
        if (patch !== undefined) saved.push(await vectorsOf(store).saveNodePairs(main.graph, patch));
        if (isDone) return saved;
      }
      throw new Error('It does not end.');
    };
    const isMaintained = async (store: Store = context.store) =>
      (await store.read(main, (reader) => reader.maintainNodePairs(space, { minScore: 0.7 }))).isDone;
    const patchOf = async (store: Store): Promise<NodePairsPatch> => {
      const { patch } = await maintainOnce(store, 60_000);
      if (patch === undefined) throw new Error('nothing to save');
      return patch;
    };
    const found = async (store: Store = context.store) => {
      const near = await store.read(main, (reader) => reader.nearNodePairs(space, { minScore }));
      expect(near.outOfTime).toBe(false);
      const nameOf = new Map([...ids].map(([name, id]) => [id, name]));
      const names = near.pairs.map(({ a, b }) => [nameOf.get(a), nameOf.get(b)].sort().join(' '));
      return { pairs: names.sort(), compared: near.compared, meanCosine: near.meanCosine };
    };
    /** As a process finds it that knows nothing of what was saved: at a commit, which is never saved. */
    const foundAnew = async () => {
      const [head] = await context.store.commits(main, { limit: 1 });
      const near = await context.store.read({ ...main, commit: head?.id }, (reader) =>
        reader.nearNodePairs(space, { minScore }),
      );
      return { compared: near.compared, meanCosine: near.meanCosine };
    };
    const tables = async () => {
      const [graph] = await context.store.graphs();
      const holding = await context.tablesWith(graph?.id ?? 0);
      return ['node_bits', 'node_pairs'].filter((table) => holding.includes(table));
    };

    beforeEach(async () => {
      ids.clear();
      const facts = Array.from({ length: nodes }, (_, at) => [`n${at}`, `of ${at}`] as const);
      await say(Object.fromEntries(facts));
      await say({ x: 'like 7' });
      await embed();
    });

    test('are what a new process finds, and lead to what was written, embedded and deleted since', async () => {
      expect(await isMaintained()).toBe(false);
      expect(await maintain()).toEqual([true]);
      expect(await isMaintained()).toBe(true);
      expect(await tables()).toEqual(['node_bits', 'node_pairs']);
      await context.reopen();
      expect(await found()).toMatchObject({ pairs: ['n7 x'], compared: nodes + 1 });

      await say({ y: 'like 80', z: 'like 9' });
      await write(async (writer) => {
        await writer.putObservations([{ node: ids.get('n500') ?? 0, ordinal: 1, text: 'like 12' }]);
        await writer.removeNodes([ids.get('n7') ?? 0, ids.get('n9') ?? 0]);
      });
      await context.reopen();
      expect((await found()).pairs).toEqual([]);
      await embed();
      await context.reopen();
      const after = await found();
      expect(after.pairs).toEqual(['n12 n500', 'n80 y']);
      const anew = await foundAnew();
      expect(after.compared).toBe(anew.compared);
      expect(after.meanCosine).toBeCloseTo(anew.meanCosine, 6);
      // So few changes are left to searches.
      expect(await isMaintained()).toBe(true);
      await context.reopen();
      expect(await found()).toEqual(after);
    });

    test('are brought up to date when much has changed, in steps, of which any may be the last', async () => {
      await maintain();
      await say(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, `of ${5_000 + at}`])));
      await say({ y: 'like 5007', z: 'like 80' });
      await embed();
      await context.reopen();
      expect(await isMaintained()).toBe(false);
      for (let step = 0; step < 3; step++) {
        const { patch } = await maintainOnce(context.store, 0);
        if (patch !== undefined) await vectorsOf(context.store).saveNodePairs(main.graph, patch);
        await context.reopen();
      }
      // How much is left depends on the machine.
      expect(await maintain(context.store, 5)).not.toContain(false);
      await context.reopen();
      expect(await isMaintained()).toBe(true);
      expect((await found()).pairs).toEqual(['m7 y', 'n7 x', 'n80 z']);
    });

    test('are saved by one of several processes; the others go on from there', async () => {
      const other = await context.another();
      try {
        const [first, second] = [await patchOf(context.store), await patchOf(other)];
        const vectors = vectorsOf(context.store);
        expect(await vectors.saveNodePairs(main.graph, first)).toBe(true);
        expect(await vectors.saveNodePairs(main.graph, second)).toBe(false);
        // What is saved is what the first had.
        expect(await maintain(other)).toEqual([]);
        expect(await isMaintained(other)).toBe(true);
        await say(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, `like ${at}`])));
        await embed();
        expect(await maintain(other)).toEqual([true]);
        expect(await maintain()).toEqual([]);
        expect((await found()).pairs).toHaveLength(302);
        expect(await vectors.saveNodePairs(main.graph, second)).toBe(false);
      } finally {
        await other.close();
      }
    });

    test('go with a purge, and what was made before it is not saved', async () => {
      await maintain();
      await say(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, `of ${5_000 + at}`])));
      await embed();
      const patch = await patchOf(context.store);
      await context.store.purge(main.graph, { text: 'like 7' });
      expect(await tables()).toEqual([]);
      const vectors = vectorsOf(context.store);
      expect(await vectors.saveNodePairs(main.graph, patch)).toBe(false);
      expect(await vectors.saveNodePairs(main.graph, { ...patch, base: null })).toBe(false);
      expect(await tables()).toEqual([]);
    });

    test('hold nothing of a text that was purged while they were found', async () => {
      expect(await found()).toMatchObject({ pairs: ['n7 x'], compared: nodes + 1 });
      await context.store.purge(main.graph, { text: 'like 7' });
      // What is left of the text has no vector yet.
      expect(await maintain()).toEqual([true]);
      await context.reopen();
      expect(await found()).toMatchObject({ pairs: [], compared: nodes });
    });

    test('go with the vectors of their space, and with their graph', async () => {
      await maintain();
      const other = { ...space, perspective: 'other' };
      await vectorsOf(context.store).put(main.graph, other, [{ document: 1, vector: vectorOf('of 1') }]);
      await vectorsOf(context.store).forget(main.graph, [space]);
      expect(await tables()).toEqual(['node_bits', 'node_pairs']);
      await say(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, `of ${5_000 + at}`])));
      await embed();
      const patch = await patchOf(context.store);
      await vectorsOf(context.store).forget(main.graph);
      expect(await tables()).toEqual([]);
      expect(await vectorsOf(context.store).saveNodePairs(main.graph, { ...patch, base: null })).toBe(false);
      await embed();
      await maintain();
      expect(await tables()).toEqual(['node_bits', 'node_pairs']);
      const [graph] = await context.store.graphs();
      await context.store.deleteGraph(main.graph);
      expect(await context.tablesWith(graph?.id ?? 0)).toEqual([]);
    });

    test('lead to the same after old versions were collected', async () => {
      await maintain();
      await write((writer) =>
        writer.putObservations([{ node: ids.get('n500') ?? 0, ordinal: 1, text: 'like 12' }]),
      );
      await say({ y: 'like 80' });
      await context.store.write(main, author, (writer) => writer.removeNodes([ids.get('x') ?? 0]));
      await embed();
      context.now += 86_400_000;
      await context.store.collect(main.graph, { before: context.now });
      await context.reopen();
      const { pairs, compared, meanCosine } = await found();
      expect(pairs).toEqual(['n12 n500', 'n80 y']);
      const anew = await foundAnew();
      expect(compared).toBe(anew.compared);
      expect(meanCosine).toBeCloseTo(anew.meanCosine, 6);
    });

    test('small graphs and old states have none', async () => {
      await context.store.createGraph('small');
      const [head] = await context.store.commits(main, { limit: 1 });
      for (const target of [{ graph: 'small' }, { ...main, commit: head?.id }]) {
        const request = { minScore, deadline: new Deadline(60_000) };
        expect(
          await context.store.read(target, (reader) => reader.maintainNodePairs(space, request)),
        ).toEqual({
          isDone: true,
        });
      }
      expect(await tables()).toEqual([]);
    });
  });
}
