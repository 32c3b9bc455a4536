import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gateVersion } from '../../src/gate/stamp.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Provenance } from '../../src/model/provenance.js';
import type { Store } from '../../src/store/store-contract.js';
import { times } from '../helpers/full.js';
import { databaseKinds, scratchStore } from '../helpers/stores.js';
import { GateClient, nodesOf, registerPeople } from './gate-client.js';

const canonical = ['Person', 'Thing'];
const required: Readonly<Record<string, readonly string[]>> = { Person: ['name'], Thing: [] };
const weights: Readonly<Record<string, number>> = { api: 1, parsed: 0.85, manual: 0.75, llm: 0.6 };

const label = fc.constantFrom(
  'Person',
  ':Person',
  'person',
  'User',
  'Thing',
  'Dog',
  'Schema',
  'constructor',
  '',
);
const name = fc.constantFrom('Ada', 'ada', 'Bob', '', '\0');
const scalar = fc.oneof(name, fc.integer({ min: 0, max: 2 }), fc.boolean());
const property = fc.constantFrom(
  ...[
    'name',
    'age',
    'email',
    'confidence',
    'write_gate_version',
    'last_updated',
    'source',
    '_stub',
    'constructor',
  ],
);
const keys = fc.dictionary(fc.constantFrom('name', 'email', 'confidence', '_stub', 'id'), scalar, {
  maxKeys: 2,
});
const properties = fc.dictionary(property, fc.oneof(scalar, fc.constant(null), fc.constant([1])), {
  maxKeys: 3,
});
const origin = {
  source: fc.constantFrom('web', 'chat', ''),
  extraction_method: fc.constantFrom('api', 'parsed', 'manual', 'llm', 'guess'),
  reliability: fc.constantFrom(0, 0.5, 0.9, 7, Number.NaN),
};
const call = fc.oneof(
  fc.record({
    tool: fc.constant('write_node'),
    args: fc.record({ label, merge_keys: keys, properties, ...origin }),
  }),
  fc.record({
    tool: fc.constant('write_relationship'),
    args: fc.record({
      type: fc.constantFrom('KNOWS', ':KNOWS', 'knows', 'DIRECTED'),
      from_label: label,
      from_keys: keys,
      to_label: label,
      to_keys: keys,
      properties,
      endpoint_policy: fc.constantFrom('fail_if_missing', 'merge_endpoints'),
      ...origin,
    }),
  }),
);

/** The confidences the formula can give. */
const possible = new Set(
  [0, 0.5, 0.9, 1].flatMap((reliability) => Object.values(weights).map((weight) => reliability * weight)),
);

function expectStamped(provenance: Provenance | null | undefined, since: number): void {
  expect(possible).toContain(provenance?.confidence);
  expect(provenance?.write_gate_version).toBe(gateVersion);
  expect(['web', 'chat']).toContain(provenance?.source);
  expect(Object.keys(weights)).toContain(provenance?.extraction_method);
  expect(Date.parse(provenance?.last_updated ?? '')).toBeGreaterThanOrEqual(since);
}

async function expectSound(store: Store, since: number): Promise<void> {
  for (const { type, props, provenance } of await nodesOf(store)) {
    expect(canonical).toContain(type);
    if (props['_stub'] !== true)
      expect(Object.keys(props)).toEqual(expect.arrayContaining([...(required[type] ?? [])]));
    for (const key of Object.keys(props).filter((key) => key !== '_stub')) {
      expect(key).not.toMatch(/^(_.*|confidence|write_gate_version|last_updated|source|extraction_method)$/);
      expectStamped(provenance?.properties?.[key], since);
    }
    expectStamped(provenance, since);
  }
  const edges = await store.read({ graph: defaultGraph }, (reader) => reader.edges());
  for (const { type, provenance } of edges) {
    expect(type).toBe('KNOWS');
    expectStamped(provenance, since);
  }
}

describe.each(databaseKinds)('whatever agents try, on $kind', (kind) => {
  const runs = kind.kind === 'postgres' ? times(2, 8) : times(8, 40);

  test('labels are canonical, required properties are there, and the gate computed what it stamps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 15 }),
        fc.constantFrom('warn' as const, 'reject' as const, 'keep' as const),
        fc.constantFrom('remap' as const, 'reject' as const),
        async (calls, conflicts, unknown_label_policy) => {
          const scratch = await scratchStore(kind);
          try {
            const since = Date.now() - 1;
            await registerPeople(scratch.store);
            const gate = await GateClient.direct(scratch.store, {
              gate: { conflicts, unknown_label_policy, fallback_label: 'Thing' },
            });
            for (const { tool, args } of calls) {
              const before = await scratch.store.commits({ graph: defaultGraph }, { limit: 1 });
              const { status } = await gate.call(tool, args);
              const after = await scratch.store.commits({ graph: defaultGraph }, { limit: 1 });
              expect(after[0]?.id === before[0]?.id).toBe(status === 'rejected');
            }
            await expectSound(scratch.store, since);
          } finally {
            await scratch.dispose();
          }
        },
      ),
      { numRuns: runs },
    );
  });
});
