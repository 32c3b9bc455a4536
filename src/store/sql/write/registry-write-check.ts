import type { NodeId } from '../../../model/node.js';
import { isRegistryNode, registryProtected, registryType } from '../../../model/registry-node.js';
import type { NodeDraft } from '../../drafts.js';
import type { RegistryAccess } from '../../graph-targets.js';
import { and, sql } from '../sql.js';
import type { VisibleRows } from '../visible-rows.js';

/** Keeps a write from changing the gate's registry, if whoever writes may not; on a graph with a schema there is none. */
export class RegistryWriteCheck {
  readonly #rows: VisibleRows;
  readonly #access: RegistryAccess | undefined;

  constructor(rows: VisibleRows, access: RegistryAccess | undefined) {
    this.#rows = rows;
    this.#access = typeof rows.lineage.schemaSeq === 'number' ? undefined : access;
  }

  /** Looks at nodes that are to be put or removed, and at what is there of them. */
  check(nodes: readonly Pick<NodeDraft, 'type' | 'name' | 'props'>[]): void {
    if (this.#access?.mayChange === undefined) return;
    const entry = nodes.find(isRegistryNode);
    if (entry !== undefined && !this.#access.mayChange()) throw registryProtected(entry.name);
  }

  /** Looks at the nodes whose observations are to be changed; whoever does not see the registry cannot mean any of it. */
  async checkObserved(observed: readonly { readonly node: NodeId }[]): Promise<void> {
    if (this.#access?.mayChange === undefined || this.#access.hidden === true) return;
    const ids = [...new Set(observed.map(({ node }) => node))];
    const ofType = sql`r.type = ${registryType}`;
    this.check(await this.#rows.nodes(and([this.#rows.dialect.inList('r.node', 'integer', ids), ofType])));
  }
}
