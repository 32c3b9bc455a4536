import type { AccessControl } from '../../access/access-control.js';
import { TrellisError } from '../../model/error.js';
import { checkGraphOrBranchName } from '../../model/graph-or-branch-name.js';
import { type GraphRecord, mainBranch } from '../../model/graph-record.js';
import type { Store } from '../../store/store-contract.js';
import type { RequestOrigin } from '../../surfaces/request-context.js';
import type { DenialLog } from './denial-log.js';
import { graphNotVisible } from './endpoint-errors.js';

export interface GraphAdminOptions {
  readonly store: Store;
  readonly access: AccessControl;
  readonly denials: DenialLog;
  /** Told of a graph that nobody reaches by this name any more. */
  readonly changed: (graph: string) => Promise<void>;
  /** Told when there are other graphs than before. */
  readonly listChanged?: () => Promise<void>;
}

/** Makes, renames and deletes graphs, for those who may. */
export class GraphAdmin {
  readonly #options: GraphAdminOptions;

  constructor(options: GraphAdminOptions) {
    this.#options = options;
  }

  async create(origin: RequestOrigin, name: string): Promise<GraphRecord> {
    checkGraphOrBranchName(name, 'The name of a graph');
    // Before the store is asked: whoever may not make graphs must not learn which there are.
    this.#require(origin, name);
    const created = await this.#options.store.createGraph(name);
    await this.#options.listChanged?.();
    return created;
  }

  /** The right to a graph under its old name is no right to what bears the new one. */
  async rename(origin: RequestOrigin, graph: string, to: string): Promise<GraphRecord> {
    checkGraphOrBranchName(to, 'The name of a graph');
    await this.#requireOn(origin, graph);
    this.#require(origin, to);
    const renamed = await this.#options.store.renameGraph(graph, to);
    await this.#options.changed(graph);
    await this.#options.listChanged?.();
    return renamed;
  }

  /** What is deleted cannot be brought back, so its name has to be said twice. */
  async remove(origin: RequestOrigin, graph: string, confirm: string | undefined): Promise<void> {
    await this.#requireOn(origin, graph);
    if (confirm !== graph) {
      throw new TrellisError(
        'CONFIRMATION_NEEDED',
        'Deleting a graph deletes all its data and history, and cannot be undone.',
        { hint: `Repeat its name to confirm: ?confirm=${encodeURIComponent(graph)}` },
      );
    }
    await this.#options.store.deleteGraph(graph);
    await this.#options.changed(graph);
    await this.#options.listChanged?.();
  }

  /** Names cost a caller nothing to make up, so the policy is asked only about graphs that are there. */
  async #requireOn(origin: RequestOrigin, graph: string): Promise<void> {
    const { store, access, denials } = this.#options;
    const scope = { graph, branch: mainBranch };
    if (!(await store.graphs()).some(({ name }) => name === graph)) {
      denials.scopeNotFound(origin, scope, 'graph');
      throw graphNotVisible(graph);
    }
    if (!access.canSee(origin.actor, graph)) {
      denials.scopeDenied(origin, scope);
      throw graphNotVisible(graph);
    }
    this.#require(origin, graph);
  }

  #require(origin: RequestOrigin, graph: string): void {
    const { access, denials } = this.#options;
    const missingPermissions = [{ action: 'graph_admin' as const }];
    if (access.may(origin.actor, graph, mainBranch)(missingPermissions)) return;
    denials.callDenied(origin, { graph, branch: mainBranch }, { tool: 'graph_admin', missingPermissions });
    throw new TrellisError('FORBIDDEN', 'You may not create, rename or delete graphs here.', {
      hint: 'Ask the operator of the server for the grant graph_admin; trellis policy explain shows what is missing.',
    });
  }
}
