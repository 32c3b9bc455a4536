import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowQuery } from '../../src/store/row-query.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { block, compare, hop, node, own, query, value } from './build.js';

const author = { actor: 'ann', tool: 'test' };
const graph = 'default';
/** More than SQL follows before edges are read into memory. */
const followers = 3_000;

/** Everybody knows the hub, through somebody before them: p0 → hub, p1 → p0, p2 → p0, p3 → p1, … */
describe.each(databaseKinds)('following more edges than SQL does, on $kind', (kind) => {
  let scratch: Scratch;
  let ids: readonly number[];
  beforeAll(async () => {
    scratch = await scratchStore(kind);
    const names = ['hub', ...Array.from({ length: followers }, (_, index) => `p${index}`)];
    await scratch.store.write({ graph }, author, async (writer) => {
      const made = await writer.addIdentities(names.map((name) => ({ type: 'Person', name })));
      ids = made.map(({ node }) => node);
      await writer.putNodes(made.map(({ node, name }) => ({ id: node, type: 'Person', name, props: {} })));
      await writer.putEdges(made.slice(1).map((_, index) => edge(index + 1, Math.ceil(index / 2))));
    });
  }, 60_000);
  afterAll(() => scratch.dispose());

  const edge = (from: number, to: number) => ({
    ...{ from: ids[from] ?? 0, to: ids[to] ?? 0, type: 'knows', key: '' },
    ...{ fromName: from === 0 ? 'hub' : `p${from - 1}`, toName: to === 0 ? 'hub' : `p${to - 1}`, props: {} },
  });
  const into = (name: string, max = 20): RowQuery =>
    query(
      block([node('a', 'Person'), node('h', 'Person')], {
        hops: [{ ...hop('a', 'knows', 'h'), max }],
        conditions: [compare(own('h.id'), '=', value(name))],
      }),
      [own('a.id')],
    );
  const names = async (asked: RowQuery, target: { branch?: string; commit?: string } = {}) => {
    const { rows } = await scratch.store.read({ graph, ...target }, (reader) => reader.query(asked), {
      length: 'unbounded',
      actor: 'ann',
    });
    return rows.map(([name]) => name);
  };
  const everybody = Array.from({ length: followers }, (_, index) => `p${index}`).sort();

  test('everybody is found, again and again', async () => {
    expect(await names(into('hub'))).toEqual(everybody);
    expect(await names(into('hub'))).toEqual(everybody);
    expect(await names(into('hub', 2))).toEqual(['p0', 'p1', 'p2']);
  });

  test('changes since are followed, and old states and branches stay as they were', async () => {
    const { store } = scratch;
    expect(await names(into('hub'))).toEqual(everybody);
    await store.createBranch(graph, 'other');
    const before = await store.read(
      { graph },
      async (reader) => (await reader.commits({ limit: 1 }))[0]?.commit,
    );
    if (before === undefined) throw new Error('There is no commit.');
    await store.write({ graph }, author, (writer) => writer.removeEdges([edge(2, 1)]));
    const withoutP1 = await names(into('hub'));
    expect(withoutP1).not.toContain('p1');
    expect(withoutP1).not.toContain('p3');
    expect(withoutP1).toContain('p2');
    expect(await names(into('hub'), { commit: before })).toEqual(everybody);
    expect(await names(into('hub'), { branch: 'other' })).toEqual(everybody);
    await store.write({ graph, branch: 'other' }, author, (writer) => writer.removeEdges([edge(3, 1)]));
    expect(await names(into('hub'), { branch: 'other' })).not.toContain('p2');
    expect(await names(into('hub'))).toEqual(withoutP1);
    await store.write({ graph }, author, (writer) => writer.putEdges([edge(2, 1), edge(0, followers)]));
    expect(await names(into('hub'))).toEqual(everybody);
    expect(await names(into(`p${followers - 1}`, 1))).toEqual(['hub']);
  });
});
