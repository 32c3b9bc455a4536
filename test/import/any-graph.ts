import fc from 'fast-check';
import { Graph } from '../../src/engine/graph.js';
import { importRecords } from '../../src/engine/write/import-records.js';
import { textProblem } from '../../src/model/text.js';
import { isProps } from '../../src/store/jsonl/lines/line-keys.js';
import type { Store } from '../../src/store/store-contract.js';

export const anyText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('__proto__', '\u2028', '\r', 'a: b', '"\\', '- x', '# y', '[[z]]', '<!-- trellis {} -->'),
    fc.constantFrom(
      'a\nb',
      'a\r\n\n  b',
      ' ',
      '---',
      '1. x',
      '## Relations',
      '=1+1',
      '[1]',
      '{}',
      'a → [[b]]',
    ),
  )
  .filter((value) => textProblem(value) === undefined);
const name = fc.oneof(fc.constantFrom('A', 'a', 'B', 'C/D', '', '__proto__'), anyText);
const props = fc
  .oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(anyText, fc.jsonValue()) },
    { weight: 1, arbitrary: fc.constantFrom({ type: 'x' }, { tags: 1 }, { title: 't' }, { name: 'n' }) },
  )
  .filter(isProps);
const weight = fc
  .double({ min: 0, max: 1, noNaN: true })
  .map((value) => (value < 1e-15 ? 0 : value > 1 - 1e-15 ? 1 : value));

/** Graphs with everything that a node and an edge can say. */
export const anyGraph = fc.record({
  nodes: fc.uniqueArray(
    fc.record({
      name,
      type: name,
      observations: fc.array(anyText, { maxLength: 4 }),
      summary: fc.oneof(fc.constant(null), anyText),
      tags: fc.array(anyText, { maxLength: 2 }),
      props,
    }),
    { selector: (each) => each.name, maxLength: 8 },
  ),
  edges: fc.uniqueArray(
    fc.record({
      from: name,
      to: name,
      type: name,
      key: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: name }),
      weight: fc.oneof(fc.constant(1), weight),
      props,
    }),
    { selector: (each) => JSON.stringify([each.from, each.type, each.to, each.key]), maxLength: 8 },
  ),
});

export async function fill(store: Store, graph: Parameters<typeof importRecords>[1]): Promise<void> {
  await new Graph(store, 'default').write({ actor: 'test', tool: 'fill' }, (tx) => importRecords(tx, graph));
}
