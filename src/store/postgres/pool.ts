import pg from 'pg';
import { TrellisError } from '../../model/error.js';
import { Client } from './postgres-client.js';

/** Bounds of one server's use of the database, each of which the URL can set: `?statement_timeout=5000`. */
const defaultPoolSettings = {
  /** Connections this process opens at most. */
  max: 10,
  /** Milliseconds until PostgreSQL ends a statement. */
  statement_timeout: 30_000,
  /** Milliseconds a write waits for others to release a branch. */
  lock_timeout: 30_000,
  /** Milliseconds until a transaction that a dead client left open is ended. */
  idle_in_transaction_session_timeout: 60_000,
  /** Milliseconds to wait for a connection. */
  connectionTimeoutMillis: 10_000,
};

/** All tables live in a schema of their own, so that a database may be shared. */
export const postgresSchemaName = 'trellis';

/** Opens a pool of connections. Nothing is connected until it is used. */
export function openPool(url: string): pg.Pool {
  const { connectionString, settings, options } = splitUrl(url);
  const pool = new pg.Pool({
    ...settings,
    connectionString,
    Client,
    application_name: 'trellis',
    // A plan is made once per connection: making it costs more than running it, and parameters do not change it.
    // The last word on the search path is ours: the tables are found by it.
    options:
      `${options} -c plan_cache_mode=force_generic_plan -c search_path=${postgresSchemaName},public`.trim(),
    allowExitOnIdle: true,
    keepAlive: true,
    // Statements are sent without waiting for the answers to those before.
    pipeline: true,
    types: { getTypeParser: typeParserFor },
  });
  // A connection that breaks while idle is replaced when it is next needed.
  pool.on('error', () => {});
  // One that breaks while in use fails the statement that waits for it; nobody else need hear of it.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Takes Trellis's own settings out of the URL; the rest (host, TLS, …) is the driver's. */
function splitUrl(url: string): {
  connectionString: string;
  settings: typeof defaultPoolSettings;
  options: string;
} {
  const settings = { ...defaultPoolSettings };
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new TrellisError('USAGE', 'The PostgreSQL URL cannot be read.', {
      hint: 'Write it as postgres://user:password@host:5432/database, with special characters percent-encoded.',
      cause,
    });
  }
  for (const name of Object.keys(defaultPoolSettings) as (keyof typeof defaultPoolSettings)[]) {
    const given = parsed.searchParams.get(name);
    if (given === null) continue;
    if (!/^\d{1,9}$/.test(given))
      throw new TrellisError('USAGE', `${name} in the PostgreSQL URL must be a number.`);
    settings[name] = Number(given);
    parsed.searchParams.delete(name);
  }
  const options = parsed.searchParams.get('options') ?? '';
  parsed.searchParams.delete('options');
  // sslmode means what it means to every other program of PostgreSQL: `require` encrypts, `verify-full` verifies.
  const mode = parsed.searchParams.get('sslmode');
  if (mode !== null && mode !== 'no-verify') parsed.searchParams.set('uselibpqcompat', 'true');
  return { connectionString: parsed.href, settings, options };
}

const bigintOid = 20;

/** Ids, seqs and times are 64 bits wide in the database and well below 2⁵³ in value. */
function typeParserFor(oid: number, format?: 'text' | 'binary') {
  return oid === bigintOid ? Number : pg.types.getTypeParser(oid, format ?? 'text');
}
