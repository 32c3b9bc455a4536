import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import type { Json } from '../../src/model/json.js';
import { applyGraphSchema } from '../../src/schema/apply/apply-graph-schema.js';
import type { WriteTarget } from '../../src/store/graph-targets.js';
import { sortableText } from '../../src/store/sql/properties/sortable-text.js';
import { times } from '../helpers/full.js';
import { selectRows } from '../helpers/select-rows.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };

const comparables = ['text', 'boolean', 'number', 'i64', 'u64'] as const;
/** A property of every type that can be indexed. */
const schema = `node Person { email: String @key  text: String? @index  float: F64? @index  single: F32? @index
  small: I32? @index  large: I64? @index  unsigned: U64? @index  flag: Bool? @index  day: Date? @index
  time: DateTime? @index  choice: enum(x, y)? @index }`;
const changedSchema = schema
  .replace('node Person', 'node Human @rename_from("Person")')
  .replace('text: String? @index', 'words: String? @index @rename_from("text")')
  .replace('float: F64? @index', 'float: F64?');

const secret = 'secret-one';
const astral = '\u{1F600}';
/** The first 100 characters are indexed. */
const longText = `${secret} ${'x'.repeat(88)}${astral}y`;
const texts = ['', 'e\u0301', '\uFFFF', longText, astral.repeat(101)];
const props = fc.record(
  {
    text: fc.constantFrom(...texts),
    float: fc.constantFrom(0, -0, 5e-324, 1e308, -1.5, 1 / 3, 2 ** 53),
    single: fc.constantFrom(0.1, -0, 1.5),
    small: fc.constantFrom(0, -5, 2 ** 31 - 1, -(2 ** 31)),
    large: fc.constantFrom(0, 42, '9223372036854775807', '-9223372036854775808'),
    unsigned: fc.constantFrom(0, 7, '18446744073709551615'),
    flag: fc.boolean(),
    day: fc.constantFrom('2020-01-01', '1999-12-31'),
    time: fc.constantFrom('2020-01-01T00:00:00Z', '2020-01-01T01:00:00.000+01:00'),
    choice: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: [] },
);
const names = fc.subarray(['a', 'b', 'c', 'd', 'e', 'f'], { minLength: 1 });
/** Puts nodes, or removes them. */
const change = fc.record({ names, props: fc.option(props, { freq: 3 }) });
const changes = fc.array(change, { minLength: 2, maxLength: 4 });

interface Change {
  readonly names: readonly string[];
  readonly props: Readonly<Record<string, Json>> | null;
}

/** As the changed schema calls the property. */
function renamed({ names, props }: Change): Change {
  if (props?.['text'] === undefined) return { names, props };
  const { text, ...others } = props;
  return { names, props: { ...others, words: text } };
}

describe.each(databaseKinds)('entries of indexed properties, on $kind', (kind) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
  });
  afterAll(() => scratch.dispose());

  const entriesOf = async (graph: number) => {
    const found = await selectRows(
      scratch,
      `select property, row, value from property_value where graph = ${graph}`,
    );
    return found.map(({ property, row, value }) => `${property} ${row} ${value}`).sort();
  };
  /** Worked out from every version of every node. */
  const expectedEntriesOf = async (graph: number) => {
    const indexes = await selectRows(
      scratch,
      `select id, type, property, comparable from property_index where graph = ${graph}`,
    );
    const rows = await selectRows(
      scratch,
      `select row, type, props from node_row where stub = 0 and graph = ${graph}`,
    );
    const entries = rows.flatMap(({ row, type, props }) => {
      const values: Readonly<Record<string, Json>> = JSON.parse(String(props ?? '{}'));
      const own = indexes.filter((index) => index['type'] === type);
      return own.flatMap(({ id, property, comparable }) => {
        const as = comparables.find((each) => each === comparable) ?? 'text';
        const text = sortableText(values[String(property)] ?? null, as);
        return text === null ? [] : [`${id} ${row} ${text}`];
      });
    });
    return entries.sort();
  };

  /** Removes the nodes if there are no properties. */
  const play = async (target: WriteTarget, type: string, list: readonly Change[]) => {
    for (const { names, props } of list)
      await scratch.store.write(target, author, async (writer) => {
        if (props === null) {
          await writer.removeNodes((await writer.nodesNamed(names)).map(({ id }) => id));
          return;
        }
        const known = new Map((await writer.identitiesNamed(names)).map(({ name, node }) => [name, node]));
        const fresh = names.filter((name) => !known.has(name)).map((name) => ({ type, name }));
        for (const { name, node } of await writer.addIdentities(fresh)) known.set(name, node);
        await writer.putNodes(
          names.map((name) => ({ id: known.get(name) ?? 0, type, name, props: { email: name, ...props } })),
        );
      });
  };

  test('are those of the rows that are left, whatever was merged, migrated, purged or collected', async () => {
    const { store } = scratch;
    let graphs = 0;
    await fc.assert(
      fc.asyncProperty(changes, changes, changes, changes, async (first, onDraft, onMain, last) => {
        const graph = `graph ${++graphs}`;
        const { id } = await store.createGraph(graph);
        const compareEntries = async () => {
          expect(await entriesOf(id)).toEqual(await expectedEntriesOf(id));
          await store.collect(graph, { before: Number.MAX_SAFE_INTEGER });
          expect(await entriesOf(id)).toEqual(await expectedEntriesOf(id));
        };
        await store.write({ graph }, author, (writer) => writer.setSchema(schema));
        await play({ graph }, 'Person', first);
        await store.createBranch(graph, 'draft');
        await play({ graph, branch: 'draft' }, 'Person', onDraft);
        await play({ graph }, 'Person', onMain);
        await mergeBranches(store, { graph, source: 'draft', author, defaultSide: 'source' });
        await compareEntries();
        await store.deleteBranch(graph, 'draft');
        const main = new Graph(store, graph);
        const migrated = await applyGraphSchema(
          { commit: (work) => main.commit(author, work) },
          { source: changedSchema },
        );
        expect(migrated.applied).toBe(true);
        await play({ graph }, 'Human', [...last.map(renamed), { names: ['a'], props: { words: longText } }]);
        await compareEntries();
        await store.purge(graph, { text: secret });
        await compareEntries();
        await store.deleteGraph(graph);
        expect(await entriesOf(id)).toEqual([]);
      }),
      { numRuns: times(2, 5) },
    );
  });
});
