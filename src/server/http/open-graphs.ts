import { Graph } from '../../engine/graph.js';
import { graphNotFound, mainBranch } from '../../model/graph-record.js';
import { graphNames } from '../../store/graph-names.js';
import type { Store } from '../../store/store-contract.js';
import { branchNotVisible } from './endpoint-errors.js';

export interface OpenGraphsOptions {
  readonly store: Store;
  readonly report: (error: unknown) => void;
  readonly committed: (graph: string) => void;
  /** Called when a graph, or a branch of it, is no longer there, whichever process removed it. */
  readonly gone: (graph: string, branch?: string) => void;
}

/** Surfaces share open branches, so that a write through one is announced on the others. */
export class OpenGraphs {
  readonly #options: OpenGraphsOptions;
  /** By graph, then by branch. */
  readonly #open = new Map<string, Map<string, Graph>>();
  readonly #watches = new Map<string, Promise<() => void>>();

  constructor(options: OpenGraphsOptions) {
    this.#options = options;
  }

  async branch(name: string, branch: string): Promise<Graph> {
    const known = this.#known(name, branch);
    if (known !== undefined) return known;
    await this.#check(name, branch);
    await this.#watch(name);
    // Another request may have opened it meanwhile.
    const faster = this.#known(name, branch);
    if (faster !== undefined) return faster;
    const { store, report, committed } = this.#options;
    const graph = new Graph(store, name, {
      branch,
      report,
      onOtherBranchCommit: (commit) => this.#known(name, commit.branch)?.events.emitAfter([], commit),
    });
    graph.events.onCommit(() => committed(name));
    const branches = this.#open.get(name) ?? new Map<string, Graph>();
    this.#open.set(name, branches.set(branch, graph));
    return graph;
  }

  forget(name: string, branch?: string): void {
    if (branch !== undefined) this.#open.get(name)?.delete(branch);
    else {
      this.#open.delete(name);
      this.#unwatch(name);
    }
  }

  close(): void {
    for (const name of [...this.#watches.keys()]) this.#unwatch(name);
  }

  async has(name: string): Promise<boolean> {
    return this.#open.has(name) || (await graphNames(this.#options.store)).includes(name);
  }

  async hasBranch(name: string, branch: string): Promise<boolean> {
    if (branch === mainBranch || this.#known(name, branch) !== undefined) return true;
    return (await this.#options.store.branches(name)).some((known) => known.name === branch);
  }

  async #watch(name: string): Promise<void> {
    const known = this.#watches.get(name);
    const watching =
      known ??
      this.#options.store.watch(name, (change) => {
        if (change.kind === 'gone') this.#options.gone(name);
        if (change.kind === 'branch-deleted') this.#options.gone(name, change.branch);
      });
    this.#watches.set(name, watching);
    try {
      await watching;
    } catch (error) {
      this.#watches.delete(name);
      throw error;
    }
  }

  #unwatch(name: string): void {
    this.#watches
      .get(name)
      ?.then((stop) => stop())
      .catch(() => {});
    this.#watches.delete(name);
  }

  #known(name: string, branch: string): Graph | undefined {
    return this.#open.get(name)?.get(branch);
  }

  async #check(name: string, branch: string): Promise<void> {
    if (!(await this.has(name))) throw graphNotFound(name);
    if (!(await this.hasBranch(name, branch))) throw branchNotVisible(branch);
  }
}
