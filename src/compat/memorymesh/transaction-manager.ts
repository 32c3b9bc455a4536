import { reasonOf, TrellisError } from '../../model/error.js';
import { warnOnStderr } from '../../store/store-options.js';

/** Undoes a step; the description names it if it fails. */
export interface RollbackAction {
  readonly action: () => Promise<void>;
  readonly description: string;
}

/** Each step registers how to undo it; a rollback does that, the last step first. */
export class TransactionManager {
  #inTransaction = false;
  #rollbackActions: RollbackAction[] = [];

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

  /** Reports a rollback action that fails, and runs the others nevertheless. */
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

  withTransaction<T>(operation: () => Promise<T>): Promise<T> {
    return runInTransaction(this, operation);
  }

  isInTransaction(): boolean {
    return this.#inTransaction;
  }

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

interface Transactional {
  beginTransaction(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Runs the operation; commits if it succeeds, else rolls back and throws what it threw. */
export async function runInTransaction<T>(on: Transactional, operation: () => Promise<T>): Promise<T> {
  await on.beginTransaction();
  let result: T;
  try {
    result = await operation();
  } catch (error) {
    await on.rollback();
    throw error;
  }
  await on.commit();
  return result;
}
