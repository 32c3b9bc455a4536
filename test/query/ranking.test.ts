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
    ...{ type: 'Note', name, props: { note: text, kind: name.slice(-1), _mark: text } },
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
