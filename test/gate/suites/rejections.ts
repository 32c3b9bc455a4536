import { describe, expect, test } from 'vitest';
import { defaultGraph } from '../../../src/model/graph-record.js';
import type { Json } from '../../../src/model/json.js';
import { limits } from '../../../src/model/limits.js';
import { scratchStore } from '../../helpers/stores.js';
import { GateClient, knows, nodesOf, person, register } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import { useGate } from '../use-gate.js';

/** Calls that are wrong in one way each, with the argument the answer must name. */
const wrongArguments: [string, object, string][] = [
  ['no label', person('Alice', {}, { label: undefined }), 'label'],
  ['an empty label', person('Alice', {}, { label: ':' }), 'label'],
  ['a label that is no string', person('Alice', {}, { label: ['Person'] }), 'label'],
  ['a label of 5,000 characters', person('Alice', {}, { label: 'x'.repeat(5_000) }), 'label'],
  ['keys that are no object', person('Alice', {}, { merge_keys: 'Alice' }), 'merge_keys'],
  ['a key that is a list', person('Alice', {}, { merge_keys: { name: ['Alice'] } }), 'merge_keys.name'],
  ['a key that is null', person('Alice', {}, { merge_keys: { name: null } }), 'merge_keys.name'],
  ['an empty key', person('', {}), 'merge_keys.name'],
  ['a key with a NUL', person('A\0lice', {}), 'merge_keys.name'],
  ['a key with half a surrogate pair', person('A\ud800', {}), 'merge_keys.name'],
  ['no properties', person('Alice', {}, { properties: undefined }), 'properties'],
  ['properties that are a list', person('Alice', {}, { properties: [] }), 'properties'],
  ['a property that begins with _', person('Alice', { _stub: true }), 'properties._stub'],
  ['a breadcrumb of its own', person('Alice', { _schema_remap_from: ':X' }), 'properties._schema_remap_from'],
  ['a property without a name', person('Alice', { '': 1 }), 'properties.'],
  ['a property with a NUL', person('Alice', { note: { deep: ['\0'] } }), 'properties.note'],
  ['a property that is infinite', person('Alice', { age: Number.POSITIVE_INFINITY }), 'properties.age'],
  ['a property nested too deep', person('Alice', { deep: nested(40) }), 'properties.deep'],
  [
    'too many properties',
    person('Alice', Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`p${n}`, n]))),
    'properties',
  ],
  ['a property that contradicts its key', person('Alice', { name: 'Bob' }), 'properties.name'],
  ['a property that removes its key', person('Alice', { name: null }), 'properties.name'],
  ['no source', person('Alice', {}, { source: undefined }), 'source'],
  ['an empty source', person('Alice', {}, { source: '  ' }), 'source'],
  ['no extraction method', person('Alice', {}, { extraction_method: undefined }), 'extraction_method'],
  ['a reliability that is NaN', person('Alice', {}, { reliability: Number.NaN }), 'reliability'],
  ['a reliability that is text', person('Alice', {}, { reliability: '0.9' }), 'reliability'],
];

function nested(levels: number): Json {
  return levels === 0 ? {} : { a: nested(levels - 1) };
}

