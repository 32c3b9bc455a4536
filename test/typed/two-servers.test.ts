import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph, type Transaction } from '../../src/engine/graph.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { applyGraphSchema } from '../../src/schema/apply/apply-graph-schema.js';
import type { Store } from '../../src/store/store-contract.js';
import { databaseKinds, openWithGraph, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const schema = `node Person { email: String @key  badge: I32? @unique }
node Team { name: String @key }
edge Leads: Person -> Team @card(0..1)
`;

describe.each(databaseKinds)('two servers on one database, $kind:', (kind) => {
  let scratch: Scratch;
  let other: Store;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    other = await openWithGraph(scratch.path);
  });
  afterEach(async () => {
    await other.close();
    await scratch.dispose();
  });

  const on = (store: Store) => {
    const graph = new Graph(store, 'default');
    return { commit: <T>(work: (tx: Transaction) => Promise<T>) => graph.commit(author, work) };
  };
  const load = (store: Store, ...lines: object[]) =>
    runIngest(on(store), [Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))], {
      ...{ mode: 'merge', maxBytes: 1_000_000 },
    });
  const person = (email: string, badge?: number) => ({ type: 'Person', data: { email, badge } });
  const outcomes = async (writes: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(writes)).map((each) =>
      each.status === 'fulfilled' ? 'written' : (each.reason as { code: string }).code,
    );

  test('of many that want one unique value one gets it', async () => {
    await applyGraphSchema(on(scratch.store), { source: schema });
    const stores = [scratch.store, other];
    const ended = await outcomes(
      Array.from({ length: 20 }, (_, n) => load(stores[n % 2] as Store, person(`p${n}`, 7))),
    );
    expect(ended.filter((each) => each === 'written')).toHaveLength(1);
    expect(ended.filter((each) => each === 'SCHEMA_VIOLATION')).toHaveLength(19);
  });

  test('of many that would be one edge too many one is written', async () => {
    await applyGraphSchema(on(scratch.store), { source: schema });
    const teams = Array.from({ length: 10 }, (_, n) => ({ type: 'Team', data: { name: `t${n}` } }));
    await load(scratch.store, person('ann'), ...teams);
    const stores = [scratch.store, other];
    const ended = await outcomes(
      teams.map(({ data: { name } }, n) =>
        load(stores[n % 2] as Store, { edge: 'Leads', from: 'ann', to: name }),
      ),
    );
    expect(ended.filter((each) => each === 'written')).toHaveLength(1);
  });

  test('a schema that one of them applies holds for the next write of the other', async () => {
    await load(other, { type: 'Person', id: 'ann' });
    await applyGraphSchema(on(scratch.store), { source: schema });
    await expect(load(other, { type: 'Dog', data: { name: 'rex' } })).rejects.toMatchObject({
      code: 'SCHEMA_VIOLATION',
    });
  });

  test('what is written while a schema is applied fits it, or the schema is refused', async () => {
    const writes = Array.from({ length: 20 }, (_, n) =>
      load(other, { type: n % 5 === 4 ? 'Dog' : 'Person', id: `n${n}`, data: { email: `n${n}` } }),
    );
    const applying = applyGraphSchema(on(scratch.store), { source: schema });
    await Promise.allSettled([...writes, applying]);
    const { types, source } = await scratch.store.read({ graph: 'default' }, async (reader) => ({
      types: new Set((await reader.nodes()).map(({ type }) => type)),
      source: await reader.schema(),
    }));
    if (source === null) expect(types).toContain('Dog');
    else expect([...types]).toEqual(['Person']);
  });
});
