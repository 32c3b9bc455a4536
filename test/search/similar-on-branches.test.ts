import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Deadline } from '../../src/bounds/deadline.js';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { maintainSimilarNodes } from '../../src/search/similar/maintain-similar-nodes.js';
import { similarNodes } from '../../src/search/similar/similar-nodes.js';
import type { Reader } from '../../src/store/reader.js';
import type { VectorSpace } from '../../src/store/vector-store.js';
import type { Writer } from '../../src/store/writer.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { put } from '../store/conformance/graph-by-name.js';

const author = { actor: 'ann', tool: 'test' };
const space: VectorSpace = { model: 'm', perspective: '', dimension: 64 };
const spaces = { known: true, spaces: [space] } as const;
/** More than are compared by their vectors. */
const nodes = 2_100;

/** Texts `of N` and `like N` are near to each other, and to no other. */
function vectorOf(text: string): Float32Array {
  const [kind, number] = text.split(' ');
  // The names of nodes have no number.
  let state = Number(number ?? 0) * 7 + 1_000;
  const random = () => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  for (let skipped = 0; skipped < 5; skipped++) random();
  const vector = Float32Array.from({ length: space.dimension }, random);
  if (kind === 'like') vector[0] = (vector[0] ?? 0) + 0.3;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** By comparing every node with every other, most similar first. */
async function pairsByHand(reader: Reader, minScore: number): Promise<string[]> {
  const all = await reader.nodes();
  const sums = new Map<number, Float32Array>();
  for (const { node, text } of await reader.observationsOf(all.map(({ id }) => id))) {
    const sum = sums.get(node) ?? new Float32Array(space.dimension);
    const vector = vectorOf(text);
    sums.set(
      node,
      sum.map((value, axis) => value + (vector[axis] ?? 0)),
    );
  }
  const compared = all.flatMap(({ id, name }) => {
    const sum = sums.get(id);
    if (sum === undefined) return [];
    const length = Math.hypot(...sum);
    return [{ id, name, vector: sum.map((value) => value / length) }];
  });
  compared.sort((a, b) => a.id - b.id);
  const found: { readonly names: string; readonly score: number }[] = [];
  for (const [at, { name, vector }] of compared.entries())
    for (const other of compared.slice(at + 1)) {
      const against = other.vector;
      let score = 0;
      for (let axis = 0; axis < vector.length; axis++) score += (vector[axis] ?? 0) * (against[axis] ?? 0);
      if (score >= minScore) found.push({ names: `${name} ${other.name}`, score });
    }
  return found.sort((x, y) => y.score - x.score).map(({ names, score }) => `${names} ${score.toFixed(3)}`);
}

describe.each(databaseKinds)('similar nodes of a branch, from what main has saved, on $kind', (kind) => {
  let scratch: Scratch;
  const ids = new Map<string, number>();
  const id = (name: string) => ids.get(name) ?? 0;
  const write = (work: (writer: Writer) => Promise<unknown>, branch?: string) =>
    scratch.store.write({ graph: defaultGraph, branch }, author, work);
  const say = (texts: Readonly<Record<string, string>>, branch?: string) =>
    write(async (writer) => {
      const named = Object.entries(texts).map(([name, text]) => [name, [text]] as const);
      for (const [name, node] of Object.entries(await put(writer, { nodes: Object.fromEntries(named) })))
        ids.set(name, node);
    }, branch);
  const change = (name: string, text: string, branch?: string) =>
    write((writer) => writer.putObservations([{ node: id(name), ordinal: 1, text }]), branch);
  const remove = (names: readonly string[], branch?: string) =>
    write((writer) => writer.removeNodes(names.map(id)), branch);
  const embed = async () => {
    const { vectors } = scratch.store;
    if (vectors === null) throw new Error('no vectors');
    const pending = await vectors.pending(defaultGraph, space, 10_000);
    const made = pending.map(({ document, text }) => ({ document, vector: vectorOf(text) }));
    await vectors.put(defaultGraph, space, made);
  };
  const maintain = () =>
    maintainSimilarNodes({ store: scratch.store, graph: defaultGraph, spaces: [space], sliceMs: 1_000 });
  const fork = (name: string, from?: string) => scratch.store.createBranch(defaultGraph, name, from);
  const merge = (source: string, target: string) =>
    mergeBranches(scratch.store, { graph: defaultGraph, source, target, author });
  const read = <T>(work: (reader: Reader) => Promise<T>, branch?: string) =>
    scratch.store.read({ graph: defaultGraph, branch }, work);
  const found = (minScore: number, branch?: string, limit = 100) =>
    read(async (reader) => {
      const { pairs, warnings } = await similarNodes(reader, spaces, { minScore, limit });
      // Of less similar pairs, only the best are known.
      if (minScore >= 0.7) expect(warnings).toEqual([]);
      else expect(warnings.join()).not.toMatch(/too long|Not every/);
      return pairs.map(({ a, b, similarity }) => `${a.name} ${b.name} ${similarity.toFixed(3)}`);
    }, branch);
  /** In a process that knows what is saved, in one that has read it, and by hand. */
  const expectByHand = async (branch?: string) => {
    const expected = (await read((reader) => pairsByHand(reader, 0.8), branch)).sort();
    expect((await found(0.8, branch)).sort()).toEqual(expected);
    await scratch.reopen();
    expect((await found(0.8, branch)).sort()).toEqual(expected);
    return expected.map((pair) => pair.split(' ').slice(0, 2).join(' '));
  };
  /** As it is without anything saved, at a commit. */
  const meanAnew = async (branch?: string) => {
    const [head] = await scratch.store.commits({ graph: defaultGraph, branch }, { limit: 1 });
    const target = { graph: defaultGraph, branch, commit: head?.id };
    return scratch.store.read(target, (reader) => reader.nearNodePairs(space, { minScore: 0.9 }));
  };

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    ids.clear();
    await say(Object.fromEntries(Array.from({ length: nodes }, (_, at) => [`n${at}`, `of ${at}`])));
    await say({ x: 'like 7', y: 'like 8' });
    await embed();
  });
  afterEach(() => scratch.dispose());

  test('what the branch has written, changed and deleted counts, and what main has not', async () => {
    await maintain();
    await fork('b');
    await scratch.reopen();
    expect(await expectByHand('b')).toEqual(['n7 x', 'n8 y']);
    await say({ z: 'like 30' }, 'b');
    await change('n40', 'like 50', 'b');
    await remove(['n7'], 'b');
    await embed();
    expect(await expectByHand('b')).toEqual(['n30 z', 'n40 n50', 'n8 y']);
    expect(await expectByHand()).toEqual(['n7 x', 'n8 y']);
    const { meanCosine, compared } = await read(
      (reader) => reader.nearNodePairs(space, { minScore: 0.9 }),
      'b',
    );
    const anew = await meanAnew('b');
    expect(compared).toBe(anew.compared);
    expect(meanCosine).toBeCloseTo(anew.meanCosine, 6);
  });

  test('what main wrote after the fork is not seen, whether it was saved before or after', async () => {
    await fork('early');
    await say({ later: 'like 60' });
    await change('n8', 'of 9000');
    await remove(['n7', 'n61']);
    await embed();
    await maintain();
    await fork('late');
    await say({ latest: 'like 70' });
    await remove(['later', 'y']);
    await embed();
    await scratch.reopen();
    expect(await expectByHand('early')).toEqual(['n7 x', 'n8 y']);
    expect(await expectByHand('late')).toEqual(['n60 later']);
    expect(await expectByHand()).toEqual(['n70 latest']);
  });

  test('a branch of a branch, and what merges bring', async () => {
    await maintain();
    await fork('outer');
    await say({ o: 'like 20' }, 'outer');
    await fork('inner', 'outer');
    await say({ i: 'like 21' }, 'inner');
    await change('n8', 'of 9001', 'inner');
    await remove(['x'], 'outer');
    await say({ m: 'like 22' });
    await embed();
    await scratch.reopen();
    expect(await expectByHand('inner')).toEqual(['n20 o', 'n21 i', 'n7 x']);
    expect(await expectByHand('outer')).toEqual(['n20 o', 'n8 y']);
    await merge('inner', 'outer');
    await embed();
    expect(await expectByHand('outer')).toEqual(['n20 o', 'n21 i']);
    await merge('main', 'outer');
    await embed();
    expect(await expectByHand('outer')).toEqual(['n20 o', 'n21 i', 'n22 m']);
    await merge('outer', 'main');
    await embed();
    expect(await expectByHand()).toEqual(['n20 o', 'n21 i', 'n22 m']);
    expect(await expectByHand('inner')).toEqual(['n20 o', 'n21 i', 'n7 x']);
  });

  test('after old versions were collected, and after a purge', async () => {
    await maintain();
    await fork('b');
    await change('n30', 'like 40', 'b');
    await change('n30', 'like 41', 'b');
    await change('n8', 'of 9002');
    await say({ m: 'like 22' });
    await embed();
    await scratch.store.collect(defaultGraph, { before: Date.now() + 86_400_000 });
    await scratch.reopen();
    expect(await expectByHand('b')).toEqual(['n30 n41', 'n7 x', 'n8 y']);
    await maintain();
    await scratch.reopen();
    expect(await expectByHand('b')).toEqual(['n30 n41', 'n7 x', 'n8 y']);
    expect(await expectByHand()).toEqual(['n22 m', 'n7 x']);
    await scratch.store.purge(defaultGraph, { text: 'like 7' });
    const pairs = (await found(0.8, 'b')).map((pair) => pair.split(' ').slice(0, 2).join(' '));
    expect(pairs.sort()).toEqual(['n30 n41', 'n8 y']);
  });

  test('nothing of a branch is saved in the name of main', async () => {
    await maintain();
    await fork('b');
    await say({ z: 'like 30' }, 'b');
    await embed();
    await found(0.8, 'b');
    const request = { minScore: -1, deadline: new Deadline(60_000) };
    for (let step = 0; step < 100; step++) {
      const { isDone, patch } = await read((reader) => reader.maintainNodePairs(space, request), 'b');
      if (patch !== undefined)
        expect(await scratch.store.vectors?.saveNodePairs(defaultGraph, patch)).toBe(true);
      if (isDone) break;
    }
    await scratch.reopen();
    expect(await expectByHand('b')).toEqual(['n30 z', 'n7 x', 'n8 y']);
    await fork('c', 'b');
    await remove(['y'], 'c');
    expect(await expectByHand('c')).toEqual(['n30 z', 'n7 x']);
    expect(await expectByHand()).toEqual(['n7 x', 'n8 y']);
  });

  test('less similar pairs are found too, if there are not enough of the others', async () => {
    const byHand = (branch?: string) =>
      read(async (reader) => (await pairsByHand(reader, 0.3)).slice(0, 20), branch);
    const expected = await byHand();
    expect(await found(0.3, undefined, 20)).toEqual(expected);
    expect(await found(0.3, undefined, 2)).toEqual(expected.slice(0, 2));
    await scratch.reopen();
    await maintain();
    await scratch.reopen();
    expect(await found(0.3, undefined, 20)).toEqual(expected);
    expect(await found(-1, undefined, 20)).toEqual(expected);
    await fork('b');
    await say({ z: 'like 30' }, 'b');
    await remove(['x'], 'b');
    await embed();
    await scratch.reopen();
    expect(await found(0.3, 'b', 20)).toEqual(await byHand('b'));
    await write((writer) => put(writer, { nodes: {}, edges: ['x knows n7'] }));
    expect(await found(0.3, undefined, 19)).toEqual(
      expected.filter((pair) => !pair.startsWith('n7 x ')).slice(0, 19),
    );
  });
});
