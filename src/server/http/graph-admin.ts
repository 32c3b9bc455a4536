import type { AccessControl, MentionedNames } from '../../access/access-control.js';
import type { Actor } from '../../access/actor.js';
import { type Action, actions, atLeastOne } from '../../access/permission.js';
import type { Decision } from '../../access/policy/access-request.js';
import { TrellisError } from '../../model/error.js';
import { checkGraphOrBranchName } from '../../model/graph-or-branch-name.js';
import { type GraphRecord, graphNotFound, mainBranch } from '../../model/graph-record.js';
import type { Store } from '../../store/store-contract.js';
import type { RequestOrigin } from '../../surfaces/request-context.js';
import type { DenialLog } from './denial-log.js';

export interface GraphAdminOptions {
  readonly store: Store;
  readonly access: AccessControl;
  readonly denials: DenialLog;
  /** Called when this name no longer leads to the graph. */
  readonly changed: (graph: string) => Promise<void>;
  readonly listChanged?: () => Promise<void>;
}

interface ExplainedAccess {
  readonly actor: Actor;
  readonly branch: string;
}

interface AccessReport {
  /** Without one, everybody is the local user and may do everything. */
  readonly hasPolicy: boolean;
  readonly decisions: readonly (Decision & { readonly action: Action })[];
  readonly mentioned: MentionedNames;
}

export class GraphAdmin {
  readonly #options: GraphAdminOptions;

  constructor(options: GraphAdminOptions) {
    this.#options = options;
  }

  async create(origin: RequestOrigin, name: string): Promise<GraphRecord> {
    checkGraphOrBranchName(name, 'The name of a graph');
    // Before the store is read: who may not create graphs must not learn which exist.
    this.#require(origin, name);
    const created = await this.#options.store.createGraph(name);
    await this.#options.listChanged?.();
    return created;
  }

  /** Needs the permission on both names. */
  async rename(origin: RequestOrigin, graph: string, to: string): Promise<GraphRecord> {
    checkGraphOrBranchName(to, 'The name of a graph');
    await this.#requireOn(origin, graph);
    this.#require(origin, to);
    const renamed = await this.#options.store.renameGraph(graph, to);
    await this.#options.changed(graph);
    await this.#options.listChanged?.();
    return renamed;
  }

  async remove(origin: RequestOrigin, graph: string, confirm: string | undefined): Promise<void> {
    await this.#requireOn(origin, graph);
    if (confirm !== graph)
      throw new TrellisError(
        'CONFIRMATION_NEEDED',
        'Deleting a graph deletes all its data and history, and cannot be undone.',
        { hint: `Repeat its name to confirm: ?confirm=${encodeURIComponent(graph)}` },
      );
    await this.#options.store.deleteGraph(graph);
    await this.#options.changed(graph);
    await this.#options.listChanged?.();
  }

  /** What an actor may do on a branch, and by which rule. */
  async explain(
    origin: RequestOrigin,
    graph: string,
    { actor, branch }: ExplainedAccess,
  ): Promise<AccessReport> {
    await this.#requireOn(origin, graph);
    const { access } = this.#options;
    return {
      hasPolicy: access.required,
      decisions: actions.map((action) => ({
        action,
        ...access.decide(actor, { action, graph, branch, query: atLeastOne }),
      })),
      mentioned: access.mentioned(graph),
    };
  }

  /** Clients can make up names, so the policy is consulted only about existing graphs. */
  async #requireOn(origin: RequestOrigin, graph: string): Promise<void> {
    const { store, access, denials } = this.#options;
    const scope = { graph, branch: mainBranch };
    if (!(await store.graphs()).some(({ name }) => name === graph)) {
      denials.scopeNotFound(origin, scope, 'graph');
      throw graphNotFound(graph);
    }
    if (!access.canSee(origin.actor, graph)) {
      denials.scopeDenied(origin, scope);
      throw graphNotFound(graph);
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