export function rejections(kind: GateKind): void {
  describe(`what the gate turns away, on ${kind.kind}`, () => {
    const context = useGate(kind);

    test.each(wrongArguments)('%s is INVALID_ARGUMENT', async (_, args, argument) => {
      const answer = await context.gate.writeNode(args);
      expect(answer).toMatchObject({
        status: 'rejected',
        error_code: 'INVALID_ARGUMENT',
        details: { faults: [{ argument }] },
      });
      expect(await nodesOf(context.ground)).toEqual([]);
    });

    test('without any label the answer says that there is none, not to use another', async () => {
      const scratch = await scratchStore(kind.store);
      await kind.database?.().clear();
      try {
        const gate = await GateClient.direct(scratch.store, { gate: { ...kind.database?.().settings } });
        expect(await gate.writeNode(person('Alice', {}))).toMatchObject({
          error_code: 'SCHEMA_UNKNOWN_LABEL',
          message: expect.stringContaining('No label is registered, so nothing can be written'),
        });
      } finally {
        await scratch.dispose();
      }
    });

    test('all that is wrong with the arguments is said at once', async () => {
      const { details } = await context.gate.writeNode({
        label: 3,
        merge_keys: { _a: 1 },
        reliability: 'high',
      });
      expect((details as { faults: { argument: string }[] }).faults.map(({ argument }) => argument)).toEqual([
        'label',
        'merge_keys._a',
        'properties',
        'source',
        'extraction_method',
        'reliability',
      ]);
    });

    test('of many faults twenty are listed, and how many more there are is said', async () => {
      const faulty = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`_p${n}`, n]));
      const { message, details } = await context.gate.writeNode(person('Alice', faulty));
      expect((details as { faults: unknown[] }).faults).toHaveLength(20);
      expect(message).toContain(' And 5 more.');
      const twenty = Object.fromEntries(Object.entries(faulty).slice(0, 20));
      expect((await context.gate.writeNode(person('Alice', twenty)))['message']).not.toContain(' more.');
    });

    test('a label and the name of a property may be as long as any name, and no longer', async () => {
      const longest = 'x'.repeat(limits.nameLength);
      await register(context.ground, longest);
      await context.gate.refresh();
      const write = (name: string) => context.gate.writeNode(person('Alice', { [name]: 1 }, { label: name }));
      expect(await write(longest)).toMatchObject({ status: 'written', label: longest });
      expect(await write(`${longest}x`)).toMatchObject({
        error_code: 'INVALID_ARGUMENT',
        details: { faults: [{ argument: 'label' }, { argument: `properties.${'x'.repeat(60)}` }] },
      });
    });

    test('arguments that are no object at all are a rejection too', async () => {
      expect(await context.gate.call('write_node', ['Alice'])).toMatchObject({
        error_code: 'INVALID_ARGUMENT',
      });
      expect(await context.gate.call('write_relationship', [])).toMatchObject({
        error_code: 'INVALID_ARGUMENT',
      });
    });

    test('trust 10: an argument that is not known is a rejection that says which was meant', async () => {
      const answer = await context.gate.writeNode(person('Alice', {}, { reliabilty: 0.9 }));
      expect(answer).toMatchObject({
        error_code: 'INVALID_ARGUMENT',
        details: { faults: [{ argument: 'reliabilty', problem: 'is unknown (did you mean reliability?)' }] },
      });
      expect(await nodesOf(context.ground)).toEqual([]);
    });

    test('trust 8: null for an optional argument is as if it were left out', async () => {
      const ada = person('Ada', {}, { reliability: null });
      expect(await context.gate.writeNode(ada)).toMatchObject({ status: 'written' });
      const itself = knows('Ada', 'Ada', { reliability: null, endpoint_policy: null, properties: null });
      expect(await context.gate.writeRelationship(itself)).toMatchObject({ status: 'written' });
    });

    test('trust 8: so is an empty text for one that takes no text', async () => {
      const ada = person('Ada', {}, { reliability: '' });
      expect(await context.gate.writeNode(ada)).toMatchObject({ status: 'written' });
      const itself = knows('Ada', 'Ada', { reliability: '', endpoint_policy: '', properties: '' });
      expect(await context.gate.writeRelationship(itself)).toMatchObject({ status: 'written' });
    });

    test.each(['9007199254740993', '-1234567890123456789', '1e300'])(
      'trust 1: the key %s, which may be another number than was sent, is refused',
      async (number) => {
        const keys = JSON.parse(`{"name": ${number}}`);
        const args = person('Alice', {}, { merge_keys: keys });
        const fault = { problem: 'is too large to be exact: pass it as a string' };
        expect(await context.gate.writeNode(args)).toMatchObject({
          error_code: 'INVALID_ARGUMENT',
          details: { faults: [{ ...fault, argument: 'merge_keys.name' }] },
        });
        expect(await context.gate.writeRelationship(knows('A', 'B', { to_keys: keys }))).toMatchObject({
          error_code: 'INVALID_ARGUMENT',
          details: { faults: [{ ...fault, argument: 'to_keys.name' }] },
        });
        expect(await nodesOf(context.ground)).toEqual([]);
      },
    );

    test('no keys, where the schema requires none, are INVALID_ARGUMENT', async () => {
      const args = person('Alice', {}, { label: 'Thing', merge_keys: {} });
      expect(await context.gate.writeNode(args)).toMatchObject({
        error_code: 'INVALID_ARGUMENT',
        details: { faults: [{ argument: 'merge_keys' }] },
      });
    });

    test('an endpoint policy that does not exist is INVALID_ARGUMENT', async () => {
      expect(
        await context.gate.writeRelationship(knows('A', 'B', { endpoint_policy: 'maybe' })),
      ).toMatchObject({
        error_code: 'INVALID_ARGUMENT',
        details: { faults: [{ argument: 'endpoint_policy' }] },
      });
    });

    test('an extraction method the formula does not know', async () => {
      expect(await context.gate.writeNode(person('Alice', {}, { extraction_method: 'guess' }))).toMatchObject(
        {
          error_code: 'INVALID_EXTRACTION_METHOD',
          details: { given: 'guess', allowed: ['api', 'parsed', 'manual', 'llm'] },
        },
      );
    });

    test('a label that is a variant of a registered one is suggested, not used', async () => {
      expect(await context.gate.writeNode(person('Alice', {}, { label: 'PER-SON' }))).toMatchObject({
        error_code: 'SCHEMA_UNKNOWN_LABEL',
        message: expect.stringContaining('Did you mean Person?'),
        details: { unknown: [{ argument: 'label', given: 'PER-SON', suggested: 'Person' }] },
      });
      const gate = await context.open({ fallback_label: 'Thing' });
      expect(await gate.writeNode(person('Alice', {}, { label: 'PER-SON' }))).toMatchObject({
        status: 'written',
        label: 'Thing',
        remapped_from: 'PER-SON',
        suggested_label: 'Person',
      });
    });

    test.each(['Schema', ':Schema'])('nothing is written under %s, in any mode', async (label) => {
      const gate = await context.open({ fallback_label: 'Thing' });
      expect(await gate.writeNode(person('Alice', {}, { label }))).toMatchObject({
        error_code: 'SCHEMA_UNKNOWN_LABEL',
      });
      expect(await gate.writeRelationship(knows('A', 'B', { from_label: label }))).toMatchObject({
        error_code: 'SCHEMA_UNKNOWN_LABEL',
      });
    });

    test.each(['constructor', '__proto__', 'toString'])(
      'the label %s is as unknown as any other',
      async (label) => {
        expect(await context.gate.writeNode(person('Alice', {}, { label }))).toMatchObject({
          error_code: 'SCHEMA_UNKNOWN_LABEL',
        });
        expect(await context.gate.writeRelationship(knows('A', 'B', { type: label }))).toMatchObject({
          error_code: 'SCHEMA_UNKNOWN_LABEL',
        });
      },
    );

    test('a key or a property named __proto__ is refused, never left out', async () => {
      const inherited = JSON.parse('{"__proto__": "x", "name": "Alice"}');
      const rejected = (argument: string) => ({
        ...{ status: 'rejected', error_code: 'INVALID_ARGUMENT', details: { faults: [{ argument }] } },
      });
      expect(await context.gate.writeNode(person('Alice', {}, { merge_keys: inherited }))).toMatchObject(
        rejected('merge_keys.__proto__'),
      );
      expect(await context.gate.writeNode(person('Alice', inherited))).toMatchObject(
        rejected('properties.__proto__'),
      );
      expect(await context.gate.writeRelationship(knows('A', 'B', { to_keys: inherited }))).toMatchObject(
        rejected('to_keys.__proto__'),
      );
    });

    test('every unknown name of a relationship is listed', async () => {
      const wrong = knows('A', 'B', { type: 'LIKES', from_label: 'Dog', to_label: 'Cat' });
      expect(await context.gate.writeRelationship(wrong)).toMatchObject({
        error_code: 'SCHEMA_UNKNOWN_LABEL',
        details: {
          unknown: [
            { argument: 'type', given: 'LIKES' },
            { argument: 'from_label', given: 'Dog' },
            { argument: 'to_label', given: 'Cat' },
          ],
        },
      });
    });

    test.each(['confidence', 'write_gate_version', 'source', 'extraction_method', 'last_updated'])(
      '%s is protected, in properties and in keys, of nodes and of relationships',
      async (field) => {
        const rejected = { error_code: 'SCHEMA_PROTECTED_FIELD' };
        expect(await context.gate.writeNode(person('Alice', { [field]: 'x' }))).toMatchObject(rejected);
        expect(
          await context.gate.writeNode(person('Alice', {}, { merge_keys: { name: 'Alice', [field]: 'x' } })),
        ).toMatchObject(rejected);
        expect(
          await context.gate.writeRelationship(knows('A', 'B', { properties: { [field]: 'x' } })),
        ).toMatchObject(rejected);
        expect(
          await context.gate.writeRelationship(knows('A', 'B', { from_keys: { [field]: 'x' } })),
        ).toMatchObject(rejected);
      },
    );

    test('null does not stand for a required property', async () => {
      const args = person('Alice', { name: null }, { merge_keys: { email: 'a@b' } });
      expect(await context.gate.writeNode(args)).toMatchObject({
        error_code: 'SCHEMA_MISSING_REQUIRED_PROPERTY',
      });
    });

    test('every property of the wrong type is listed', async () => {
      expect(await context.gate.writeNode(person('Alice', { age: 30.5, email: false }))).toMatchObject({
        error_code: 'SCHEMA_TYPE_MISMATCH',
        details: {
          mismatches: [
            { property: 'age', expected: 'integer', given: 'float' },
            { property: 'email', expected: 'string', given: 'boolean' },
          ],
        },
      });
    });

    test('a relationship between labels it does not join', async () => {
      expect(
        await context.gate.writeRelationship(knows('Alice', 'Stone', { to_label: 'Thing' })),
      ).toMatchObject({
        error_code: 'SCHEMA_ENDPOINT_MISMATCH',
        message: 'KNOWS does not connect Person to Thing. It connects Person to Person.',
        details: { wrong: ['to'], allowed: [{ from: 'Person', to: 'Person' }] },
      });
    });

    test('both missing ends are listed', async () => {
      expect(await context.gate.writeRelationship(knows('Alice', 'Bob'))).toMatchObject({
        error_code: 'ENDPOINT_NOT_FOUND',
        details: { missing: [{ end: 'from' }, { end: 'to' }] },
      });
    });

    test('the first thing that is wrong gives the code', async () => {
      const all = {
        ...person('Alice', { confidence: 1, age: 'old' }, { merge_keys: {} }),
        extraction_method: 'guess',
        label: 'Nobody',
      };
      const code = async (args: object) => (await context.gate.writeNode(args))['error_code'];
      expect(await code({ ...all, source: '' })).toBe('INVALID_ARGUMENT');
      expect(await code(all)).toBe('INVALID_EXTRACTION_METHOD');
      expect(await code({ ...all, extraction_method: 'api' })).toBe('SCHEMA_UNKNOWN_LABEL');
      expect(await code({ ...all, extraction_method: 'api', label: 'Person' })).toBe(
        'SCHEMA_PROTECTED_FIELD',
      );
      expect(await code(person('', { age: 'old' }, { merge_keys: {} }))).toBe(
        'SCHEMA_MISSING_REQUIRED_PROPERTY',
      );
      expect(await code(person('', { name: 'A', age: 'old' }, { merge_keys: {} }))).toBe('INVALID_ARGUMENT');
      expect(await code(person('A', { age: 'old' }))).toBe('SCHEMA_TYPE_MISMATCH');
    });

    test('every rejection is kept, with who tried what, cut short', async () => {
      await context.gate.writeNode(person('Alice', { note: 'x'.repeat(10_000), confidence: 1 }));
      await context.gate.writeRelationship(knows('Alice', 'Bob', { type: 'LIKES' }));
      const kept = await context.store.rejections(defaultGraph);
      expect(kept).toMatchObject([
        { code: 'SCHEMA_UNKNOWN_LABEL', tool: 'write_relationship', actor: 'tester' },
        {
          code: 'SCHEMA_PROTECTED_FIELD',
          tool: 'write_node',
          actor: 'tester',
          message: expect.stringContaining('confidence'),
          arguments: { label: 'Person', merge_keys: { name: 'Alice' }, properties: { confidence: 1 } },
        },
      ]);
      expect(JSON.stringify(kept[1]?.arguments).length).toBeLessThan(1_000);
    });

    test('a rejection of what cannot be stored is kept too', async () => {
      await context.gate.writeNode(person('A\0\ud800', { '\0': '\ud800' }));
      expect(await context.store.rejections(defaultGraph)).toMatchObject([{ code: 'INVALID_ARGUMENT' }]);
    });

    test('a rejection that cannot be kept is answered all the same, and reported', async () => {
      context.store.keepRejection = async () => {
        throw new Error('no room');
      };
      expect(await context.gate.writeNode(person('Alice', { confidence: 1 }))).toMatchObject({
        error_code: 'SCHEMA_PROTECTED_FIELD',
      });
      expect(context.warnings).toEqual([expect.stringContaining('no room')]);
    });

    test('what a rejection leaves in the graph and its history is nothing', async () => {
      const before = await context.store.commits({ graph: defaultGraph });
      await context.gate.writeNode(person('Alice', { confidence: 1 }));
      await context.gate.writeRelationship(knows('Alice', 'Bob'));
      expect(await context.store.commits({ graph: defaultGraph })).toEqual(before);
    });

    test('a label that is no longer allowed is unknown after a refresh', async () => {
      await register(context.ground, 'Dog', { allowed: false });
      expect(await context.gate.refresh()).toMatchObject({ loaded: 2 });
    });
  });
}
