import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { times } from '../helpers/full.js';
import { MemoryTools, relation } from '../helpers/memory-tools.js';
import { scratchStore } from '../helpers/stores.js';
import { GateClient, knows, nodesOf, person, register, registerPeople } from './gate-client.js';
import { storeGateKinds } from './gate-kinds.js';
import { useGate } from './use-gate.js';

type Keys = Readonly<Record<string, string | number | boolean>>;

const thing = (merge_keys: Keys, more: object = {}) =>
  person('', {}, { label: 'Thing', merge_keys, ...more });

describe.each(storeGateKinds)('which node a write means, on $kind', (kind) => {
  const context = useGate(kind);
  const named = async () => (await nodesOf(context.store)).map(({ name, props }) => [name, props]);

  test('trust 1: keys of another name are another node', async () => {
    expect(await context.gate.writeNode(thing({ name: 'Smith' }))).toMatchObject({ created: true });
    expect(await context.gate.writeNode(thing({ surname: 'Smith' }))).toMatchObject({ created: true });
    expect(await context.gate.writeNode(thing({ name: 'Smith' }))).toMatchObject({ created: false });
    expect(await context.gate.writeNode(thing({ surname: 'Smith' }))).toMatchObject({ created: false });
    expect(await named()).toEqual([
      ['Smith', { name: 'Smith' }],
      ['surname=Smith', { surname: 'Smith' }],
    ]);
  });

  test('trust 1: keys of another name and type are another node', async () => {
    await context.gate.writeNode(thing({ id: '7' }));
    expect(await context.gate.writeNode(thing({ code: 7 }))).toMatchObject({ created: true });
    expect(await named()).toEqual([
      ['7', { id: '7' }],
      ['code=7', { code: 7 }],
    ]);
  });

  test('trust 1: an entity of another surface is meant by name alone', async () => {
    const memory = new MemoryTools(context.store);
    await memory.createEntities({ name: '42', entityType: 'Thing', observations: ['is the answer'] });
    for (const keys of [{ age: 42 }, { code: '42' }, { name: 42 }])
      expect(await context.gate.writeNode(thing(keys))).toMatchObject({ created: true });
    expect((await memory.open('42')).entities).toEqual([
      { name: '42', entityType: 'Thing', observations: ['is the answer'] },
    ]);
    expect(await context.gate.writeNode(thing({ name: '42' }))).toMatchObject({ created: false });
    expect(await named()).toEqual([
      ['42', { name: '42' }],
      ['age=42', { age: 42 }],
      ['code="42"', { code: '42' }],
      ['name=42', { name: 42 }],
    ]);
  });

  test('trust 1: a name that only a relation mentions is meant by name alone', async () => {
    const memory = new MemoryTools(context.store);
    await memory.createEntities({ name: 'Bob', entityType: 'cat', observations: [] });
    await memory.createRelations(relation('Bob', '42', 'counts to'));
    await context.gate.writeNode(thing({ age: 42 }));
    expect((await memory.open('age=42')).relations).toEqual([]);
    await context.gate.writeNode(thing({ name: '42' }));
    expect((await memory.open('42')).relations).toEqual([relation('Bob', '42', 'counts to')]);
  });

  test('trust 1: a relationship finds its ends by their own keys, and says whether it is new', async () => {
    await context.gate.writeNode(person('Smith'));
    await context.gate.writeNode(person('Ada'));
    const bySurname = knows('Ada', '', { to_keys: { surname: 'Smith' } });
    expect(await context.gate.writeRelationship(bySurname)).toMatchObject({
      error_code: 'ENDPOINT_NOT_FOUND',
      details: { missing: [{ end: 'to', keys: { surname: 'Smith' } }] },
    });
    expect(await context.gate.writeRelationship(knows('Ada', 'Smith'))).toMatchObject({ created: true });
    expect(await context.gate.writeRelationship(knows('Ada', 'Smith'))).toMatchObject({ created: false });
  });

  test('trust 1: the keys a node was made with mean it, whatever longer keys others have', async () => {
    await context.gate.writeNode(thing({ name: 'Smith' }));
    await context.gate.writeNode(thing({ name: 'Smith', born: 1900 }));
    expect(await context.gate.writeNode(thing({ name: 'Smith' }))).toMatchObject({ created: false });
    expect(await named()).toHaveLength(2);
  });

  test('trust 1: a name that is taken in every spelling does not keep a node out', async () => {
    for (const name of ['7', 'id=7', 'id=7 (2)']) await context.gate.writeNode(thing({ name }));
    expect(await context.gate.writeNode(thing({ id: 7 }))).toMatchObject({ created: true });
    expect(await context.gate.writeNode(thing({ id: 7 }))).toMatchObject({ created: false });
    expect((await named()).at(-1)).toEqual(['id=7 (3)', { id: 7 }]);
  });

  test.each(['reject', 'remap'] as const)(
    'trust 2: a label with two colons is not registered, under the policy %s',
    async (unknown_label_policy) => {
      const gate = await context.open({ unknown_label_policy, fallback_label: 'Thing' });
      const answer = await gate.writeNode(person('Ada', {}, { label: '::Person' }));
      expect(answer).toMatchObject(
        unknown_label_policy === 'reject'
          ? { error_code: 'SCHEMA_UNKNOWN_LABEL', details: { unknown: [{ suggested: 'Person' }] } }
          : { label: 'Thing', remapped_from: '::Person', suggested_label: 'Person' },
      );
      const stored = await nodesOf(context.store);
      expect(stored.map(({ type, provenance }) => [type, provenance?._schema_remap_from])).toEqual(
        unknown_label_policy === 'reject' ? [] : [['Thing', ':Person']],
      );
    },
  );

  test('trust 2: a relationship type with two colons is not registered', async () => {
    await context.gate.writeNode(person('Ada'));
    const twice = knows('Ada', 'Ada', { type: '::KNOWS' });
    expect(await context.gate.writeRelationship(twice)).toMatchObject({
      error_code: 'SCHEMA_UNKNOWN_LABEL',
      details: { unknown: [{ argument: 'type', given: '::KNOWS', suggested: 'KNOWS' }] },
    });
    expect(await context.gate.writeRelationship(knows('Ada', 'Ada', { type: ':KNOWS' }))).toMatchObject({
      type: 'KNOWS',
    });
  });

  test('trust 2: a label is stored as the registry spells it', async () => {
    await register(context.store, ':Place');
    await context.gate.refresh();
    expect(await context.gate.writeNode(person('Ulm', {}, { label: ':Place' }))).toMatchObject({
      label: 'Place',
    });
    expect((await nodesOf(context.store)).map(({ type }) => type)).toEqual(['Place']);
  });
});

