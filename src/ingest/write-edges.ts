import { iterateChunks, lookUpAhead } from '../bounds/chunks.js';
import { TimeSlice } from '../bounds/time-slice.js';
import { defaultWeight, type Edge, edgeKey } from '../model/edge.js';
import { equalJson } from '../model/json.js';
import type { Node, NodeId } from '../model/node.js';
import { patchProps } from '../model/patch-props.js';
import type { ProgressListener } from '../model/progress.js';
import type { EdgeDraft } from '../store/drafts.js';
import type { Writer } from '../store/writer.js';
import { type BatchEdge, type EndpointName, type IngestBatch, refuseParallel } from './ingest-batch.js';
import type { IngestMode } from './ingest-mode.js';
import { lineError } from './line-error.js';
import { ingestChunkSize, NodeIds, resolveProvenance } from './write-nodes.js';

/** Returns the keys of the edges, if the mode is overwrite. */
export async function writeEdges(
  rows: Writer,
  batch: IngestBatch,
  nodes: NodeIds,
  mode: IngestMode,
  progress?: ProgressListener,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  const written = new Map<string, BatchEdge>();
  const slice = new TimeSlice();
  const chunks = iterateChunks(batch.edges, ingestChunkSize);
  // Writing a chunk changes nothing that is looked up for the next one: its edges are others.
  for await (const [chunk, { drafts, there }] of lookUpAhead(chunks, (some) => lookUp(rows, nodes, some))) {
    const put: EdgeDraft[] = [];
    for (const [index, edge] of chunk.entries()) {
      const draft = drafts[index] as EdgeDraft;
      const key = edgeKey(draft);
      // Lines with and without endpoint types may turn out to mean one edge.
      const earlier = written.get(key);
      if (earlier !== undefined) {
        refuseParallel(earlier, { ...edge, key: '' });
        continue;
      }
      if (batch.mayRepeatEdges) written.set(key, edge);
      if (mode === 'overwrite') keys.add(key);
      const old = there.get(key);
      if (old !== undefined && mode === 'append') throw edgeExistsError(edge);
      const wanted = mergeEdge(old, draft, edge, mode);
      batch.refuseStampCollision(edge, wanted.provenance ?? null);
      if (old === undefined || !isSame(old, wanted)) put.push(wanted);
    }
    await rows.putEdges(put);
    await rows.settle();
    progress?.advance(chunk.length);
    if (slice.isOver) await slice.yieldToOthers();
  }
  return keys;
}

async function lookUp(rows: Writer, nodes: NodeIds, edges: readonly BatchEdge[]) {
  const ends = await EndpointIndex.of(rows, nodes, edges);
  const drafts = edges.map((edge) => draftOf(edge, ends));
  const known = await rows.edgesByIdentity(drafts);
  return { drafts, there: new Map(known.map((edge) => [edgeKey(edge), edge])) };
}

function mergeEdge(
  old: Edge | undefined,
  draft: EdgeDraft,
  { props, weight, provenance }: BatchEdge,
  mode: IngestMode,
): EdgeDraft {
  if (old === undefined) return provenance === undefined ? draft : { ...draft, provenance };
  const wanted: EdgeDraft =
    mode === 'overwrite'
      ? { ...draft, order: old.order, createdAt: old.createdAt }
      : { ...old, props: patchProps(old.props, props), weight: weight ?? old.weight };
  return { ...wanted, provenance: resolveProvenance(old, wanted.props ?? {}, provenance, mode) };
}

function isSame(old: Edge, { props = {}, weight = defaultWeight, provenance = null }: EdgeDraft): boolean {
  return equalJson([old.props, old.weight, old.provenance], [props, weight, provenance]);
}

function draftOf({ line, type, from, to, key, weight, props }: BatchEdge, ends: EndpointIndex): EdgeDraft {
  const draft: EdgeDraft = {
    from: ends.of(line, from, 'from'),
    to: ends.of(line, to, 'to'),
    type,
    key,
    fromName: from.name,
    toName: to.name,
    props: patchProps({}, props),
  };
  return weight === undefined ? draft : { ...draft, weight };
}

/** The endpoints of edges: nodes of the batch and existing nodes. */
class EndpointIndex {
  readonly #batch: NodeIds;
  readonly #typed = new NodeIds({ maxNames: Number.POSITIVE_INFINITY });
  readonly #named = new Map<string, Set<NodeId>>();

  private constructor(batch: NodeIds) {
    this.#batch = batch;
  }

  static async of(rows: Writer, ids: NodeIds, edges: readonly BatchEdge[]): Promise<EndpointIndex> {
    const ends = new EndpointIndex(ids);
    const unknown = new Set<string>();
    const note = ({ type, name }: EndpointName) => {
      if (type === undefined || ids.get(type, name) === undefined) unknown.add(name);
    };
    for (const { from, to } of edges) {
      note(from);
      note(to);
    }
    for (const node of await rows.nodesNamed([...unknown])) ends.#add(node);
    return ends;
  }

  #add({ id, type, name, stub }: Node): void {
    if (stub) return;
    this.#typed.add(type, name, id);
    this.#named.set(name, (this.#named.get(name) ?? new Set()).add(id));
  }

  of(line: number, { type, name }: EndpointName, which: 'from' | 'to'): NodeId {
    if (type !== undefined) {
      const id = this.#batch.get(type, name) ?? this.#typed.get(type, name);
      if (id !== undefined) return id;
      throw endpointMissingError(line, which, `${type} ${JSON.stringify(name)}`);
    }
    const [id, ...others] = this.#named.get(name) ?? [];
    if (id === undefined) throw endpointMissingError(line, which, `node ${JSON.stringify(name)}`);
    if (others.length === 0) return id;
    throw lineError(
      line,
      `several nodes are named ${JSON.stringify(name)} (${which}).`,
      `Choose one with ${which}_type.`,
      'AMBIGUOUS_NAME',
    );
  }
}

function endpointMissingError(line: number, which: 'from' | 'to', what: string): Error {
  return lineError(
    line,
    `there is no ${what} (${which}), in the batch or in the graph.`,
    'Add a line for it, or correct the id. Ids are case-sensitive.',
    'ENDPOINT_NOT_FOUND',
  );
}

function edgeExistsError({ line, type, from, to }: BatchEdge): Error {
  return lineError(
    line,
    `${type} ${from.name} -> ${to.name} already exists.`,
    'Use the mode merge to change it, or remove the line.',
    'EDGE_EXISTS',
  );
}
