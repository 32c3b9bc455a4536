import { didYouMean } from '../model/nearest.js';
import { listNames } from '../model/quoting.js';
import { edgeKeyFromProps, nodeKeyFromProps } from '../schema/enforce/key-from-props.js';
import { findEdgeType, type GraphSchema, type NodeType } from '../schema/graph/graph-schema.js';
import type { BatchEdge, BatchNode, BatchOptions } from './ingest-batch.js';
import { lineError } from './line-error.js';
import type { IngestEdgeLine, IngestNodeLine } from './parse-ingest-line.js';

/** A node line with the name that its node has. */
export function resolveNodeLine(node: IngestNodeLine, options: BatchOptions): BatchNode {
  const { line, data, summary, tags, observations, provenance } = node;
  const { schema } = options;
  const content = { line, summary, tags, observations, provenance };
  if (schema === null) {
    const { name, ...props } = data;
    if (node.id !== undefined) return { ...content, type: node.type, name: node.id, props: data };
    if (typeof name === 'string' && name !== '') return { ...content, type: node.type, name, props };
    throw lineError(
      line,
      'it does not say what the node is called.',
      'On a graph without a schema put the name into data: {"type":"person","data":{"name":"Ada"}}.',
    );
  }
  const type = schema.nodes.get(node.type);
  if (type === undefined) throw unknownTypeError(line, 'node', node.type, [...schema.nodes.keys()]);
  return { ...content, type: type.name, name: nameFromKey(node, type, options), props: data };
}

function nameFromKey({ line, id, data }: IngestNodeLine, type: NodeType, { ids, now }: BatchOptions): string {
  if (type.key === null) return id ?? ids(now);
  const { text, problem } = nodeKeyFromProps(type, data);
  if (text === undefined) {
    throw lineError(line, `${type.name} ${problem}`, `Its key is ${type.key.join(', ')}: give it in data.`);
  }
  if (id === undefined || id === text) return text;
  throw lineError(
    line,
    `its id is ${JSON.stringify(id)}, but its key says ${JSON.stringify(text)}.`,
    'Leave the id out: a node with a key is called by it.',
  );
}

/** An edge line with the types and the key that the schema gives its edge. */
export function resolveEdgeLine(edge: IngestEdgeLine, schema: GraphSchema | null): BatchEdge {
  const { line, from, to, key, weight, data, provenance } = edge;
  if (schema === null) {
    const ends = { from: { type: edge.fromType, name: from }, to: { type: edge.toType, name: to } };
    return { line, type: edge.type, ...ends, key: key ?? '', weight, props: data, provenance };
  }
  const type = findEdgeType(schema, edge.type);
  if (type === undefined) {
    const names = [...schema.edges.values()].map(({ name }) => name);
    throw unknownTypeError(line, 'edge', edge.type, names);
  }
  const ends = { from: { type: type.from, name: from }, to: { type: type.to, name: to } };
  for (const [which, given, declared] of [
    ['from_type', edge.fromType, type.from],
    ['to_type', edge.toType, type.to],
  ] as const) {
    if (given !== undefined && given !== declared)
      throw endpointTypeMismatch(line, type.name, which, given, declared);
  }
  const { text = '', problem } = edgeKeyFromProps(type, data);
  if (problem !== undefined) throw lineError(line, `${type.name} ${problem}`, 'Give its key in data.');
  return { line, type: type.name, ...ends, key: text, weight, props: data, provenance };
}

function endpointTypeMismatch(
  line: number,
  edge: string,
  which: string,
  given: string,
  declared: string,
): Error {
  return lineError(
    line,
    `its ${which} is ${JSON.stringify(given)}, but the schema says ${JSON.stringify(declared)} for ${edge}.`,
    `Leave ${which} out: the schema says what type an edge leads to.`,
    'SCHEMA_VIOLATION',
  );
}

function unknownTypeError(
  line: number,
  kind: 'node' | 'edge',
  name: string,
  known: readonly string[],
): Error {
  return lineError(
    line,
    `the schema has no ${kind} ${JSON.stringify(name)}.${didYouMean(name, known)}`,
    `It has: ${listNames(known)}.`,
    'SCHEMA_VIOLATION',
  );
}
