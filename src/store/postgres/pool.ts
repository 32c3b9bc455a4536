import { Socket } from 'node:net';
import pg from 'pg';
import { TrellisError } from '../../model/error.js';

/** Limits of one server's use of the database. The URL can set each: `?statement_timeout=5000`. */
const defaultPoolSettings = {
  max: 10,
  // Longer than the wait for a lock, which has an error of its own.
  statement_timeout: 40_000,
  lock_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
  connectionTimeoutMillis: 10_000,
};

const planSettings = {
  generic: '-c plan_cache_mode=force_generic_plan',
  // The settings of a transaction hold on the nodes of the cluster, too.
  auto: '-c plan_cache_mode=auto -c citus.propagate_set_commands=local',
};

export type PlanCacheMode = keyof typeof planSettings;

interface Address {
  readonly connectionString: string;
  readonly settings: typeof defaultPoolSettings;
  readonly options: string;
  /** The same database on a read replica. */
  readonly replica?: string | undefined;
}

/** A schema of our own, so that a database may be shared. */
export const postgresSchemaName = 'trellis';

/**
 * Nothing is connected until it is used. `generic`: planning costs more than running, and parameters do not change a plan,
 * so it is made once per connection. Citus needs `auto`: it chooses the node by the values.
 */
export function openPool(url: string, plans: PlanCacheMode = 'generic'): pg.Pool {
  return poolFor(splitUrl(url), plans);
}

/** Connections to the read replica that the URL names, if any. Who waits for it can read elsewhere. */
export function openReplicaPool(url: string, plans: PlanCacheMode = 'generic'): pg.Pool | undefined {
  const { replica, ...address } = splitUrl(url);
  if (replica === undefined) return undefined;
  const settings = { ...address.settings, connectionTimeoutMillis: 2_000 };
  return poolFor({ ...address, connectionString: replica, settings }, plans);
}

function poolFor({ connectionString, settings, options }: Address, plans: PlanCacheMode): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    connectionString,
    Client,
    application_name: 'trellis',
    // Our search path comes last, since it finds the tables.
    options: `${options} ${planSettings[plans]} -c search_path=${postgresSchemaName},public`.trim(),
    allowExitOnIdle: true,
    keepAlive: true,
    // Sends statements without waiting for the results of earlier ones.
    pipeline: true,
    types: { getTypeParser: typeParserFor },
  });
  // A connection that breaks while idle is replaced when it is next needed.
  pool.on('error', () => {});
  // One that breaks while in use fails its statement.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** A connection beside those of the pool. */
export function openConnection(pool: pg.Pool): Client {
  return new Client(pool.options);
}

/** Takes Trellis's own settings out of the URL; the rest (host, TLS, …) is for the driver. */
function splitUrl(url: string): Address {
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
  // As in libpq: `require` encrypts, `verify-full` verifies.
  const mode = parsed.searchParams.get('sslmode');
  if (mode !== null && mode !== 'no-verify') parsed.searchParams.set('uselibpqcompat', 'true');
  const host = parsed.searchParams.get('read_host');
  parsed.searchParams.delete('read_host');
  const replica = host === null ? undefined : withHost(parsed, host);
  return { connectionString: parsed.href, settings, options, replica };
}

/** A replica has the databases, roles and passwords of the server that it follows. */
function withHost(url: URL, host: string): string {
  const [name, port, ...rest] = host.split(/:(?=\d*$)/);
  const replica = new URL(url);
  replica.hostname = name ?? '';
  if (port !== undefined) replica.port = port;
  if (rest.length > 0 || name === '' || replica.hostname !== name?.toLowerCase())
    throw new TrellisError('USAGE', 'read_host in the PostgreSQL URL must be a host or host:port.');
  return replica.href;
}

const bigintOid = 20;

/** Ids, seqs and times are 64 bits wide in the database and well below 2⁵³ in value. */
function typeParserFor(oid: number, format?: 'text' | 'binary') {
  return oid === bigintOid ? Number : pg.types.getTypeParser(oid, format ?? 'text');
}

/** Closes its connection if connecting fails, as without a password: the driver's client would keep the process alive. */
export class Client extends pg.Client {
  /** Lets the process end although the connection is open. */
  unref(): void {
    const { stream } = this.connection;
    if (stream instanceof Socket) stream.unref();
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    if (callback === undefined) return super.connect() as Promise<this>;
    super.connect((error: Error) => {
      if (error) this.connection.stream.destroy();
      callback(error);
    });
    return undefined;
  }
}
