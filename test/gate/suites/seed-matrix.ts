import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateSettings } from '../../../src/gate/gate-settings.js';
import { gateVersion } from '../../../src/gate/stamp.js';
import { type Scratch, scratchStore } from '../../helpers/stores.js';
import {
  edgesOf,
  GateClient,
  knows,
  nodeNamed,
  nodesOf,
  person,
  register,
  registerPeople,
} from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';

export function seedMatrix(kind: GateKind): void {
  describe(`the test matrix of the seed, on ${kind.kind}`, () => {
    let scratch: Scratch;
    let gate: GateClient | undefined;

    beforeEach(async () => {
      scratch = await scratchStore(kind.store);
      await kind.database?.().clear();
      await registerPeople(ground());
    });
    afterEach(async () => {
      await gate?.close();
      gate = undefined;
      await scratch.dispose();
    });

    const ground = () => kind.database?.() ?? scratch.store;

    async function open(settings: GateSettings = {}): Promise<GateClient> {
      gate = await GateClient.overHttp(scratch.store, { ...kind.database?.().settings, ...settings });
      return gate;
    }

    test('1: a write that fits is written with its computed confidence and the version of the gate', async () => {
      const gate = await open();
      expect(await gate.writeNode(person('Alice', { age: 30 }))).toEqual({
        status: 'written',
        label: 'Person',
        merge_keys: { name: 'Alice' },
        created: true,
        confidence: 0.675,
        write_gate_version: gateVersion,
      });
      const alice = await nodeNamed(ground(), 'Alice');
      expect(alice).toMatchObject({ type: 'Person', props: { name: 'Alice', age: 30 } });
      expect(alice.provenance).toMatchObject({
        source: 'test',
        extraction_method: 'manual',
        confidence: 0.675,
        write_gate_version: gateVersion,
        last_updated: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
        merge_keys: ['name'],
      });
    });

    test('2: what the gate computes cannot be declared', async () => {
      const gate = await open();
      expect(await gate.writeNode(person('Alice', { confidence: 1 }))).toMatchObject({
        status: 'rejected',
        error_code: 'SCHEMA_PROTECTED_FIELD',
        details: { fields: [{ argument: 'properties', field: 'confidence' }] },
      });
      expect(await nodesOf(ground())).toEqual([]);
    });

    test('3: an absorbed label is remapped and leaves a breadcrumb', async () => {
      const gate = await open();
      expect(await gate.writeNode(person('Alice', {}, { label: ':person' }))).toMatchObject({
        status: 'written',
        label: 'Person',
        remapped_from: ':person',
      });
      expect(await nodeNamed(ground(), 'Alice')).toMatchObject({
        type: 'Person',
        provenance: { _schema_remap_from: ':person' },
      });
    });

    test('4: an unknown label goes to the fallback in remap mode', async () => {
      const gate = await open({ fallback_label: 'Thing' });
      expect(await gate.writeNode(person('Alice', {}, { label: 'ZZZNonexistent' }))).toMatchObject({
        status: 'written',
        label: 'Thing',
        remapped_from: 'ZZZNonexistent',
      });
      expect(await nodeNamed(ground(), 'Alice')).toMatchObject({
        type: 'Thing',
        provenance: { _schema_remap_from: ':ZZZNonexistent' },
      });
    });

    test('5: in reject mode it is turned away', async () => {
      const gate = await open({ fallback_label: 'Thing', unknown_label_policy: 'reject' });
      expect(await gate.writeNode(person('Alice', {}, { label: 'ZZZNonexistent' }))).toMatchObject({
        status: 'rejected',
        error_code: 'SCHEMA_UNKNOWN_LABEL',
        details: {
          unknown: [{ argument: 'label', given: 'ZZZNonexistent' }],
          labels: expect.arrayContaining(['Person', 'Thing']),
        },
      });
      expect(await nodesOf(ground())).toEqual([]);
    });

    test('6: a required property must be given', async () => {
      const gate = await open();
      const given = {
        label: 'Person',
        merge_keys: {},
        properties: {},
        source: 'test',
        extraction_method: 'manual',
      };
      expect(await gate.writeNode(given)).toMatchObject({
        status: 'rejected',
        error_code: 'SCHEMA_MISSING_REQUIRED_PROPERTY',
        details: { missing: ['name'] },
      });
    });

    test.each(['remap', 'reject'] as const)(
      '7: an unregistered relationship type is turned away (%s)',
      async (mode) => {
        const gate = await open({ fallback_label: 'Thing', unknown_label_policy: mode });
        await gate.writeNode(person('Alice'));
        await gate.writeNode(person('Bob'));
        expect(await gate.writeRelationship(knows('Alice', 'Bob', { type: 'DIRECTED' }))).toMatchObject({
          status: 'rejected',
          error_code: 'SCHEMA_UNKNOWN_LABEL',
          details: { unknown: [{ argument: 'type', given: 'DIRECTED' }], relationship_types: ['KNOWS'] },
        });
      },
    );

    test('8: a missing end is an error by default', async () => {
      const gate = await open();
      await gate.writeNode(person('Alice'));
      expect(await gate.writeRelationship(knows('Alice', 'Bob'))).toMatchObject({
        status: 'rejected',
        error_code: 'ENDPOINT_NOT_FOUND',
        details: { missing: [{ end: 'to', label: 'Person', keys: { name: 'Bob' } }] },
      });
      expect(await nodesOf(ground())).toHaveLength(1);
    });

    test('9: merge_endpoints leaves a stub instead', async () => {
      const gate = await open();
      await gate.writeNode(person('Alice'));
      expect(
        await gate.writeRelationship(knows('Alice', 'Bob', { endpoint_policy: 'merge_endpoints' })),
      ).toEqual({
        status: 'written',
        type: 'KNOWS',
        from: { label: 'Person', keys: { name: 'Alice' } },
        to: { label: 'Person', keys: { name: 'Bob' }, stub_created: true },
        created: true,
        confidence: 0.675,
        write_gate_version: gateVersion,
      });
      expect(await nodeNamed(ground(), 'Bob')).toMatchObject({
        type: 'Person',
        props: { name: 'Bob', _stub: true },
        provenance: { confidence: 0.675 },
      });
      expect(await edgesOf(ground())).toMatchObject([
        { fromName: 'Alice', toName: 'Bob', type: 'KNOWS', provenance: { confidence: 0.675 } },
      ]);
    });

    test('10: a label that was added is known after a refresh, and not before', async () => {
      const gate = await open();
      const event = {
        label: 'Event',
        merge_keys: { name: 'Launch' },
        properties: {},
        source: 'test',
        extraction_method: 'api',
      };
      expect(await gate.refresh()).toMatchObject({ loaded: 2, relationship_types: 1 });
      await register(ground(), 'Event');
      expect(await gate.writeNode(event)).toMatchObject({ error_code: 'SCHEMA_UNKNOWN_LABEL' });
      expect(await gate.refresh()).toMatchObject({ loaded: 3, relationship_types: 1 });
      expect(await gate.writeNode(event)).toMatchObject({
        status: 'written',
        label: 'Event',
        confidence: 0.5,
      });
    });
  });
}
