import { randomUUID } from 'node:crypto';
import { retry } from '../../bounds/retry.js';
import { databaseUnavailable } from '../../cypher/cypher-access.js';
import {
  type CypherAccess,
  type CypherConnection,
  CypherError,
  isRepeatable,
} from '../../cypher/cypher-connection.js';
import type { KeyConstraint } from '../../cypher/cypher-dialect.js';
import { TrellisError } from '../../model/error.js';
import { RejectedError } from '../check/rejected-error.js';
import type { GateTarget, GateTransaction } from '../gate-target.js';
import { AlreadyWritten, ChangedMeanwhile, CypherTransaction } from './cypher-transaction.js';

/** As long as the official driver tries. */
const retryMs = 30_000;
/** A constraint that two writes met at once lets one of them find the other's node next time. */
const maxConstraintFailures = 5;

/** A graph database as the target of a gate. */
export class CypherTarget implements GateTarget {
  readonly #access: CypherAccess;

  readonly #onNewNode: ((key: KeyConstraint) => void) | undefined;

  /** `onNewNode` is called with the label and the keys of each node that a call creates. */
  constructor(access: CypherAccess, onNewNode?: (key: KeyConstraint) => void) {
    this.#access = access;
    this.#onNewNode = onNewNode;
  }

  async write<T>(work: (transaction: GateTransaction) => Promise<T>): Promise<{ result: T; commit: null }> {
    const call = new RepeatedCall(work);
    let constraintFailures = 0;
    const isTransient = (error: unknown) => {
      if (error instanceof CypherError && error.failure === 'constraint')
        return ++constraintFailures < maxConstraintFailures;
      return error instanceof ChangedMeanwhile || isRepeatable(error);
    };
    try {
      const result = await retry(() => this.#access.use((connection) => call.attempt(connection)), {
        isTransient,
        delayMs: 10,
        maxDelayMs: 1_000,
        forMs: retryMs,
      });
      for (const key of call.newKeys) this.#onNewNode?.(key);
      return { result, commit: null };
    } catch (error) {
      throw toWriteError(this.#access.name, error);
    }
  }
}

/** One call, whatever number of attempts it takes. */
class RepeatedCall<T> {
  readonly #work: (transaction: GateTransaction) => Promise<T>;
  readonly #id = randomUUID();
  #last: { readonly result: T } | undefined;
  newKeys: readonly KeyConstraint[] = [];

  constructor(work: (transaction: GateTransaction) => Promise<T>) {
    this.#work = work;
  }

  async attempt(connection: CypherConnection): Promise<T> {
    const transaction = new CypherTransaction((query) => connection.run(query), connection.dialect, this.#id);
    try {
      const result = await this.#work(transaction);
      this.#last = { result };
      await transaction.flush(connection);
      this.newKeys = transaction.newKeys;
      return result;
    } catch (error) {
      if (error instanceof AlreadyWritten && this.#last !== undefined) return this.#last.result;
      throw error;
    }
  }
}

function toWriteError(name: string, error: unknown): unknown {
  if (error instanceof ChangedMeanwhile)
    return new TrellisError(
      'STORE_BUSY',
      `Others kept changing the same nodes at ${name}; nothing was written.`,
      {
        hint: 'Try again later.',
      },
    );
  if (error instanceof CypherError && (error.failure === 'constraint' || error.failure === 'refused'))
    return new RejectedError(
      'SCHEMA_VIOLATION',
      `The graph database refused the write: ${error.message}`,
      'Nothing was written. Change the values it names.',
      { reason: error.message },
      'The graph database refused the write.',
    );
  return databaseUnavailable(name, error);
}
