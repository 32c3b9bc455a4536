import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '../bounds/with-timeout.js';
import { reasonOf, TrellisError } from '../model/error.js';
import { certificateProblem } from './certificate-problem.js';
import {
  type CypherConnection,
  CypherError,
  type CypherFailure,
  type CypherQuery,
  type CypherRow,
  noAnswer,
  type RunCypher,
} from './cypher-connection.js';
import type { CypherDialect, DatabaseCommand } from './cypher-dialect.js';
import { type CypherSettings, defaultAnswerMs } from './cypher-settings.js';
import { falkordbDialect } from './dialects/falkordb-dialect.js';
import { fromCompact, parameterHeader } from './falkordb-values.js';
import { RedisConnection } from './redis-connection.js';
import { type RedisReply, RedisReplyError } from './redis-replies.js';

const defaultGraphName = 'falkordb';

/** FalkorDB by its own commands: its Bolt port puts the values of parameters into the query without escaping them. */
export class FalkordbConnection implements CypherConnection {
  readonly dialect: CypherDialect = falkordbDialect;
  readonly #redis: RedisConnection;
  readonly #graph: string;
  readonly #answerMs: number;

  private constructor(redis: RedisConnection, graph: string, answerMs = defaultAnswerMs) {
    this.#redis = redis;
    this.#graph = graph;
    this.#answerMs = answerMs;
  }

  static async open(settings: CypherSettings): Promise<FalkordbConnection> {
    const { url, database, user, password, answerMs } = settings;
    const redis = await RedisConnection.open(new URL(url), /^falkors:/i.test(url)).catch((error: unknown) => {
      throw toCypherError(error);
    });
    const connection = new FalkordbConnection(redis, database ?? defaultGraphName, answerMs);
    try {
      if (password !== undefined)
        await connection.#send(['AUTH', ...(user === undefined ? [] : [user]), password]);
      await connection.#rows({ text: 'RETURN 1 AS one' });
    } catch (error) {
      redis.close();
      throw error;
    }
    return connection;
  }

  transact<T>(work: (run: RunCypher) => Promise<T>): Promise<T> {
    return work((query) => this.#rows(query));
  }

  run(query: CypherQuery): Promise<readonly CypherRow[]> {
    return this.#rows(query);
  }

  async *stream(query: CypherQuery): AsyncIterable<CypherRow> {
    yield* await this.#rows(query);
  }

  async alter(command: DatabaseCommand): Promise<void> {
    if ('cypher' in command) {
      await this.#rows({ text: command.cypher }).catch(unlessExists);
      return;
    }
    const [name = '', action = '', ...rest] = command.command;
    await this.#send([name, action, this.#graph, ...rest]).catch(unlessExists);
    await this.#settled();
  }

  async close(): Promise<void> {
    this.#redis.close();
  }

  /** Constraints are checked in the background. */
  async #settled(): Promise<void> {
    for (;;) {
      const rows = await this.#rows({ text: 'CALL db.constraints() YIELD label, properties, status' });
      const failed = rows.find(({ status }) => status === 'FAILED');
      if (failed !== undefined)
        throw new CypherError(
          'constraint',
          `Nodes with label ${String(failed['label'])} have the same key.`,
          failed,
        );
      if (rows.every(({ status }) => status === 'OPERATIONAL')) return;
      await sleep(20);
    }
  }

  async #rows({ text, parameters }: CypherQuery): Promise<readonly CypherRow[]> {
    const query = `${parameterHeader(parameters)}${text}`;
    const reply = await this.#send(['GRAPH.QUERY', this.#graph, query, '--compact']);
    if (!Array.isArray(reply)) return [];
    const failure: unknown = reply.find((part: unknown) => part instanceof RedisReplyError);
    if (failure !== undefined) throw toCypherError(failure);
    if (reply.length < 3) return [];
    const [columns, rows]: readonly unknown[] = reply;
    if (!Array.isArray(columns) || !Array.isArray(rows)) return [];
    const names = columns.map((column: unknown) => (Array.isArray(column) ? String(column[1]) : ''));
    return rows.map((row: unknown) => {
      const values = Array.isArray(row) ? row : [];
      return Object.fromEntries(names.map((name, index) => [name, fromCompact(values[index])]));
    });
  }

  async #send(command: readonly string[]): Promise<RedisReply> {
    try {
      return await withTimeout(this.#redis.send(command), this.#answerMs, () => {
        throw noAnswer(this.#answerMs);
      });
    } catch (error) {
      throw toCypherError(error);
    }
  }
}

function toCypherError(error: unknown): unknown {
  if (error instanceof CypherError || error instanceof TrellisError) return error;
  const message = reasonOf(error);
  const untrusted = certificateProblem(message);
  if (untrusted !== undefined && !(error instanceof RedisReplyError))
    return new CypherError('unavailable', untrusted, error);
  return new CypherError(failureOf(error, message), message, error);
}

function failureOf(error: unknown, message: string): CypherFailure {
  if (/constraint violation/i.test(message)) return 'constraint';
  if (/^(WRONGPASS|NOAUTH|NOPERM|ERR unknown command)/.test(message)) return 'unavailable';
  if (/^(LOADING|BUSY|TRYAGAIN|MASTERDOWN|READONLY)|Max pending queries exceeded/.test(message))
    return 'transient';
  return error instanceof RedisReplyError ? 'refused' : 'lost';
}

function unlessExists(error: unknown): void {
  if (!/already (indexed|exists)/i.test(reasonOf(error))) throw error;
}
