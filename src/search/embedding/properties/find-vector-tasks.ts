import type { Graph } from '../../../engine/graph.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { ValueType } from '../../../model/value-type.js';
import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';
import type { Condition, PropertyOperand, RowQuery } from '../../../store/row-query.js';
import { type VectorScope, type VectorTask, vectorTasksOf } from './vector-task.js';

const batchSize = 500;

const string: ValueType = { kind: 'scalar', scalar: 'String', nullable: true };

export async function* vectorTasksAmong(
  graph: Graph,
  properties: readonly EmbeddedProperty[],
  ids: readonly NodeId[],
): AsyncGenerator<VectorTask[]> {
  for (let at = 0; at < ids.length; at += batchSize) {
    const some = ids.slice(at, at + batchSize);
    yield vectorTasksOf(await graph.read((reader) => reader.nodesById(some)), properties, 'missing');
  }
}

/** By the names of their nodes. */
export async function* vectorTasksIn(
  graph: Graph,
  properties: readonly EmbeddedProperty[],
  wanted: VectorScope,
): AsyncGenerator<VectorTask[]> {
  for (const property of properties) {
    for (let after = ''; ; ) {
      const names = await namesWith(
        graph,
        property,
        wanted === 'all' ? 'text' : 'text without vector',
        after,
      );
      const last = names.at(-1);
      if (last === undefined) break;
      const nodes = await graph.read((reader) => reader.nodesNamed(names));
      yield vectorTasksOf(nodes, [property], wanted);
      after = last;
    }
  }
}

/** Those with a vector, by the names of their nodes. */
export async function* nodesWithVector(graph: Graph, property: EmbeddedProperty): AsyncGenerator<Node[]> {
  for (let after = ''; ; ) {
    const names = await namesWith(graph, property, 'vector', after);
    const last = names.at(-1);
    if (last === undefined) break;
    yield await graph.read((reader) => reader.nodesNamed(names));
    after = last;
  }
}

/** The store finds them: most nodes have their vector and need not be read. */
async function namesWith(
  graph: Graph,
  { type, property, from, dimension }: EmbeddedProperty,
  wanted: 'text' | 'text without vector' | 'vector',
  after: string,
): Promise<string[]> {
  const name: PropertyOperand = {
    ...{ kind: 'property', variable: 'n', of: 'node' },
    ...{ property: 'name', place: 'row', type: string },
  };
  const vector: ValueType = { kind: 'vector', dimension, nullable: true };
  const hasVector = (negated: boolean): Condition => ({
    kind: 'is-null',
    operand: { ...name, property, place: 'props', type: vector },
    negated,
  });
  const hasText: Condition = {
    kind: 'is-null',
    operand: { ...name, property: from, place: 'props' },
    negated: true,
  };
  const query: RowQuery = {
    match: {
      nodes: [{ id: 'n', types: [type] }],
      hops: [],
      conditions: [
        ...(wanted === 'text' ? [] : [hasVector(wanted === 'vector')]),
        ...(wanted === 'vector' ? [] : [hasText]),
        { kind: 'compare', operator: '>', left: name, right: { kind: 'value', value: after, type: string } },
      ],
    },
    columns: [{ name: 'name', expression: name }],
    ...{ grouped: false, order: [{ expression: name, descending: false }], limit: batchSize },
  };
  const { rows } = await graph.read((reader) => reader.query(query), { length: 'linear' });
  return rows.map(([cell]) => String(cell));
}
