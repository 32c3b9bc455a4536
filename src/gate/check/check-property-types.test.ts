import { describe, expect, test } from 'vitest';
import type { Json } from '../../model/json.js';
import { inMemoryRegistry } from '../registry/registry-snapshot.js';
import type { PropertyType } from '../registry/schema-registry.js';
import { checkPropertyTypes } from './check-property-types.js';
import { type NodeClaim, nodeClaim } from './claim.js';

const formula = { allowedExtractionMethods: () => new Set(['api']), compute: () => 1 };

/** A node whose property `value` is declared to be of a type. */
function claimOf(type: PropertyType, value: Json): NodeClaim {
  const document = { nodes: [{ label: 'Thing', property_types: { value: type } }] };
  const schema = { registry: inMemoryRegistry(document), fallback: undefined };
  const origin = { source: 'test', extraction_method: 'api', reliability: 1, derived_from: [] };
  return nodeClaim(
    { label: 'Thing', merge_keys: { id: 1 }, properties: { value }, ...origin },
    { schema, formula, unknownLabels: 'reject', conflicts: 'warn', trust: [], suspiciousText: 'off' },
  );
}

describe('a property that is declared', () => {
  test.each<[PropertyType, Json[]]>([
    ['string', ['', 'text', '7']],
    ['integer', [0, -3, 7.0]],
    ['float', [0.5, 7, -1e300]],
    ['boolean', [true, false]],
    ['list', [[], [1, 'a', null]]],
    ['map', [{}, { a: 1 }]],
    [
      'datetime',
      [
        '2026-01-31',
        '2024-02-29',
        '2026-01-31T12:00:00Z',
        '2026-01-31T23:59',
        '2026-01-31T12:00:00.123456789+02:00',
        '2026-01-31T12:00:00-0530',
      ],
    ],
  ])('%s takes its own values, and null, which removes it', (type, values) => {
    for (const value of [...values, null])
      expect(() => checkPropertyTypes(claimOf(type, value))).not.toThrow();
  });

  test.each<[PropertyType, Json, string]>([
    ['string', 7, 'integer'],
    ['string', ['a'], 'list'],
    ['integer', 7.5, 'float'],
    ['integer', '7', 'string'],
    ['float', '7.5', 'string'],
    ['boolean', 'true', 'string'],
    ['boolean', 1, 'integer'],
    ['list', { 0: 'a' }, 'map'],
    ['list', 'a', 'string'],
    ['map', ['a'], 'list'],
    ['map', true, 'boolean'],
    ['datetime', 1_767_225_600_000, 'integer'],
    ['datetime', 'tomorrow', 'string'],
    ['datetime', '', 'string'],
    ['datetime', '2026-02-30', 'string'],
    ['datetime', '2026-02-29T12:00:00Z', 'string'],
    ['datetime', '2026-13-01', 'string'],
    ['datetime', '2026-01-31T24:00:00Z', 'string'],
    ['datetime', '2026-01-31T12:60:00Z', 'string'],
    ['datetime', '2026-01-31T12:00:00+24:00', 'string'],
    ['datetime', '2026-01-31 12:00', 'string'],
    ['datetime', '31.01.2026', 'string'],
  ])('%s does not take %j', (expected, value, given) => {
    const mismatch = { argument: 'properties', property: 'value', expected, given };
    expect(() => checkPropertyTypes(claimOf(expected, value))).toThrow(
      expect.objectContaining({ code: 'SCHEMA_TYPE_MISMATCH', details: { mismatches: [mismatch] } }),
    );
  });
});
