import { Graph } from '../../engine/graph.js';
import type { BranchChange } from '../../engine/graph-events.js';
import { graphNotFound, mainBranch } from '../../model/graph-record.js';
import { graphNames } from '../../store/graph-names.js';
import type { Store } from '../../store/store-contract.js';
import { branchNotVisible } from './endpoint-errors.js';

export interface OpenGraphsOptions {
  readonly store: Store;
  readonly report: (error: unknown) => void;
  readonly committed: (graph: string) => void;
  readonly branchDeleted: (graph: string, branch: string) => void;
}

/** Surfaces share open branches, so that a write through one is announced on the others. */
export class OpenGraphs {
  readonly #options: OpenGraphsOptions;
  /** By graph, then by branch. */
  readonly #open = new Map<string, Map<string, Graph>>();

  constructor(options: OpenGraphsOptions) {
    this.#options = options;
  }

  async branch(name: string, branch: string): Promise<Graph> {
    const known = this.#known(name, branch);
    if (known !== undefined) return known;
    await this.#check(name, branch);
    // Another request may have opened it meanwhile.
    const faster = this.#known(name, branch);
    if (faster !== undefined) return faster;
    const { store, report, committed } = this.#options;
    const graph = new Graph(store, name, {
      branch,
      report,
      onOtherBranchCommit: (commit) => this.#known(name, commit.branch)?.events.emitAfter([], commit),
      onBranchChange: (change) => this.#branchesChanged(name, change),
    });
    graph.events.onCommit(() => committed(name));
    const branches = this.#open.get(name) ?? new Map<string, Graph>();
    this.#open.set(name, branches.set(branch, graph));
    return graph;
  }

  forget(name: string, branch?: string): void {
    if (branch === undefined) this.#open.delete(name);
    else this.#open.get(name)?.delete(branch);
  }

  async deleted(name: string): Promise<string[]> {
    const open = [...(this.#open.get(name)?.keys() ?? [])];
    if (open.every((branch) => branch === mainBranch)) return [];
    const there = new Set((await this.#options.store.branches(name)).map((branch) => branch.name));
    return open.filter((branch) => !there.has(branch));
  }

  #branchesChanged(name: string, change: BranchChange): void {
    for (const graph of this.#open.get(name)?.values() ?? []) graph.events.emitBranchChange(change);
    if (change.kind === 'deleted') this.#options.branchDeleted(name, change.branch);
  }

  async has(name: string): Promise<boolean> {
    return this.#open.has(name) || (await graphNames(this.#options.store)).includes(name);
  }

  async hasBranch(name: string, branch: string): Promise<boolean> {
    if (branch === mainBranch || this.#known(name, branch) !== undefined) return true;
    return (await this.#options.store.branches(name)).some((known) => known.name === branch);
  }

  #known(name: string, branch: string): Graph | undefined {
    return this.#open.get(name)?.get(branch);
  }

  async #check(name: string, branch: string): Promise<void> {
    if (!(await this.has(name))) throw graphNotFound(name);
    if (!(await this.hasBranch(name, branch))) throw branchNotVisible(branch);
  }
}
