import pg from 'pg';
import { startChild } from './child.js';
import { findChroot, makeChroot } from './chroot.js';

/**
 * @typedef {object} Postgres what the tests of a run use
 * @property {'real' | 'pglite'} kind
 * @property {boolean} everywhere whether every suite runs on it; if not, only the tests of the store itself do
 * @property {string | undefined} url of a role that may create databases; PGlite has none until started
 * @property {string | undefined} chroot where servers of one's own come from, to be killed at will
 * @property {string | undefined} certificate of the server at `url`, a file for `sslrootcert`; none without TLS
 * @property {string} description one line for people
 * @property {() => Promise<void>} stop ends what was started here
 */

/**
 * Picks the PostgreSQL of a test run, and starts it unless it is PGlite, of which each test file starts its own.
 * `make` allows to install one where there is none.
 */
export async function choosePostgres({ env = process.env, make = false } = {}) {
  const required = env.TRELLIS_TEST_POSTGRES_REQUIRE ?? 'any';
  if (!['any', 'real', 'pglite'].includes(required)) {
    throw new Error(`TRELLIS_TEST_POSTGRES_REQUIRE is any, real or pglite, not ${required}`);
  }
  if (required === 'pglite') return pglite('as asked for');

  const given = env.TRELLIS_TEST_POSTGRES;
  if (given && env.TRELLIS_TEST_POSTGRES_KIND === 'pglite') {
    if (required === 'real') throw new Error('a real PostgreSQL is required, and PGlite was given');
    return pglite('as given');
  }
  if (!given && !make && required === 'any') return pgliteForTheStore();

  const found = make ? await makeChroot(env) : findChroot(env);
  if (required === 'real' && !found.chroot) throw new Error(`a real PostgreSQL is required: ${found.reason}`);
  if (given) return theGiven(given, found.chroot, env);
  if (!found.chroot) return pglite(found.reason);
  return ours(found.chroot);
}

/** @returns {Postgres} */
function pgliteForTheStore() {
  return {
    ...pglite(''),
    everywhere: false,
    description:
      'PGlite, for the tests of the store alone; every suite runs on the one of TRELLIS_TEST_POSTGRES, or with npm run test:full',
  };
}

/** @returns {Postgres} */
function pglite(reason) {
  return {
    kind: 'pglite',
    everywhere: true,
    url: undefined,
    chroot: undefined,
    certificate: undefined,
    description: `PGlite (${reason}); tests that need concurrency, TLS or a killed server are skipped`,
    stop: async () => {},
  };
}

/** @returns {Promise<Postgres>} */
async function ours(chroot) {
  const server = await startServer(chroot);
  return {
    kind: 'real',
    everywhere: true,
    url: server.url,
    chroot,
    certificate: server.certificate,
    description: `PostgreSQL ${server.version} from ${chroot}, port ${server.port}`,
    stop: server.stop,
  };
}

/** @returns {Promise<Postgres>} */
async function theGiven(url, chroot, env) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select current_setting('server_version') version, current_setting('ssl') = 'on' tls, version() built,
       (rolsuper or rolcreatedb) creates from pg_roles where rolname = current_user`,
  );
  await client.end();
  // PGlite started by hand and passed on without its kind still must not run the tests it cannot pass.
  if (/emscripten|wasm/i.test(rows[0].built)) return pglite('as given');
  if (!rows[0].creates)
    throw new Error('the role of TRELLIS_TEST_POSTGRES needs CREATEDB: each test file has a database');
  const certificate = rows[0].tls ? env.TRELLIS_TEST_POSTGRES_CERTIFICATE : undefined;
  const shortOf = [
    ...(certificate ? [] : ['TLS with a known certificate']),
    ...(chroot ? [] : ['a server to kill']),
  ];
  if (env.TRELLIS_TEST_POSTGRES_REQUIRE === 'real' && shortOf.length > 0) {
    throw new Error(`no test may be skipped, and the PostgreSQL given is short of ${shortOf.join(' and ')}`);
  }
  const skipped = shortOf.length > 0 ? `; tests that need ${shortOf.join(' or ')} are skipped` : '';
  return {
    kind: 'real',
    everywhere: true,
    url,
    chroot,
    certificate,
    description: `PostgreSQL ${rows[0].version} of TRELLIS_TEST_POSTGRES${skipped}`,
    stop: async () => {},
  };
}

/**
 * A PostgreSQL of one's own: empty, or a replica of `primary`; on its own port, gone when this process is.
 * `kill` ends all its processes at once, as a power cut would; `restart` brings it back on the same port and data.
 */
export async function startServer(chroot, primary) {
  const args = primary === undefined ? [chroot] : [chroot, primary];
  const { started, ask, stop } = await startChild(new URL('./supervisor.js', import.meta.url), args);
  return { ...started, kill: () => ask('kill'), restart: () => ask('restart'), stop };
}

/** A PGlite of one's own, behind a port; gone when this process is. */
export async function startPglite() {
  const { started, stop } = await startChild(new URL('./pglite.js', import.meta.url), []);
  return { ...started, stop };
}
