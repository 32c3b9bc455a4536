import { forEachYielding } from '../../bounds/yielding-loops.js';
import { type EdgeIdentity, edgeKey } from '../../model/edge.js';
import type { Node, NodeId } from '../../model/node.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft, NodeDraft } from '../../store/drafts.js';
import type { RowReader } from '../../store/reader.js';
import type { ValidatedNode, WriteValidator } from '../../store/write-validator.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import { cardinalityViolations } from './cardinality-violations.js';
import { dropStaleVectors } from './drop-stale-vectors.js';
import { endpointViolations, missingEndpointViolations } from './endpoint-violations.js';
import { SettledNodes } from './settled-nodes.js';
import { uniqueEdgeViolations } from './unique-edge-violations.js';
import { uniqueNodeViolations } from './unique-node-violations.js';
import { validateEdge } from './validate-edge.js';
import { validateNode } from './validate-node.js';
import type { PutEdge, WrittenRows } from './written-rows.js';

/** Rows that are kept to be validated together before a large write settles them. */
const settleFrom = 2_000;

/** Validates one write: each row as it is put, and at the end what depends on several rows. */
export class GraphSchemaValidator implements WriteValidator {
  readonly #schema: GraphSchema;
  readonly #nodes = new Map<NodeId, ValidatedNode>();
  readonly #edges = new Map<string, PutEdge>();
  readonly #removedNodes = new Set<NodeId>();
  /** By type of edge, the nodes whose outgoing ones have to be counted at the end. */
  readonly #edgeSources = new Map<string, Set<NodeId>>();
  /** The types of nodes that were put, found valid and forgotten, or were there before. */
  readonly #settled = new SettledNodes();
  #canSettle = true;
  /** Undefined after each further write. */
  #found: readonly Violation[] | undefined;

  constructor(schema: GraphSchema) {
    this.#schema = schema;
  }

  prepareNodes(drafts: readonly NodeDraft[], before: readonly Node[]): readonly NodeDraft[] {
    const nodes = this.validateNodes(drafts, before);
    this.nodesPut(nodes);
    return nodes.map(({ draft }) => draft);
  }

  validateNodes(drafts: readonly NodeDraft[], before: readonly Node[]): readonly ValidatedNode[] {
    const older = new Map(before.filter(({ stub }) => !stub).map((node) => [node.id, node]));
    return drafts.map((given) => {
      const { draft: valid, violations } = validateNode(this.#schema, given);
      const type = this.#schema.nodes.get(given.type);
      const old = older.get(given.id);
      return { draft: type === undefined ? valid : dropStaleVectors(type, valid, old), violations, old };
    });
  }

  nodesPut(nodes: readonly ValidatedNode[]): void {
    this.#found = undefined;
    for (const node of nodes) {
      const { id } = node.draft;
      // What a node was before the write, not before this put.
      const earlier = this.#nodes.get(id);
      this.#nodes.set(id, earlier === undefined ? node : { ...node, old: earlier.old });
      this.#settled.delete(id);
      this.#removedNodes.delete(id);
    }
  }

  nodesKnown(types: Iterable<readonly [NodeId, string]>): void {
    for (const [id, type] of types) this.#settled.add(id, type);
  }

  prepareEdges(drafts: readonly EdgeDraft[]): readonly EdgeDraft[] {
    this.#found = undefined;
    return drafts.map((given) => {
      const { draft, violations } = validateEdge(this.#schema, given);
      this.#edges.set(edgeKey(draft), { draft, violations });
      return draft;
    });
  }

  nodesRemoved(ids: readonly NodeId[]): void {
    this.#found = undefined;
    for (const id of ids) {
      this.#nodes.delete(id);
      this.#settled.delete(id);
      this.#removedNodes.add(id);
    }
  }

  edgesRemoved(edges: readonly EdgeIdentity[]): void {
    this.#found = undefined;
    for (const edge of edges) {
      this.#edges.delete(edgeKey(edge));
      this.#countAtEnd(edge.type, edge.from);
    }
  }

  async settle(reader: RowReader): Promise<void> {
    if (!this.#canSettle || this.#nodes.size + this.#edges.size < settleFrom) return;
    // What is wrong now may be right at the end.
    this.#canSettle = (await this.#validate(reader, false)).length === 0;
    if (!this.#canSettle) return;
    for (const [id, { draft, old }] of this.#nodes) {
      for (const { name, from, cardinality } of this.#schema.edges.values())
        if (cardinality.min > 0 && draft.type === from && old?.type !== from) this.#countAtEnd(name, id);
      this.#settled.add(id, draft.type);
    }
    this.#nodes.clear();
    this.#edges.clear();
  }

  #countAtEnd(edgeType: string, source: NodeId): void {
    this.#edgeSources.set(edgeType, (this.#edgeSources.get(edgeType) ?? new Set()).add(source));
  }

  async violations(reader: RowReader): Promise<readonly Violation[]> {
    this.#found ??= await this.#validate(reader, true);
    return this.#found;
  }

  async #validate(reader: RowReader, isComplete: boolean): Promise<readonly Violation[]> {
    const rows: WrittenRows = {
      schema: this.#schema,
      nodes: this.#nodes,
      edges: this.#edges,
      removedNodes: this.#removedNodes,
      settled: this.#settled,
      edgeSources: this.#edgeSources,
      isComplete,
    };
    const found: Violation[] = [];
    await forEachYielding(this.#nodes.values(), ({ violations }) => found.push(...violations));
    await forEachYielding(this.#edges.values(), ({ violations }) => found.push(...violations));
    found.push(...(await missingEndpointViolations(rows)));
    // What depends on several rows can only be judged when each is valid.
    if (found.length > 0) return found;
    return [
      ...(await endpointViolations(rows, reader)),
      ...(await uniqueNodeViolations(rows, reader)),
      ...(await uniqueEdgeViolations(rows, reader)),
      ...(await cardinalityViolations(rows, reader)),
    ];
  }
}
