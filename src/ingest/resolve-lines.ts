import type { Props } from '../model/json.js';
import { didYouMean } from '../model/nearest.js';
import { listNames } from '../model/quoting.js';
import { checkName } from '../model/text.js';
import { edgeKeyFromProps, nodeKeyFromProps } from '../schema/enforce/key-from-props.js';
import { findEdgeType, type GraphSchema, type NodeType } from '../schema/graph/graph-schema.js';
import { idFromExport, propsFromExport } from './exported-values.js';
import type { BatchEdge, BatchNode, BatchOptions, EndpointName } from './ingest-batch.js';
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
    const { id, props: others } = takeId(line, undefined, data);
    if (id !== undefined) return { ...content, type: node.type, name: id, props: others };
    throw lineError(
      line,
      'the node has no name.',
      'On a graph without a schema, put the name into data: {"type":"person","data":{"name":"Ada"}}.',
    );
  }
  const type = schema.nodes.get(node.type);
  if (type === undefined) throw unknownTypeError(line, 'node', node.type, [...schema.nodes.keys()]);
  const { id, props } = type.properties.has('id')
    ? { id: node.id, props: data }
    : takeId(line, node.id, data);
  const given = { line, id, data: propsFromExport(type, props) };
  return { ...content, type: type.name, name: nameFromKey(given, type, options), props: given.data };
}

interface GivenId {
  readonly id: string | undefined;
  readonly props: Props;
}

/** Older exports have the id among the properties. */
function takeId(line: number, id: string | undefined, { id: inData, ...props }: Props): GivenId {
  if (inData === undefined || inData === null) return { id, props };
  if (typeof inData !== 'string' || inData === '')
    throw lineError(line, '"data.id" must be a string.', 'It identifies the row, as "id" does.');
  if (id !== undefined && id !== inData)
    throw lineError(line, 'its "id" and its "data.id" differ.', 'Both identify the row: leave one out.');
  return { id: checkName(inData, 'The id'), props };
}

function nameFromKey(
  { line, id, data }: Pick<IngestNodeLine, 'line' | 'id' | 'data'>,
  type: NodeType,
  { ids, now }: BatchOptions,
): string {
  if (type.key === null) return id ?? ids(now);
  const { text, problem } = nodeKeyFromProps(type, data);
  if (text === undefined) {
    throw lineError(line, `${type.name} ${problem}`, `Put its key (${type.key.join(', ')}) into data.`);
  }
  if (id === undefined || id === text || idFromExport(type, id) === text) return text;
  throw lineError(
    line,
    `its id is ${JSON.stringify(id)}, but its key says ${JSON.stringify(text)}.`,
    'Remove the id; a node with a key is identified by its key.',
  );
}

export function resolveEdgeLine(edge: IngestEdgeLine, schema: GraphSchema | null): BatchEdge {
  const { line, from, to, weight, provenance } = edge;
  if (schema === null) {
    const ends = { from: { type: edge.fromType, name: from }, to: { type: edge.toType, name: to } };
    return { line, type: edge.type, ...ends, key: edge.key ?? '', weight, props: edge.data, provenance };
  }
  const type = findEdgeType(schema, edge.type);
  if (type === undefined) {
    const names = [...schema.edges.values()].map(({ name }) => name);
    throw unknownTypeError(line, 'edge', edge.type, names);
  }
  const ends = { from: endOf(schema, type.from, from), to: endOf(schema, type.to, to) };
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
  const given = type.properties.has('id')
    ? { id: edge.key, props: edge.data }
    : takeId(line, edge.key, edge.data);
  const props = propsFromExport(type, given.props);
  const { text = '', problem } = edgeKeyFromProps(type, props);
  if (problem !== undefined) throw lineError(line, `${type.name} ${problem}`, 'Put its key into data.');
  const row = { line, type: type.name, ...ends, weight, props, provenance };
  return type.key === null ? { ...row, key: given.id ?? '' } : { ...row, key: text, otherId: given.id };
}

function endOf(schema: GraphSchema, type: string, id: string): EndpointName {
  const node = schema.nodes.get(type);
  return { type, name: node === undefined ? id : idFromExport(node, id) };
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
