import { type IngestEdgeLine, type IngestNodeLine, parseIngestLine } from '../ingest/parse-ingest-line.js';
import { readIngestLines } from '../ingest/read-ingest-lines.js';
import { defaultWeight } from '../model/edge.js';
import { keyText } from '../model/key-text.js';
import { type NodeId, stubType } from '../model/node.js';
import { type ExportedEdge, type ExportedNode, type ExportSource, memorySource } from './export-source.js';

/** The properties that name the nodes of a type, if the graph schema says so. */
type KeyOf = (type: string) => Promise<readonly string[] | null>;

/** A graph from the lines that a server exports: nodes first, edges to anything else lead to stubs. */
export async function readExportedLines(
  chunks: AsyncIterable<Uint8Array>,
  keyOf: KeyOf,
): Promise<ExportSource> {
  const nodes: ExportedNode[] = [];
  const stubs: ExportedNode[] = [];
  const edges: ExportedEdge[] = [];
  const ids = new Map<string, NodeId>();
  const endOf = (name: string, type: string | undefined): NodeId => {
    const known = ids.get(endKey(name, type));
    if (known !== undefined) return known;
    const stub = { ...emptyNode, id: nodes.length + stubs.length + 1, name };
    stubs.push(stub);
    ids.set(endKey(name), stub.id);
    return stub.id;
  };
  for await (const numbered of readIngestLines(chunks, Number.POSITIVE_INFINITY)) {
    const line = parseIngestLine(numbered);
    if (line.kind === 'node') {
      const node = toNode(
        line,
        nodes.length + 1,
        line.id ?? keyText((await keyOf(line.type)) ?? ['name'], line.data),
      );
      nodes.push(node);
      ids.set(endKey(node.name), node.id);
      ids.set(endKey(node.name, node.type), node.id);
    } else edges.push(toEdge(line, endOf(line.from, line.fromType), endOf(line.to, line.toType)));
  }
  return memorySource(nodes, stubs, edges);
}

const emptyNode = { type: stubType, summary: null, tags: [], props: {}, provenance: null, observations: [] };

function endKey(name: string, type?: string): string {
  return JSON.stringify([name, type]);
}

function toNode(line: IngestNodeLine, id: NodeId, name: string): ExportedNode {
  const { type, data: props, summary = null, tags = [], observations = [], provenance = null } = line;
  return { id, name, type, props, summary, tags, observations, provenance };
}

function toEdge(line: IngestEdgeLine, from: NodeId, to: NodeId): ExportedEdge {
  const { type, key = '', weight = defaultWeight, data: props, provenance = null } = line;
  return { from, to, fromName: line.from, toName: line.to, type, key, weight, props, provenance };
}
