import type { Graph } from '../../../engine/graph.js';
import type { NodeId } from '../../../model/node.js';
import type { ValueType } from '../../../model/value-type.js';
import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';
import type { Condition, PropertyOperand, RowQuery } from '../../../store/row-query.js';
import { type Gap, gapsOf, type Wanted } from './gap.js';

/** So many nodes are looked at together. */
const portion = 500;

const string: ValueType = { kind: 'scalar', scalar: 'String', nullable: true };

/** The vectors to be made among these nodes, some at a time. */
export async function* gapsAmong(
  graph: Graph,
  properties: readonly EmbeddedProperty[],
  ids: readonly NodeId[],
): AsyncGenerator<Gap[]> {
  for (let at = 0; at < ids.length; at += portion) {
    const some = ids.slice(at, at + portion);
    yield gapsOf(await graph.read((reader) => reader.nodesById(some)), properties, 'missing');
  }
}

/** The vectors to be made in a whole branch, some at a time, by the names of their nodes. */
export async function* gapsIn(
  graph: Graph,
  properties: readonly EmbeddedProperty[],
  wanted: Wanted,
): AsyncGenerator<Gap[]> {
  for (const property of properties) {
    for (let after = ''; ; ) {
      const names = await namesWithGaps(graph, property, wanted, after);
      const last = names.at(-1);
      if (last === undefined) break;
      const nodes = await graph.read((reader) => reader.nodesNamed(names));
      yield gapsOf(nodes, [property], wanted);
      after = last;
    }
  }
}

/** The store looks for them itself: most nodes have their vector, and need not be read. */
async function namesWithGaps(
  graph: Graph,
  { type, property, from, dimension }: EmbeddedProperty,
  wanted: Wanted,
  after: string,
): Promise<string[]> {
  const name: PropertyOperand = {
    ...{ kind: 'property', variable: 'n', of: 'node' },
    ...{ property: 'name', place: 'row', type: string },
  };
  const vector: ValueType = { kind: 'vector', dimension, nullable: true };
  const missing: Condition = {
    kind: 'is-null',
    operand: { ...name, property, place: 'props', type: vector },
    negated: false,
  };
  const query: RowQuery = {
    match: {
      nodes: [{ id: 'n', types: [type] }],
      hops: [],
      conditions: [
        ...(wanted === 'all' ? [] : [missing]),
        { kind: 'is-null', operand: { ...name, property: from, place: 'props' }, negated: true },
        { kind: 'compare', operator: '>', left: name, right: { kind: 'value', value: after, type: string } },
      ],
    },
    columns: [{ name: 'name', expression: name }],
    ...{ grouped: false, order: [{ expression: name, descending: false }], limit: portion },
  };
  const { rows } = await graph.read((reader) => reader.query(query), { length: 'linear' });
  return rows.map(([cell]) => String(cell));
}
