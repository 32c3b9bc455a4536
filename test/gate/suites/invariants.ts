import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gateVersion } from '../../../src/gate/stamp.js';
import { defaultGraph } from '../../../src/model/graph-record.js';
import type { Provenance } from '../../../src/model/provenance.js';
import { times } from '../../helpers/full.js';
import { scratchStore } from '../../helpers/stores.js';
import { edgesOf, GateClient, type Ground, nodesOf, registerPeople } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import { GraphDatabase } from '../graph-database.js';

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

async function expectSound(ground: Ground, since: number): Promise<void> {
  for (const { type, props, provenance } of await nodesOf(ground)) {
    expect(canonical).toContain(type);
    if (props['_stub'] !== true)
      expect(Object.keys(props)).toEqual(expect.arrayContaining([...(required[type] ?? [])]));
    for (const key of Object.keys(props).filter((key) => key !== '_stub')) {
      expect(key).not.toMatch(/^(_.*|confidence|write_gate_version|last_updated|source|extraction_method)$/);
      expectStamped(provenance?.properties?.[key], since);
    }
    expectStamped(provenance, since);
  }
  for (const { type, provenance } of await edgesOf(ground)) {
    expect(type).toBe('KNOWS');
    expectStamped(provenance, since);
  }
}

/** Different after every write. */
async function stateOf(ground: Ground): Promise<string> {
  if (ground instanceof GraphDatabase) return ground.state();
  const [newest] = await ground.commits({ graph: defaultGraph }, { limit: 1 });
  return newest?.id ?? '';
}

export function invariants(kind: GateKind): void {
  describe(`whatever agents try, on ${kind.kind}`, () => {
    const runs = kind.kind === 'sqlite' ? times(8, 40) : times(2, 8);

    test('labels are canonical, required properties are there, and the gate computed what it stamps', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(call, { minLength: 1, maxLength: 15 }),
          fc.constantFrom('warn' as const, 'reject' as const, 'keep' as const),
          fc.constantFrom('remap' as const, 'reject' as const),
          async (calls, conflicts, unknown_label_policy) => {
            const scratch = await scratchStore(kind.store);
            await kind.database?.().clear();
            const ground = kind.database?.() ?? scratch.store;
            try {
              const since = Date.now() - 1;
              await registerPeople(ground);
              const gate = await GateClient.direct(scratch.store, {
                gate: {
                  ...kind.database?.().settings,
                  conflicts,
                  unknown_label_policy,
                  fallback_label: 'Thing',
                },
              });
              for (const { tool, args } of calls) {
                const before = await stateOf(ground);
                const { status } = await gate.call(tool, args);
                expect((await stateOf(ground)) === before).toBe(status === 'rejected');
              }
              await expectSound(ground, since);
              await gate.close();
            } finally {
              await scratch.dispose();
            }
          },
        ),
        { numRuns: runs },
      );
    });
  });
}
