import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { executeQuery, type QueryTarget } from '../../src/query/execute-query.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const source = { text: 'query ages() { match { $p: Person } return { $p.name, $p.age } }' };
const context = { clock: () => 0, embed: null };

describe.each(databaseKinds)('$kind: a query that was run before', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  let reads = 0;
  const target: QueryTarget = {
    read: (work, options) => {
      reads++;
      return graph.read(work, options);
    },
  };
  const setSchema = (text: string) =>
    scratch.store.write({ graph: 'default' }, author, (writer) => writer.setSchema(text));
  const run = async () => {
    reads = 0;
    return executeQuery(target, { source }, context);
  };

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, 'default');
    await setSchema('node Person { name: String @key  age: I32? }');
    await graph.write(author, async ({ rows }) => {
      const [made] = await rows.addIdentities([{ type: 'Person', name: 'ann' }]);
      if (made !== undefined)
        await rows.putNodes([{ id: made.node, type: 'Person', name: 'ann', props: { name: 'ann', age: 3 } }]);
    });
  });
  afterEach(() => scratch.dispose());

  test('opens a single read', async () => {
    await run();
    expect((await run()).rows).toEqual([['ann', 3]]);
    expect(reads).toBe(1);
  });

  test('is checked again once the schema has changed', async () => {
    await run();
    await setSchema('node Person { name: String @key  age: I32?  city: String? }');
    expect((await run()).rows).toEqual([['ann', 3]]);
    await graph.write(author, async ({ rows }) => {
      const [ann] = await rows.nodesNamed(['ann']);
      if (ann !== undefined) await rows.putNodes([{ ...ann, props: { name: 'ann' } }]);
    });
    await setSchema('node Person { name: String @key }');
    await expect(run()).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    await setSchema('node Person { name: String @key  age: String? }');
    expect((await run()).rows).toEqual([['ann', null]]);
  });
});
