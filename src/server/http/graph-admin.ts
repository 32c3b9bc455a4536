import type { Access } from '../../access/access.js';
import type { Actor } from '../../access/actor.js';
import { TrellisError } from '../../model/error.js';
import { type GraphRecord, mainBranch } from '../../model/graph.js';
import { checkPlaceName } from '../../model/place-name.js';
import type { Store } from '../../store/store.js';
import { graphNotFound } from './refusals.js';

export interface GraphAdminOptions {
  readonly store: Store;
  readonly access: Access;
  /** Told of a graph that nobody reaches by this name any more. */
  readonly changed: (graph: string) => Promise<void>;
}

/** Makes, renames and deletes graphs, for those who may. */
export class GraphAdmin {
  readonly #options: GraphAdminOptions;

  constructor(options: GraphAdminOptions) {
    this.#options = options;
  }

  async create(actor: Actor, name: string): Promise<GraphRecord> {
    checkPlaceName(name, 'The name of a graph');
    // Before the store is asked: whoever may not make graphs must not learn which there are.
    this.#require(actor, name);
    return this.#options.store.createGraph(name);
  }

  /** The right to a graph under its old name is no right to what bears the new one. */
  async rename(actor: Actor, graph: string, to: string): Promise<GraphRecord> {
    checkPlaceName(to, 'The name of a graph');
    await this.#requireOn(actor, graph);
    this.#require(actor, to);
    const renamed = await this.#options.store.renameGraph(graph, to);
    await this.#options.changed(graph);
    return renamed;
  }

  /** What is deleted cannot be brought back, so its name has to be said twice. */
  async remove(actor: Actor, graph: string, confirm: string | undefined): Promise<void> {
    await this.#requireOn(actor, graph);
    if (confirm !== graph) {
      throw new TrellisError(
        'CONFIRMATION_NEEDED',
        'Deleting a graph takes everything it ever held with it, and cannot be undone.',
        { hint: `Repeat its name to confirm: ?confirm=${encodeURIComponent(graph)}` },
      );
    }
    await this.#options.store.deleteGraph(graph);
    await this.#options.changed(graph);
  }

  /** Names cost a caller nothing to make up, so the policy is asked only about graphs that are there. */
  async #requireOn(actor: Actor, graph: string): Promise<void> {
    const { store, access } = this.#options;
    const exists = (await store.graphs()).some(({ name }) => name === graph);
    if (!exists || !access.sees(actor, graph)) throw graphNotFound(graph);
    this.#require(actor, graph);
  }

  #require(actor: Actor, graph: string): void {
    if (this.#options.access.may(actor, graph, mainBranch)([{ action: 'graph_admin' }])) return;
    throw new TrellisError('FORBIDDEN', 'You may not create, rename or delete graphs here.', {
      hint: 'Ask whoever runs the server for the grant graph_admin; trellis policy explain says what is missing.',
    });
  }
}
