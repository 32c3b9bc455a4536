import type { NodeId } from '../../../model/node.js';
import { isRegistryNode, registryProtected, registryType } from '../../../model/registry-node.js';
import type { NodeDraft } from '../../drafts.js';
import type { RegistryAccess } from '../../graph-targets.js';
import { and, sql } from '../sql.js';
import type { VisibleRows } from '../visible-rows.js';

/** Protects the gate's registry from writers who may not change it; a graph with a schema has none. */
export class RegistryWriteCheck {
  readonly #rows: VisibleRows;
  readonly #access: RegistryAccess | undefined;

  constructor(rows: VisibleRows, access: RegistryAccess | undefined) {
    this.#rows = rows;
    this.#access = typeof rows.lineage.schemaSeq === 'number' ? undefined : access;
  }

  check(nodes: readonly Pick<NodeDraft, 'type' | 'name' | 'props'>[]): void {
    if (this.#access?.mayChange === undefined) return;
    const entry = nodes.find(isRegistryNode);
    if (entry !== undefined && !this.#access.mayChange()) throw registryProtected(entry.name);
  }

  /** For nodes whose observations change; who does not see the registry cannot mean it. */
  async checkObserved(observed: readonly { readonly node: NodeId }[]): Promise<void> {
    if (this.#access?.mayChange === undefined || this.#access.hidden === true) return;
    const ids = [...new Set(observed.map(({ node }) => node))];
    if (ids.length === 0) return;
    const ofType = sql`r.type = ${registryType}`;
    this.check(
      await this.#rows.selectNodes(and([this.#rows.dialect.inList('r.node', 'integer', ids), ofType])),
    );
  }
}
