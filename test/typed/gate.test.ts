import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GateClient } from '../gate/gate-client.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const schema = `
node Person { email: String @key  age: I32?  code: String? @unique }
node Visit { room: String  day: I32  @key(room, day) }
edge Made: Person -> Visit
`;
const stamp = { source: 'test', extraction_method: 'api' };

describe.each(databaseKinds)('$kind: the gate on a graph with a schema', (kind) => {
  let scratch: Scratch;
  let gate: GateClient;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    await scratch.store.write({ graph: 'default' }, author, (writer) => writer.setSchema(schema));
    gate = await GateClient.direct(scratch.store);
  });
  afterEach(() => scratch.dispose());

  const node = (label: string, merge_keys: object, properties: object = {}) =>
    gate.writeNode({ label, merge_keys, properties, ...stamp });
  const nodes = async () =>
    (await scratch.store.read({ graph: 'default' }, (reader) => reader.nodes())).map(
      ({ type, name, props }) => [type, name, props],
    );

  test('takes its labels from the schema, and calls nodes by their keys', async () => {
    await node('Person', { email: 'ada' }, { age: 3 });
    await node('Visit', { room: 'a', day: 1 });
    expect(await nodes()).toEqual([
      ['Person', 'ada', { email: 'ada', age: 3 }],
      ['Visit', '["a",1]', { room: 'a', day: 1 }],
    ]);
    await node('Visit', { room: 'a', day: 1 });
    expect(await nodes()).toHaveLength(2);
    expect(await gate.refresh()).toMatchObject({});
  });

  test('trust 3: a compound key that differs in spelling alone is pointed out', async () => {
    await node('Visit', { room: 'Great hall', day: 1 });
    expect(await node('Visit', { room: 'great-hall', day: 1 })).toMatchObject({
      created: true,
      similar: [{ name: '["Great hall",1]', keys: { room: 'Great hall', day: 1 } }],
    });
    expect(await node('Visit', { day: 2, room: 'Great hall' })).not.toHaveProperty('similar');
  });

  test('what the schema does not allow is not let in', async () => {
    await node('Person', { email: 'ada' }, { code: 'X' });
    expect(await node('Person', { email: 'bob' }, { code: 'X' })).toMatchObject({
      status: 'rejected',
      error_code: 'SCHEMA_VIOLATION',
      details: { problems: [{ path: 'Person/bob.code' }] },
    });

    expect(await nodes()).toHaveLength(1);
  });
});
