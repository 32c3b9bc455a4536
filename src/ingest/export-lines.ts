import { defaultWeight, type Edge } from '../model/edge.js';
import type { Node, NodeId } from '../model/node.js';
import type { Order } from '../model/order.js';
import { type PropsWithProvenance, type Provenance, pruneProvenance } from '../model/provenance.js';
import { cachedGraphSchema } from '../schema/enforce/graph-schema-cache.js';
import type { GraphSchema } from '../schema/graph/graph-schema.js';
import type { Reader } from '../store/reader.js';

const pageSize = 1_000;

/** The next page of an export. */
type ExportCursor = { readonly part: 'nodes' | 'edges'; readonly after: Order | undefined } | undefined;

/** Each page is a read of its own on the same state, so that a slow receiver blocks nobody. */
type ReadState = <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;

interface ExportedPage {
  readonly lines: readonly string[];
  readonly nodes: number;
  readonly edges: number;
}

/** Pages of the lines that ingest takes: nodes first, in creation order. */
export async function* exportLines(read: ReadState): AsyncGenerator<ExportedPage> {
  const source = await read((reader) => reader.schema());
  const schema = source === null ? null : cachedGraphSchema(source);
  for (let cursor: ExportCursor = { part: 'nodes', after: undefined }; cursor !== undefined; ) {
    const at: NonNullable<ExportCursor> = cursor;
    const { page, next } = await read((reader) =>
      at.part === 'nodes' ? nodePage(reader, schema, at.after) : edgePage(reader, schema, at.after),
    );
    cursor = next;
    if (page.lines.length > 0) yield page;
  }
}

async function nodePage(
  reader: Reader,
  schema: GraphSchema | null,
  after: Order | undefined,
): Promise<{ page: ExportedPage; next: ExportCursor }> {
  const nodes = await reader.nodes({ limit: pageSize, after });
  const texts = new Map<NodeId, string[]>();
  for (const { node, text } of await reader.observationsOf(nodes.map(({ id }) => id))) {
    texts.set(node, [...(texts.get(node) ?? []), text]);
  }
  const last = nodes.at(-1);
  return {
    page: {
      lines: nodes.map((node) => formatNodeLine(node, texts.get(node.id) ?? [], schema)),
      ...{ nodes: nodes.length, edges: 0 },
    },
    next: last === undefined ? { part: 'edges', after: undefined } : { part: 'nodes', after: last.order },
  };
}

async function edgePage(
  reader: Reader,
  schema: GraphSchema | null,
  after: Order | undefined,
): Promise<{ page: ExportedPage; next: ExportCursor }> {
  const edges = await reader.edges({ limit: pageSize, after });
  const types = schema === null ? await ambiguousEndpointTypes(reader, edges) : new Map<NodeId, string>();
  const last = edges.at(-1);
  return {
    page: { lines: edges.map((edge) => formatEdgeLine(edge, types)), nodes: 0, edges: edges.length },
    next: last === undefined ? undefined : { part: 'edges', after: last.order },
  };
}

/** Without the id if the type has a key. */
function formatNodeLine(node: Node, observations: readonly string[], schema: GraphSchema | null): string {
  const { type, name, props, summary, tags } = node;
  const key = schema?.nodes.get(type)?.key ?? null;
  return JSON.stringify({
    type,
    ...(key === null ? { id: name } : {}),
    data: props,
    ...(summary === null ? {} : { summary }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(observations.length === 0 ? {} : { observations }),
    ...provenanceMember(node),
  });
}

/** The types of endpoints whose names are not unique. */
async function ambiguousEndpointTypes(
  reader: Reader,
  edges: readonly Edge[],
): Promise<ReadonlyMap<NodeId, string>> {
  const names = [...new Set(edges.flatMap(({ fromName, toName }) => [fromName, toName]))];
  const nodes = (await reader.nodesNamed(names)).filter((node) => !node.stub);
  const counts = new Map<string, number>();
  for (const { name } of nodes) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(nodes.flatMap(({ id, name, type }) => ((counts.get(name) ?? 0) > 1 ? [[id, type]] : [])));
}

function formatEdgeLine(edge: Edge, types: ReadonlyMap<NodeId, string>): string {
  const { type, fromName, toName, key, weight, props } = edge;
  const [fromType, toType] = [types.get(edge.from), types.get(edge.to)];
  return JSON.stringify({
    ...{ edge: type, from: fromName, to: toName },
    ...(fromType === undefined ? {} : { from_type: fromType }),
    ...(toType === undefined ? {} : { to_type: toType }),
    ...(key === '' ? {} : { key }),
    ...(weight === defaultWeight ? {} : { weight }),
    data: props,
    ...provenanceMember(edge),
  });
}

function provenanceMember(thing: PropsWithProvenance): { provenance?: Provenance } {
  const provenance = pruneProvenance(thing);
  return provenance === null ? {} : { provenance };
}
