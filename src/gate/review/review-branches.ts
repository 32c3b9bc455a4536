import type { Transaction, WritableGraph } from '../../engine/graph.js';
import type { BranchSummary } from '../../engine/history/branches.js';
import { TrellisError } from '../../model/error.js';
import type { Branch } from '../../model/graph-record.js';
import type { GateTransaction, HeldWrite, ReviewBranches } from '../gate-target.js';

/** A graph whose branches can be listed and created. */
export interface BranchedGraph {
  readonly branch: string;
  on(branch: string): WritableGraph;
  branches(): Promise<readonly Pick<BranchSummary, 'name' | 'head'>[]>;
  createBranch(name: string, from: string): Promise<Branch>;
  /** Unless somebody has used it since. */
  discardBranch(made: Branch): Promise<unknown>;
}

/** Others may delete the branch at any time. */
const maxAttempts = 5;

export class EngineReviewBranches implements ReviewBranches {
  readonly #graph: BranchedGraph;
  readonly #transaction: (tx: Transaction) => GateTransaction;

  constructor(graph: BranchedGraph, transaction: (tx: Transaction) => GateTransaction) {
    this.#graph = graph;
    this.#transaction = transaction;
  }

  get current(): string {
    return this.#graph.branch;
  }

  async write<T>(branch: string, work: (transaction: GateTransaction) => Promise<T>): Promise<HeldWrite<T>> {
    for (let attempt = 1; ; attempt++) {
      const { head, made } = await this.#ensure(branch);
      try {
        return await this.#write(branch, head, work);
      } catch (error) {
        if (made !== undefined) await this.#graph.discardBranch(made);
        if (!hasCode(error, 'BRANCH_NOT_FOUND') || attempt === maxAttempts) throw error;
      }
    }
  }

  async #write<T>(
    branch: string,
    head: string | null,
    work: (transaction: GateTransaction) => Promise<T>,
  ): Promise<HeldWrite<T>> {
    const { result, commit } = await this.#graph.on(branch).commit(async (tx) => ({
      isBehind: head !== null && !(await tx.rows.hasCommit(head)),
      result: await work(this.#transaction(tx)),
    }));
    return { ...result, commit: commit?.id ?? null };
  }

  /** The head of the current branch, and the branch if it had to be created. */
  async #ensure(branch: string): Promise<{ readonly head: string | null; readonly made?: Branch }> {
    const branches = await this.#graph.branches();
    const head = branches.find(({ name }) => name === this.current)?.head ?? null;
    if (branches.some(({ name }) => name === branch)) return { head };
    try {
      return { head, made: await this.#graph.createBranch(branch, this.current) };
    } catch (error) {
      if (hasCode(error, 'BRANCH_EXISTS')) return { head };
      throw error;
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof TrellisError && error.code === code;
}
