import type { Driver, ManagedTransaction, Session } from 'neo4j-driver';
import { withTimeout } from '../bounds/with-timeout.js';
import { reasonOf, TrellisError } from '../model/error.js';
import { certificateProblem } from './certificate-problem.js';
import {
  type CypherConnection,
  CypherError,
  type CypherFailure,
  type CypherQuery,
  type CypherRow,
  isLost,
  noAnswer,
  type RunCypher,
} from './cypher-connection.js';
import type { CypherDialect, DatabaseCommand } from './cypher-dialect.js';
import { type CypherSettings, defaultAnswerMs } from './cypher-settings.js';
import { recognizeDialect } from './recognize-dialect.js';

/** The official driver is loaded when the first connection is made. */
async function loadDriver() {
  const { default: neo4j } = await import('neo4j-driver');
  const { fromBolt, toBolt } = await import('./bolt-values.js');
  return {
    neo4j,
    toParameters: (query: CypherQuery) =>
      Object.fromEntries(
        Object.entries(query.parameters ?? {}).map(([name, value]) => [name, toBolt(neo4j, value)]),
      ),
    toRow: (row: Readonly<Record<string, unknown>>): CypherRow =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fromBolt(neo4j, value)])),
  };
}

type LoadedDriver = Awaited<ReturnType<typeof loadDriver>>;

export class BoltConnection implements CypherConnection {
  readonly dialect: CypherDialect;
  readonly #driver: Driver;
  readonly #loaded: LoadedDriver;
  readonly #database: string | undefined;
  readonly #answerMs: number;

  private constructor(
    driver: Driver,
    loaded: LoadedDriver,
    { database, answerMs = defaultAnswerMs }: CypherSettings,
    dialect: CypherDialect,
  ) {
    this.#driver = driver;
    this.#loaded = loaded;
    this.#database = database;
    this.#answerMs = answerMs;
    this.dialect = dialect;
  }

  /** Throws `USAGE` if the database is one that cannot be written to safely. */
  static async open(settings: CypherSettings): Promise<BoltConnection> {
    const { url, database, user, password, answerMs = defaultAnswerMs } = settings;
    const loaded = await loadDriver();
    const { neo4j } = loaded;
    const auth = user === undefined ? undefined : neo4j.auth.basic(user, password ?? '');
    // Whoever transacts repeats what failed; the driver would wait a second first.
    const driver = neo4j.driver(url, auth, { maxTransactionRetryTime: 0, telemetryDisabled: true });
    try {
      const dialect = await recognizeDialect(url, async (query) => {
        const answer = driver.executeQuery(query.text, loaded.toParameters(query), {
          ...(database === undefined ? {} : { database }),
        });
        const { records, summary } = await withTimeout(answer, answerMs, () => {
          throw noAnswer(answerMs);
        });
        return {
          rows: records.map((record) => loaded.toRow(record.toObject())),
          agent: summary.server.agent ?? '',
        };
      });
      return new BoltConnection(driver, loaded, settings, dialect);
    } catch (error) {
      await driver.close();
      throw toCypherError(loaded, error);
    }
  }

  async transact<T>(work: (run: RunCypher) => Promise<T>): Promise<T> {
    return this.#inSession((session) =>
      session.executeWrite((transaction: ManagedTransaction) =>
        work(async (query) => {
          const { records } = await transaction.run(query.text, this.#loaded.toParameters(query));
          return records.map((record) => this.#loaded.toRow(record.toObject()));
        }),
      ),
    );
  }

  run(query: CypherQuery): Promise<readonly CypherRow[]> {
    return this.#inSession(async (session) => {
      const { records } = await session.run(query.text, this.#loaded.toParameters(query));
      return records.map((record) => this.#loaded.toRow(record.toObject()));
    });
  }

  async *stream(query: CypherQuery): AsyncIterable<CypherRow> {
    const session = this.#session();
    try {
      for await (const record of session.run(query.text, this.#loaded.toParameters(query)))
        yield this.#loaded.toRow(record.toObject());
    } catch (error) {
      throw toCypherError(this.#loaded, error);
    } finally {
      await session.close();
    }
  }

  async alter(command: DatabaseCommand): Promise<void> {
    if (!('cypher' in command)) throw new TrellisError('INTERNAL', 'Bolt has no commands but Cypher.');
    await this.#inSession((session) => session.run(command.cypher));
  }

  async close(): Promise<void> {
    await this.#driver.close();
  }

  async #inSession<T>(work: (session: Session) => PromiseLike<T>): Promise<T> {
    const session = this.#session();
    try {
      const result = await withTimeout(Promise.resolve(work(session)), this.#answerMs, () => {
        throw noAnswer(this.#answerMs);
      });
      await session.close();
      return result;
    } catch (error) {
      const failure = toCypherError(this.#loaded, error);
      // A server that does not answer does not answer this either; whoever is told ends the connection.
      if (!isLost(failure)) await session.close();
      throw failure;
    }
  }

  #session(): Session {
    return this.#driver.session(this.#database === undefined ? {} : { database: this.#database });
  }
}

function toCypherError({ neo4j }: LoadedDriver, error: unknown): unknown {
  // A query that is not Cypher is a defect.
  if (!(error instanceof neo4j.Neo4jError) || error.code.endsWith('SyntaxError')) return error;
  const reason = reasonOf(error);
  const untrusted = error.code === neo4j.error.SERVICE_UNAVAILABLE ? certificateProblem(reason) : undefined;
  // The driver takes it for a server that may come back.
  if (untrusted !== undefined) return new CypherError('unavailable', untrusted, error);
  return new CypherError(failureOf(error.code, neo4j.isRetryableError(error)), reason, error);
}

function failureOf(code: string, isRetryable: boolean): CypherFailure {
  if (code === 'Neo.ClientError.Schema.ConstraintValidationFailed') return 'constraint';
  // A node that was read may be deleted before the write finds it again.
  if (isRetryable || code === 'Neo.ClientError.Statement.EntityNotFound') return 'transient';
  return /^(Neo\.ClientError\.(Statement|Schema|General)|Memgraph\.ClientError)/.test(code)
    ? 'refused'
    : 'unavailable';
}
