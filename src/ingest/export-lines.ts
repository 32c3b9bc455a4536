import { defaultWeight, type Edge } from '../model/edge.js';
import { TrellisError } from '../model/error.js';
import { groupEntries } from '../model/group-entries.js';
import { didYouMean } from '../model/nearest.js';
import type { Node, NodeId } from '../model/node.js';
import type { Order } from '../model/order.js';
import { type PropsWithProvenance, type Provenance, pruneProvenance } from '../model/provenance.js';
import { listNames } from '../model/quoting.js';
import { cachedGraphSchema } from '../schema/enforce/graph-schema-cache.js';
import type { GraphSchema } from '../schema/graph/graph-schema.js';
import type { Reader } from '../store/reader.js';

const pageSize = 1_000;

/** Each page is a read of its own on the same state, so that a slow receiver blocks nobody. */
type ReadState = <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;

interface ExportedPage {
  readonly lines: readonly string[];
  readonly nodes: number;
  readonly edges: number;
}

export interface ExportOptions {
  /** Whether every node has its id, and an edge with a key an `id`, as other programs write it. */
  readonly ids?: boolean | undefined;
  /** Only nodes and edges of these types. */
  readonly types?: readonly string[] | undefined;
}

interface LineContext extends ExportOptions {
  readonly schema: GraphSchema | null;
}

/** Pages of the lines that ingest takes: nodes first, in creation order. */
export async function* exportLines(
  read: ReadState,
  options: ExportOptions = {},
): AsyncGenerator<ExportedPage> {
  const source = await read((reader) => reader.schema());
  const schema = source === null ? null : cachedGraphSchema(source);
  for (const readPage of [nodePage, edgePage]) {
    for (let after: Order | undefined; ; ) {
      const { last, ...page } = await read((reader) => readPage(reader, { ...options, schema }, after));
      if (last === undefined) break;
      yield page;
      after = last;
    }
  }
}

/** Refuses types that the schema does not have: an export of nothing would look complete. */
export function checkExportedTypes(source: string | null, types: readonly string[]): void {
  if (source === null) return;
  const schema = cachedGraphSchema(source);
  const known = [...schema.nodes.keys(), ...[...schema.edges.values()].map(({ name }) => name)];
  const unknown = types.find((type) => !known.includes(type));
  if (unknown === undefined) return;
  throw new TrellisError(
    'INVALID_ARGUMENT',
    `The schema has no type ${JSON.stringify(unknown)}.${didYouMean(unknown, known)}`,
    { hint: `It has: ${listNames(known)}.` },
  );
}

interface PageWithEnd extends ExportedPage {
  readonly last: Order | undefined;
}

async function nodePage(
  reader: Reader,
  context: LineContext,
  after: Order | undefined,
): Promise<PageWithEnd> {
  const nodes = await reader.nodes({ limit: pageSize, after, types: context.types });
  const observations = await reader.observationsOf(nodes.map(({ id }) => id));
  const texts = groupEntries(observations.map(({ node, text }) => [node, text]));
  const lines = nodes.map((node) => formatNodeLine(node, texts.get(node.id) ?? [], context));
  return { lines, nodes: nodes.length, edges: 0, last: nodes.at(-1)?.order };
}

async function edgePage(
  reader: Reader,
  context: LineContext,
  after: Order | undefined,
): Promise<PageWithEnd> {
  const edges = await reader.edges({ limit: pageSize, after, types: context.types });
  const types =
    context.schema === null ? await ambiguousEndpointTypes(reader, edges) : new Map<NodeId, string>();
  const lines = edges.map((edge) => formatEdgeLine(edge, types, context));
  return { lines, nodes: 0, edges: edges.length, last: edges.at(-1)?.order };
}

/** Without the id if the type has a key, unless ids are asked for. */
function formatNodeLine(
  node: Node,
  observations: readonly string[],
  { schema, ids = false }: LineContext,
): string {
  const { type, name, props, summary, tags } = node;
  const key = schema?.nodes.get(type)?.key ?? null;
  return JSON.stringify({
    type,
    ...(key === null || ids ? { id: name } : {}),
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
  const namesakes = groupEntries(nodes.map((node) => [node.name, node]));
  const ambiguous = [...namesakes.values()].filter(({ length }) => length > 1).flat();
  return new Map(ambiguous.map(({ id, type }) => [id, type]));
}

function formatEdgeLine(
  edge: Edge,
  types: ReadonlyMap<NodeId, string>,
  { ids = false }: LineContext,
): string {
  const { type, fromName, toName, key, weight, props } = edge;
  const [fromType, toType] = [types.get(edge.from), types.get(edge.to)];
  return JSON.stringify({
    edge: type,
    ...(ids && key !== '' ? { id: key } : {}),
    ...{ from: fromName, to: toName },
    ...(fromType === undefined ? {} : { from_type: fromType }),
    ...(toType === undefined ? {} : { to_type: toType }),
    ...(key === '' || ids ? {} : { key }),
    ...(weight === defaultWeight ? {} : { weight }),
    data: props,
    ...provenanceMember(edge),
  });
}

function provenanceMember(thing: PropsWithProvenance): { provenance?: Provenance } {
  const provenance = pruneProvenance(thing);
  return provenance === null ? {} : { provenance };
}
