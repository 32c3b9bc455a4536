import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ValueType } from '../../src/model/value-type.js';
import type { NodeDraft } from '../../src/store/drafts.js';
import type { RowQuery, Score } from '../../src/store/row-query.js';
import type { Store } from '../../src/store/store-contract.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { evaluate } from './naive/evaluate.js';
import { naiveGraph } from './naive/graph.js';
import { rounded } from './rounded.js';

const author = { actor: 'ann', tool: 'test' };
const string: ValueType = { kind: 'scalar', scalar: 'String', nullable: true };
const property = (name: string, place: 'props' | 'row' = 'props') =>
  ({ kind: 'property', variable: 'n', of: 'node', property: name, place, type: string }) as const;

function ranking(text: string, limit: number | null, name = 'note'): RowQuery {
  const bm25: Score = { kind: 'bm25', operand: property(name), text };
  return {
    match: { nodes: [{ id: 'n', types: ['Note'] }], hops: [], conditions: [] },
    columns: [
      { name: 'name', expression: property('name', 'row') },
      { name: 'score', expression: bm25 },
    ],
    grouped: false,
    order: [
      { expression: bm25, descending: true },
      { expression: property('kind'), descending: true },
    ],
    limit,
  };
}

/** The same with a column that says how a row ranks among all others, by words and by other words. */
function withRanks(query: RowQuery): RowQuery {
  const arm = (text: string): Score => ({ kind: 'bm25', operand: property('note'), text });
  const ranks: Score = { kind: 'rrf', arms: [arm('cake'), arm('and')], k: 60 };
  return { ...query, columns: [...query.columns, { name: 'ranks', expression: ranks }] };
}

