import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { selectRows } from '../helpers/select-rows.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const graph = 'default';
const author = { actor: 'ann', tool: 'test' };
const schema = 'node Person { email: String @key  city: String? @index  member: Bool? @index }';

describe.each(databaseKinds)('entries of indexed properties, on $kind', (kind) => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  const put = (names: readonly string[], props: Readonly<Record<string, string | boolean>>) =>
    scratch.store.write({ graph }, author, async (writer) => {
      const known = new Map((await writer.identitiesNamed(names)).map(({ name, node }) => [name, node]));
      const missing = names.filter((name) => !known.has(name));
      for (const { name, node } of await writer.addIdentities(
        missing.map((name) => ({ type: 'Person', name })),
      ))
        known.set(name, node);
      await writer.putNodes(
        names.map((name) => ({
          id: known.get(name) ?? 0,
          type: 'Person',
          name,
          props: { email: name, ...props },
        })),
      );
    });

  const select = (statement: string) => selectRows(scratch, statement);

  test('go with the rows that are collected, and those of other rows with the same value stay', async () => {
    await scratch.store.write({ graph }, author, (writer) => writer.setSchema(schema));
    const names = ['ann', 'bob', 'cem', 'dea'].map((name) => `${name}@example.org`);
    await put(names, { city: 'Ulm', member: true });
    await put(names.slice(0, 2), { city: 'Köln', member: true });
    await put(names.slice(1, 3), { city: 'Ulm' });
    await put(['eva@example.org'], { city: 'Ulm', member: false });
    const collected = await scratch.store.collect(graph, { before: Number.MAX_SAFE_INTEGER });
    expect(collected.nodes).toBeGreaterThan(0);
    expect(
      await select(
        'select p.row from property_value p where not exists (select 1 from node_row r where r.graph = p.graph and r.row = p.row)',
      ),
    ).toEqual([]);
    const counts = await select(
      `select r.name, count(*) as entries from node_row r join property_value p on p.graph = r.graph and p.row = r.row
        where r.died is null group by r.name order by r.name`,
    );
    expect(counts.map((row) => JSON.stringify(row))).toEqual(
      [
        ['ann', 3],
        ['bob', 2],
        ['cem', 2],
        ['dea', 3],
        ['eva', 3],
      ].map(([name, entries]) =>
        JSON.stringify({
          name: `${name}@example.org`,
          entries: kind.kind === 'sqlite' ? entries : `${entries}`,
        }),
      ),
    );
  });
});
