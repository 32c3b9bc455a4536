import { didYouMean } from '../model/nearest.js';
import { listNames } from '../model/quoting.js';
import { edgeKeyFromProps, nodeKeyFromProps } from '../schema/enforce/key-from-props.js';
import { findEdgeType, type GraphSchema, type NodeType } from '../schema/graph/graph-schema.js';
import type { BatchEdge, BatchNode, BatchOptions } from './ingest-batch.js';
import { lineError } from './line-error.js';
import type { IngestEdgeLine, IngestNodeLine } from './parse-ingest-line.js';

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
      'the node has no name.',
      'On a graph without a schema, put the name into data: {"type":"person","data":{"name":"Ada"}}.',
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
    throw lineError(line, `${type.name} ${problem}`, `Put its key (${type.key.join(', ')}) into data.`);
  }
  if (id === undefined || id === text) return text;
  throw lineError(
    line,
    `its id is ${JSON.stringify(id)}, but its key says ${JSON.stringify(text)}.`,
    'Remove the id; a node with a key is identified by its key.',
  );
}

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
    if (given === undefined || given === declared) continue;
    throw lineError(
      line,
      `its ${which} is ${JSON.stringify(given)}, but the schema says ${JSON.stringify(declared)} for ${type.name}.`,
      `Remove ${which}; the schema defines the types that an edge connects.`,
      'SCHEMA_VIOLATION',
    );
  }
  const { text = '', problem } = edgeKeyFromProps(type, data);
  if (problem !== undefined) throw lineError(line, `${type.name} ${problem}`, 'Put its key into data.');
  return { line, type: type.name, ...ends, key: text, weight, props: data, provenance };
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