const value = fc.constantFrom<string | number | boolean>('7', 7, 'a=7', 'true', true, 1.5, 'a', 'name=7');
const keys = fc.dictionary(fc.constantFrom('a', 'b', 'name', 'id'), value, { minKeys: 1, maxKeys: 2 });

/** Whether every key of the one is, in name, type and value, among those of the other. */
const includes = (all: Keys, some: Keys) =>
  Object.entries(some).every(([name, value]) => all[name] === value);

describe.each(storeGateKinds)('whatever keys agents use, on $kind', (kind) => {
  test('trust 1: writes mean the same node if their keys have the same names, types and values, and else another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(keys, { minLength: 2, maxLength: 14 }), async (writes) => {
        const scratch = await scratchStore(kind.store);
        try {
          await registerPeople(scratch.store);
          const gate = await GateClient.direct(scratch.store);
          const made: Keys[] = [];
          for (const written of writes) {
            const answer = await gate.writeNode(thing(written));
            const matching = made.filter((other) => includes(other, written));
            const isKnown = matching.some((other) => includes(written, other));
            // Fewer keys than a node was made with mean it too, as long as they mean no other.
            if (isKnown || matching.length === 1) expect(answer).toMatchObject({ created: false });
            else if (matching.length > 1) expect(answer).toMatchObject({ error_code: 'AMBIGUOUS_MERGE' });
            else {
              expect(answer).toMatchObject({ created: true });
              made.push(written);
            }
          }
          expect((await nodesOf(scratch.store)).map(({ props }) => props)).toEqual(made);
        } finally {
          await scratch.dispose();
        }
      }),
      { numRuns: kind.kind === 'postgres' ? times(2, 8) : times(10, 60) },
    );
  });
});
