import { reasonOf, TrellisError } from '../../model/error.js';
import { warnOnStderr } from '../../store/store-options.js';
import { runInTransaction } from './run-in-transaction.js';

/** Something that undoes a step, and what it is called when it fails. */
export interface RollbackAction {
  readonly action: () => Promise<void>;
  readonly description: string;
}

/** Steps that can be taken back (seed 4.6): each registers how, and a rollback runs those, the last first. */
export class TransactionManager {
  #inTransaction = false;
  #rollbackActions: RollbackAction[] = [];

  /** Throws if a transaction is in progress: its rollback actions would be forgotten. */
  async beginTransaction(): Promise<void> {
    if (this.#inTransaction) {
      throw new TrellisError('INVALID_ARGUMENT', 'A transaction is already in progress.', {
        hint: 'Commit it or roll it back first; transactions do not nest.',
      });
    }
    this.#inTransaction = true;
    this.#rollbackActions = [];
  }

  addRollbackAction(action: () => Promise<void>, description: string): void {
    this.requireTransaction();
    this.#rollbackActions.push({ action, description });
  }

  async commit(): Promise<void> {
    this.requireTransaction();
    this.#end();
  }

  /** Runs the rollback actions, the last first. One that fails is reported, and the others are run all the same. */
  async rollback(): Promise<void> {
    this.requireTransaction();
    const actions = this.#end().reverse();
    for (const { action, description } of actions) {
      try {
        await action();
      } catch (error) {
        const reason = reasonOf(error);
        warnOnStderr(`the rollback action ${JSON.stringify(description)} failed: ${reason}`);
      }
    }
  }

  /** Runs the operation; commits if it succeeds, else rolls back and throws what it threw. */
  withTransaction<T>(operation: () => Promise<T>): Promise<T> {
    return runInTransaction(this, operation);
  }

  isInTransaction(): boolean {
    return this.#inTransaction;
  }

  /** Refuses what makes sense only between begin and end. */
  requireTransaction(): void {
    if (this.#inTransaction) return;
    throw new TrellisError('INVALID_ARGUMENT', 'No transaction is in progress.', {
      hint: 'Call beginTransaction first, or use withTransaction.',
    });
  }

  #end(): RollbackAction[] {
    const actions = this.#rollbackActions;
    this.#inTransaction = false;
    this.#rollbackActions = [];
    return actions;
  }
}
