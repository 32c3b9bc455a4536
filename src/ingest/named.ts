import { listNames } from '../model/list-names.js';
import { didYouMean } from '../model/nearest.js';
import { edgeKeyText, nodeKeyText } from '../schema/enforce/key-texts.js';
import { edgeTypeOf } from '../schema/pg/edge-type-of.js';
import type { GraphSchema, NodeType } from '../schema/pg/graph-schema.js';
import type { BatchEdge, BatchNode, BatchOptions } from './batch.js';
import { lineProblem } from './line-problem.js';
import type { EdgeLine, NodeLine } from './records.js';

/** A node line with the name that its node has. */
export function namedNode(node: NodeLine, options: BatchOptions): BatchNode {
  const { line, data, summary, tags, observations, provenance } = node;
  const { schema } = options;
  const content = { line, summary, tags, observations, provenance };
  if (schema === null) {
    const { name, ...props } = data;
    if (node.id !== undefined) return { ...content, type: node.type, name: node.id, props: data };
    if (typeof name === 'string' && name !== '') return { ...content, type: node.type, name, props };
    throw lineProblem(
      line,
      'it does not say what the node is called.',
      'On a graph without a schema put the name into data: {"type":"person","data":{"name":"Ada"}}.',
    );
  }
  const type = schema.nodes.get(node.type);
  if (type === undefined) throw unknownType(line, 'node', node.type, [...schema.nodes.keys()]);
  return { ...content, type: type.name, name: typedName(node, type, options), props: data };
}

function typedName({ line, id, data }: NodeLine, type: NodeType, { ids, now }: BatchOptions): string {
  if (type.key === null) return id ?? ids(now);
  const { text, problem } = nodeKeyText(type, data);
  if (text === undefined) {
    throw lineProblem(line, `${type.name} ${problem}`, `Its key is ${type.key.join(', ')}: give it in data.`);
  }
  if (id === undefined || id === text) return text;
  throw lineProblem(
    line,
    `its id is ${JSON.stringify(id)}, but its key says ${JSON.stringify(text)}.`,
    'Leave the id out: a node with a key is called by it.',
  );
}

/** An edge line with the types and the key that the schema gives its edge. */
export function namedEdge(edge: EdgeLine, schema: GraphSchema | null): BatchEdge {
  const { line, from, to, key, weight, data, provenance } = edge;
  if (schema === null) {
    const ends = { from: { type: edge.fromType, name: from }, to: { type: edge.toType, name: to } };
    return { line, type: edge.type, ...ends, key: key ?? '', weight, props: data, provenance };
  }
  const type = edgeTypeOf(schema, edge.type);
  if (type === undefined) {
    const names = [...schema.edges.values()].map(({ name }) => name);
    throw unknownType(line, 'edge', edge.type, names);
  }
  const ends = { from: { type: type.from, name: from }, to: { type: type.to, name: to } };
  for (const [which, given, declared] of [
    ['from_type', edge.fromType, type.from],
    ['to_type', edge.toType, type.to],
  ] as const) {
    if (given !== undefined && given !== declared) throw otherEnd(line, type.name, which, given, declared);
  }
  const { text = '', problem } = edgeKeyText(type, data);
  if (problem !== undefined) throw lineProblem(line, `${type.name} ${problem}`, 'Give its key in data.');
  return { line, type: type.name, ...ends, key: text, weight, props: data, provenance };
}

function otherEnd(line: number, edge: string, which: string, given: string, declared: string): Error {
  return lineProblem(
    line,
    `its ${which} is ${JSON.stringify(given)}, but the schema says ${JSON.stringify(declared)} for ${edge}.`,
    `Leave ${which} out: the schema says what type an edge leads to.`,
    'SCHEMA_VIOLATION',
  );
}

function unknownType(line: number, kind: 'node' | 'edge', name: string, known: readonly string[]): Error {
  return lineProblem(
    line,
    `the schema has no ${kind} ${JSON.stringify(name)}.${didYouMean(name, known)}`,
    `It has: ${listNames(known)}.`,
    'SCHEMA_VIOLATION',
  );
}