describe.each(databaseKinds)('ranking by words on $kind', (kind) => {
  let scratch: Scratch;
  let store: Store;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    store = scratch.store;
    await store.createGraph('g');
  });
  afterEach(() => scratch.dispose());

  const put = (drafts: readonly Omit<NodeDraft, 'id'>[], branch = 'main') =>
    store.write({ graph: 'g', branch }, author, async (writer) => {
      const known = await writer.identitiesNamed(drafts.map(({ name }) => name));
      const idOf = new Map(known.map(({ name, node }) => [name, node]));
      const made = await writer.addIdentities(
        drafts.filter(({ name }) => !idOf.has(name)).map(({ type, name }) => ({ type, name })),
      );
      for (const { name, node } of made) idOf.set(name, node);
      await writer.putNodes(drafts.map((draft) => ({ ...draft, id: idOf.get(draft.name) ?? 0 })));
    });
  const note = (name: string, text: string, more: Partial<NodeDraft> = {}) => ({
    ...{ type: 'Note', name, props: { note: text, kind: Array.from(name).at(-1) ?? '', _mark: text } },
    ...more,
  });
  /** Asks twice, since what was counted the first time serves the second. */
  const expectAsNaive = async (branch = 'main') => {
    await store.read({ graph: 'g', branch }, async (reader) => {
      const naive = await naiveGraph(reader);
      for (const query of [
        ...['tea', 'rare tea', 'rare', 'nothing', '', '!'].flatMap((text) =>
          [1, 3, 40, null].map((limit) => ranking(text, limit)),
        ),
        ranking('rare tea', 3, '_mark'),
        withRanks(ranking('rare tea', 3)),
      ]) {
        const expected = rounded(evaluate(naive, query), query);
        for (let turn = 0; turn < 2; turn++) {
          const { rows } = await reader.query(query, { maxRows: 10_000 });
          expect(rounded(rows, query), JSON.stringify(query.order[0])).toEqual(expected);
        }
      }
    });
  };

  test('is the same whether all texts are looked at or the index proposes some, before and after writes', async () => {
    await put(
      Array.from({ length: 60 }, (_, index) =>
        note(`n${index}`, `${'tea and '.repeat(index % 4)}cake ${index % 20 === 0 ? 'rare' : 'common'}`),
      ),
    );
    await expectAsNaive();
    await put([note('long', `rare ${'word '.repeat(400)}`), note('n0', 'cake')]);
    await expectAsNaive();
    await store.createBranch('g', 'other');
    await put([note('n1', 'rare rare tea'), note('more', 'tea')], 'other');
    await expectAsNaive('other');
    await expectAsNaive();
  });

  test('finds words in keys of the write gate, which the index does not know', async () => {
    await put([
      note('a', 'rare', { provenance: { merge_keys: ['note'] } }),
      note('b', 'rare tea'),
      note('c', 'tea'),
    ]);
    await expectAsNaive();
  });

  test('ranks what was written, changed and deleted since the texts were last read', async () => {
    await put(['a', 'b', 'c', 'd'].map((name) => note(name, `rare tea of ${name}`)));
    await expectAsNaive();
    await put([note('b', 'coffee'), note('e', 'rare tea tea'), note('c', 'rare tea', { type: 'Person' })]);
    await expectAsNaive();
    await store.write({ graph: 'g' }, author, async (writer) => {
      await writer.removeNodes((await writer.identitiesNamed(['a', 'e'])).map(({ node }) => node));
    });
    await expectAsNaive();
    await put([note('e', 'tea and cake')]);
    await expectAsNaive();
  });

  test('ranks texts of a branch, of its parent, and of old commits beside each other', async () => {
    await put(['a', 'b', 'c'].map((name) => note(name, `rare tea of ${name}`)));
    await expectAsNaive();
    await store.createBranch('g', 'other');
    await put([note('a', 'coffee'), note('x', 'tea')], 'other');
    await put([note('b', 'rare rare'), note('y', 'tea of y')]);
    for (const branch of ['other', 'main', 'other']) await expectAsNaive(branch);
    await put([note('c', 'nothing rare')], 'other');
    for (const branch of ['main', 'other']) await expectAsNaive(branch);
  });

  test('returns the first by name of very many that score the same', async () => {
    const names = Array.from({ length: 1_300 }, (_, index) => `n${(index * 7_919) % 1_300}`);
    // Beyond U+FFFF: by code point, 𝒜 comes after ﬀ.
    await put([...names, '𝒜', 'ﬀ', '!'].map((name) => note(name, name === 'n77' ? 'rare tea' : 'tea cake')));
    const ranked = ranking('rare tea', 20);
    const [best] = ranked.order;
    if (best === undefined) throw new Error('The query has no order.');
    const query: RowQuery = { ...ranked, order: [best] };
    const sorted = [...names, '𝒜', 'ﬀ', '!'].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const expected = ['n77', ...sorted.filter((name) => name !== 'n77')];
    await store.read({ graph: 'g' }, async (reader) => {
      for (const limit of [2, 20, 302, 310, null]) {
        const { rows } = await reader.query({ ...query, limit }, { maxRows: 10_000 });
        expect(rows.map(([name]) => name)).toEqual(expected.slice(0, limit ?? expected.length));
      }
    });
  });

  test('keeps no words that were purged', async () => {
    await put([note('a', 'secretive tea'), note('b', 'tea')]);
    const scored = async () => {
      const { rows } = await store.read({ graph: 'g' }, (reader) => reader.query(ranking('secretive', 5)));
      return rows.map(([name, score]) => [name, Number(score) > 0]);
    };
    expect(await scored()).toContainEqual(['a', true]);
    await store.purge('g', { text: 'secretive' });
    expect(await scored()).toContainEqual(['a', false]);
  });

  test('looks at many rows beyond the limit if conditions leave too few of the best', async () => {
    await put(Array.from({ length: 30 }, (_, index) => note(`n${index}`, index < 20 ? 'rare' : 'tea rare')));
    const query = ranking('rare tea', 5);
    const narrow: RowQuery = {
      ...query,
      match: {
        ...query.match,
        conditions: [
          {
            ...{ kind: 'compare', operator: '=', left: property('kind') },
            right: { kind: 'value', value: '7', type: string },
          },
        ],
      },
    };
    await store.read({ graph: 'g' }, async (reader) => {
      const { rows } = await reader.query(narrow);
      expect(rounded(rows, narrow)).toEqual(rounded(evaluate(await naiveGraph(reader), narrow), narrow));
      expect(rows.map(([name]) => name)).toEqual(['n27', 'n17', 'n7']);
    });
  });
});
