import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hop, RowQuery, RowQueryExpression } from '../../src/store/row-query.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { block, compare, hop, node, own, prop, query, value } from './build.js';

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
      await writer.putNodes(
        made.map(({ node, name }, index) => ({ id: node, type: 'Person', name, props: { team: index % 7 } })),
      );
      await writer.putEdges(made.slice(1).map((_, index) => edge(index + 1, Math.ceil(index / 2))));
      const [dog] = await writer.addIdentities([{ type: 'Dog', name: 'rex' }]);
      if (dog === undefined) throw new Error('There is no dog.');
      await writer.putNodes([{ id: dog.node, type: 'Dog', name: 'rex', props: {} }]);
      await writer.putEdges([
        { ...edge(0, 0), from: dog.node, fromName: 'rex', props: { since: 1_000_000 } },
      ]);
    });
  }, 60_000);
  afterAll(() => scratch.dispose());

  const edge = (from: number, to: number) => ({
    ...{ from: ids[from] ?? 0, to: ids[to] ?? 0, type: 'knows', key: '' },
    ...{ fromName: from === 0 ? 'hub' : `p${from - 1}`, toName: to === 0 ? 'hub' : `p${to - 1}` },
    props: {
      since: from,
      ...(from % 3 === 0 ? {} : { share: from / 10 }),
      any: from % 2 === 0 ? from : 'odd',
    },
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

  const counted: RowQueryExpression = { kind: 'aggregate', fn: 'count', of: { kind: 'node', variable: 'a' } };
  const since: RowQueryExpression = {
    ...{ kind: 'aggregate', fn: 'sum', of: prop('w.since', 'I32', 'edge') },
  };
  const all = (hops: Hop[], columns: RowQueryExpression[], type = 'Person') =>
    query(block([node('a', type), node('b', 'Person')], { hops }), columns, {
      grouped: true,
      order: [{ expression: columns.at(-1) ?? counted, descending: true }],
      limit: 3,
    });
  const answer = async (asked: RowQuery) => {
    const options = { length: 'unbounded', actor: 'ann' } as const;
    return (await scratch.store.read({ graph }, (reader) => reader.query(asked), options)).rows;
  };

  test('all edges are counted by node, and only those of the right types', async () => {
    const top = all([hop('a', 'knows', 'b')], [own('b.id'), counted]);
    for (let times = 0; times < 2; times++)
      expect(await answer(top)).toEqual([
        ['p0', 2],
        ['p1', 2],
        ['p10', 2],
      ]);
    expect(await answer(all([hop('a', 'knows', 'b')], [counted]))).toEqual([[followers]]);
    expect(await answer(all([hop('a', 'knows', 'b')], [own('b.id'), counted], 'Dog'))).toEqual([['hub', 1]]);
    expect(await answer(all([hop('a', 'knows', 'b')], [counted], 'Cat'))).toEqual([[0]]);
    expect(await answer(all([hop('b', 'knows', 'a')], [own('b.id'), counted]))).toEqual([
      ['p0', 1],
      ['p1', 1],
      ['p10', 1],
    ]);
  });

  test('a property of all edges is added up, of those of the right types', async () => {
    const bound = { ...hop('a', 'knows', 'b'), variable: 'w' };
    for (let times = 0; times < 2; times++)
      expect(await answer(all([bound], [since]))).toEqual([[(followers * (followers + 1)) / 2]]);
    expect(await answer(all([bound], [since], 'Dog'))).toEqual([[1_000_000]]);
    expect(await answer(all([bound], [own('b.id'), since], 'Dog'))).toEqual([['hub', 1_000_000]]);
  });

  test('edges are aggregated by node as an old state does it without those in memory', async () => {
    const bound = [{ ...hop('a', 'knows', 'b'), variable: 'w' }];
    const whole: RowQueryExpression = { kind: 'node', variable: 'b', hidden: [], stamped: [] };
    const { store } = scratch;
    const commit = await store.read(
      { graph },
      async (reader) => (await reader.commits({ limit: 1 }))[0]?.commit,
    );
    const options = { length: 'unbounded', actor: 'ann' } as const;
    for (const by of [own('b.id'), own('a.name'), whole, prop('b.team', 'I32')])
      for (const fn of ['count', 'sum', 'avg', 'min', 'max'] as const)
        for (const of of [
          prop('w.since', 'I32', 'edge'),
          prop('w.share', 'F64', 'edge'),
          prop('w.any', null, 'edge'),
        ]) {
          const aggregate: RowQueryExpression = { kind: 'aggregate', fn, of };
          const asked = all(bound, [by, counted, aggregate]);
          const { rows } = await store.read(
            { graph, commit: commit ?? '' },
            (reader) => reader.query(asked),
            options,
          );
          expect(await answer(asked), JSON.stringify(asked)).toEqual(rows);
        }
  }, 120_000);

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
