import { type EdgeIdentity, edgeKey } from '../../model/edge.js';
import type { Node, NodeId } from '../../model/node.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft, NodeDraft } from '../../store/drafts.js';
import type { WriteValidator } from '../../store/write-validator.js';
import type { RowReader } from '../../store/writer.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import { cardinalityViolations } from './cardinality-violations.js';
import { dropStaleVectors } from './drop-stale-vectors.js';
import { endpointViolations } from './endpoint-violations.js';
import { missingEndpointViolations } from './missing-endpoint-violations.js';
import { uniqueEdgeViolations } from './unique-edge-violations.js';
import { uniqueNodeViolations } from './unique-node-violations.js';
import { validateEdge } from './validate-edge.js';
import { validateNode } from './validate-node.js';
import type { PutEdge, PutNode, WrittenRows } from './written-rows.js';

/** Holds one write against a schema: each row as it is put, and at the end what only the whole can say. */
export class GraphSchemaValidator implements WriteValidator {
  readonly #schema: GraphSchema;
  readonly #nodes = new Map<NodeId, PutNode>();
  readonly #edges = new Map<string, PutEdge>();
  readonly #gone = new Set<NodeId>();
  /** Nodes that edges of a type no longer lead away from. */
  readonly #left = new Map<string, Set<NodeId>>();
  /** What was found last; undefined once something was written since. */
  #found: readonly Violation[] | undefined;

  constructor(schema: GraphSchema) {
    this.#schema = schema;
  }

  prepareNodes(drafts: readonly NodeDraft[], before: readonly Node[]): readonly NodeDraft[] {
    this.#found = undefined;
    const older = new Map(before.filter(({ stub }) => !stub).map((node) => [node.id, node]));
    return drafts.map((given) => {
      const fitting = validateNode(this.#schema, given);
      const { violations } = fitting;
      const type = this.#schema.nodes.get(given.type);
      const draft =
        type === undefined ? fitting.draft : dropStaleVectors(type, fitting.draft, older.get(given.id));
      // A node that this write has put before is as new as it was then.
      const earlier = this.#nodes.get(draft.id);
      const old = earlier === undefined ? older.get(draft.id) : earlier.old;
      this.#nodes.set(draft.id, { draft, violations, old });
      this.#gone.delete(draft.id);
      return draft;
    });
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
      this.#gone.add(id);
    }
  }

  edgesRemoved(edges: readonly EdgeIdentity[]): void {
    this.#found = undefined;
    for (const edge of edges) {
      this.#edges.delete(edgeKey(edge));
      const left = this.#left.get(edge.type) ?? new Set();
      this.#left.set(edge.type, left.add(edge.from));
    }
  }

  async violations(reader: RowReader): Promise<readonly Violation[]> {
    this.#found ??= await this.#look(reader);
    return this.#found;
  }

  async #look(reader: RowReader): Promise<readonly Violation[]> {
    const rows: WrittenRows = {
      schema: this.#schema,
      nodes: this.#nodes,
      edges: this.#edges,
      removedNodes: this.#gone,
      removedEdgeSources: this.#left,
    };
    const found = [...this.#nodes.values(), ...this.#edges.values()].flatMap(({ violations }) => violations);
    // What is wrong with a row by itself makes what follows hard to judge, and is to be mended first.
    if (found.length > 0) return [...found, ...missingEndpointViolations(rows)];
    const missing = missingEndpointViolations(rows);
    if (missing.length > 0) return missing;
    return [
      ...(await endpointViolations(rows, reader)),
      ...(await uniqueNodeViolations(rows, reader)),
      ...(await uniqueEdgeViolations(rows, reader)),
      ...(await cardinalityViolations(rows, reader)),
    ];
  }
}
