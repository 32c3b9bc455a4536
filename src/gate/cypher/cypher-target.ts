import { randomUUID } from 'node:crypto';
import { retry } from '../../bounds/retry.js';
import { databaseUnavailable } from '../../cypher/cypher-access.js';
import {
  type CypherAccess,
  type CypherConnection,
  CypherError,
  isRepeatable,
  type RunCypher,
} from '../../cypher/cypher-connection.js';
import type { KeyConstraint } from '../../cypher/cypher-dialect.js';
import { TrellisError } from '../../model/error.js';
import { RejectedError } from '../check/rejected-error.js';
import type { GateTarget, GateTransaction } from '../gate-target.js';
import {
  AlreadyWritten,
  type Assume,
  ChangedMeanwhile,
  CypherTransaction,
  FoundInstead,
} from './cypher-transaction.js';
import { KnownKeys } from './known-keys.js';

/** As long as the official driver tries. */
const defaultRetryMs = 30_000;
/** A constraint that two writes met at once lets one of them find the other's node next time. */
const maxConstraintFailures = 5;

/** A graph database as the target of a gate. */
export class CypherTarget implements GateTarget {
  readonly #access: CypherAccess;
  readonly #known = new KnownKeys();

  readonly #onNewNode: ((key: KeyConstraint) => void) | undefined;
  readonly #retryMs: number;

  /** `onNewNode` is called with the label and the keys of each node that a call creates. */
  constructor(
    access: CypherAccess,
    onNewNode?: (key: KeyConstraint) => void,
    { retryMs = defaultRetryMs }: { readonly retryMs?: number } = {},
  ) {
    this.#access = access;
    this.#onNewNode = onNewNode;
    this.#retryMs = retryMs;
  }

  async write<T>(work: (transaction: GateTransaction) => Promise<T>): Promise<{ result: T; commit: null }> {
    const call = new RepeatedCall(work, this.#known);
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
        forMs: this.#retryMs,
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
  readonly #known: KnownKeys;
  readonly #id = randomUUID();
  #attempts = 0;
  #last: { readonly result: T } | undefined;
  newKeys: readonly KeyConstraint[] = [];

  constructor(work: (transaction: GateTransaction) => Promise<T>, known: KnownKeys) {
    this.#work = work;
    this.#known = known;
  }

  async attempt(connection: CypherConnection): Promise<T> {
    this.#attempts += 1;
    // A later attempt looks first: what is there may have been written by the one before.
    const isFirst = this.#attempts === 1;
    const guess: Assume = (label, keys) => {
      const isNew = isFirst && !this.#known.has(label, keys);
      this.#known.add(label, keys);
      return isNew ? 'new' : undefined;
    };
    try {
      return await this.#attemptAssuming(connection, guess);
    } catch (error) {
      if (error instanceof FoundInstead) return this.#attemptAssuming(connection, () => error.rows);
      if (error instanceof AlreadyWritten && this.#last !== undefined) return this.#last.result;
      throw error;
    }
  }

  async #attemptAssuming(connection: CypherConnection, assume: Assume): Promise<T> {
    const run: RunCypher = (query) => connection.run(query);
    const transaction = new CypherTransaction(run, connection.dialect, this.#id, assume);
    const result = await this.#work(transaction);
    this.#last = { result };
    await transaction.flush(connection);
    this.newKeys = transaction.created.map(({ label, keys }) => ({ label, properties: Object.keys(keys) }));
    return result;
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
