import { expect, test } from 'vitest';
import type { Json } from '../model/json.js';
import type { Rejection } from '../model/rejection.js';
import { DriftCounter } from './drift-counter.js';
import { inMemoryRegistry } from './registry/registry-snapshot.js';

const registry = inMemoryRegistry({
  nodes: [
    {
      label: 'Person',
      required_properties: ['name'],
      property_types: { age: 'integer' },
      remaps_from: ['User'],
    },
    { label: 'Thing' },
  ],
  relationships: [{ type: 'KNOWS' }],
});

function rejection(tool: string, given: Json): Rejection {
  const code = 'INVALID_ARGUMENT';
  return { id: 1, code, tool, actor: 'tester', time: 0, message: '', details: {}, arguments: given };
}

function counted(count: (counter: DriftCounter) => void) {
  const counter = new DriftCounter(registry);
  count(counter);
  return counter.result();
}

const nothing = { labels: [], relationship_types: [], properties: [] };

test('labels of nodes and of both ends that no entry has or absorbs are counted, most frequent first', () => {
  const { labels } = counted((counter) => {
    for (const label of ['Persn', ':Persn', 'Dog', 'Cat', 'Person', ':User', '', ':'])
      counter.rejected(rejection('write_node', { label }));
    counter.rejected(rejection('write_relationship', { from_label: 'Dog', to_label: 'Dog', type: 'KNOWS' }));
  });
  expect(labels).toEqual([
    { name: 'Dog', count: 3 },
    { name: 'Persn', count: 2, suggested: 'Person' },
    { name: 'Cat', count: 1 },
  ]);
});

test('relationship types that are not registered are counted, with or without a colon', () => {
  const { relationship_types } = counted((counter) => {
    for (const type of [':LIKES', 'LIKES', 'KNOWS', ':KNOWS', 'knows'])
      counter.rejected(rejection('write_relationship', { type, from_label: 'Person', to_label: 'Person' }));
  });
  expect(relationship_types).toEqual([
    { name: 'LIKES', count: 2 },
    { name: 'knows', count: 1, suggested: 'KNOWS' },
  ]);
});

test('properties that an entry does not declare are counted under its label', () => {
  const properties = { name: 'A', age: 1, nickname: 'B', _stub: true, confidence: 1 };
  const result = counted((counter) => {
    counter.rejected(rejection('write_node', { label: 'Person', properties }));
    counter.rejected(rejection('write_node', { label: ':User', properties }));
    counter.rejected(rejection('write_node', { label: 'Thing', properties: { colour: 'red' } }));
    counter.rejected(rejection('write_node', { label: 'Person', properties: { size: 1 } }));
  });
  expect(result).toEqual({
    ...nothing,
    properties: [
      { label: 'Person', property: 'nickname', count: 2 },
      { label: 'Person', property: 'size', count: 1 },
      { label: 'Thing', property: 'colour', count: 1 },
    ],
  });
});

test('the properties of an unknown label are not counted: nobody knows what it declares', () => {
  expect(
    counted((counter) => counter.rejected(rejection('write_node', { label: 'Dog', properties: { size: 1 } })))
      .properties,
  ).toEqual([]);
});

test.each<Json>([null, 'Person', [], { label: 7, type: {}, properties: 'x' }])(
  'arguments like %j count for nothing',
  (given) => {
    for (const tool of ['write_node', 'write_relationship'])
      expect(counted((counter) => counter.rejected(rejection(tool, given)))).toEqual(nothing);
  },
);

test('of what was written, the label it came under and what its entry does not declare are counted, but no keys', () => {
  const provenance = { write_gate_version: '1.0.0', merge_keys: ['id'] };
  const result = counted((counter) => {
    counter.written({ type: 'Thing', props: { id: 1, colour: 'red' }, provenance });
    counter.written({
      type: 'Thing',
      props: { id: 2 },
      provenance: { ...provenance, _schema_remap_from: ':Rock' },
    });
    counter.written({ type: 'Thing', props: { id: 3, colour: 'red' }, provenance: null });
  });
  expect(result).toEqual({
    labels: [{ name: 'Rock', count: 1 }],
    relationship_types: [],
    properties: [{ label: 'Thing', property: 'colour', count: 1 }],
  });
});

test('what other surfaces wrote is none of the business of the gate', () => {
  expect(
    counted((counter) => counter.written({ type: 'Person', props: { nickname: 'B' }, provenance: {} })),
  ).toEqual(nothing);
});
