import type { Json } from '../model/json.js';
import type { CypherDialect, DatabaseCommand } from './cypher-dialect.js';

/** Numbers without a fraction are sent as integers; times and points come back as text. */
export type CypherRow = Readonly<Record<string, Json>>;

export interface CypherQuery {
  readonly text: string;
  readonly parameters?: Readonly<Record<string, Json>>;
}

export type RunCypher = (query: CypherQuery) => Promise<readonly CypherRow[]>;

/** A graph database that runs Cypher. */
export interface CypherConnection {
  readonly dialect: CypherDialect;
  /**
   * Runs `work` once, as one transaction, undone if it throws. FalkorDB has only transactions of one query: a `work`
   * that writes does so with its last query.
   */
  transact<T>(work: (run: RunCypher) => Promise<T>): Promise<T>;
  /** Runs one query as a transaction of its own: one round trip instead of two. */
  run: RunCypher;
  /** Reads rows one by one, so that they may be more than fit in memory. */
  stream(query: CypherQuery): AsyncIterable<CypherRow>;
  /** Runs a change of indexes or constraints; one that exists already is no error. */
  alter(command: DatabaseCommand): Promise<void>;
  close(): Promise<void>;
}

/**
 * What a failed query means for whoever ran it: `transient` may succeed if repeated, `lost` does on a new connection,
 * `constraint` and `refused` are about what was written.
 */
export type CypherFailure = 'transient' | 'lost' | 'constraint' | 'refused' | 'unavailable';

export class CypherError extends Error {
  override readonly name = 'CypherError';
  readonly failure: CypherFailure;

  constructor(failure: CypherFailure, message: string, cause: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

/** The connection is of no more use: whether the query ran is unknown. */
export function noAnswer(ms: number): CypherError {
  return new CypherError('lost', `No answer within ${ms / 1000} seconds.`, undefined);
}

/** Opens the connection for each use, or keeps one. */
export interface CypherAccess {
  /** For messages: the address without credentials. */
  readonly name: string;
  use<T>(work: (connection: CypherConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function isLost(error: unknown): boolean {
  return error instanceof CypherError && error.failure === 'lost';
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof CypherError && (error.failure === 'transient' || error.failure === 'lost');
}
