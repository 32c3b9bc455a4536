import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { choosePostgres } from '../../scripts/postgres/choose.js';
import { type FreshDatabase, freshDatabase } from './support/fresh-database.js';
import { isCitus } from './support/nodes.js';
import {
  ownServer,
  serverCertificate,
  testWithOwnServer,
  testWithRealServer,
  testWithTls,
} from './support/real.js';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../scripts/postgres-for-tests', import.meta.url));

describe('a fresh database', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());

  test('is a PostgreSQL of the kind that was announced', async () => {
    const [row] = await database.query<{ version: string }>('select version()');
    expect(row?.version).toMatch(/^PostgreSQL 1[5-9]/);
    expect(/emcc|wasm/i.test(row?.version ?? '')).toBe(inject('postgres').kind === 'pglite');
  });

  test('takes the extensions, and works with them', async () => {
    await database.query('create extension vector');
    await database.query('create extension pg_trgm');
    expect(await database.query(`select '[1,2]'::vector <-> '[1,4]' as far`)).toEqual([{ far: 2 }]);
    expect(await database.query(`select similarity('trellis', 'trellis') as alike`)).toEqual([{ alike: 1 }]);
  });

  // In a cluster, only the rows go.
  test.skipIf(isCitus)('is empty after clear, and can be filled again', async () => {
    await database.query('create schema other');
    await database.query('create table other.one (n int)');
    await database.query('create table two (n int)');
    await database.clear();
    expect(await database.query(`select tablename from pg_tables where tablename in ('one', 'two')`)).toEqual(
      [],
    );
    await database.query('create table two (n int)');
    await database.query('create extension pg_trgm');
  });

  test('serves several connections that use the same names for statements', async () => {
    const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: database.url }));
    await Promise.all(clients.map((client) => client.connect()));
    const products = await Promise.all(
      clients.map(async (client, nth) => {
        const text = `select $1::int * ${nth} as product`;
        const given: number[] = [];
        for (let call = 0; call < 20; call += 1) {
          const { rows } = await client.query({ name: 'times', text, values: [call] });
          given.push(rows[0].product);
        }
        return given;
      }),
    );
    expect(products).toEqual(clients.map((_, nth) => Array.from({ length: 20 }, (_, call) => call * nth)));
    await Promise.all(clients.map((client) => client.end()));
  });

  test('gives each connection the settings it begins with', async () => {
    const options = [
      '-c search_path=one,public -c work_mem=1MB',
      '-c search_path=two -c application_name=two\\ words',
      '-c search_path=three',
    ];
    const clients = options.map((its) => new pg.Client({ connectionString: database.url, options: its }));
    await Promise.all(clients.map((client) => client.connect()));
    const settings = clients.map(async (client) => {
      const { rows } = await client.query(
        `select concat_ws('|', current_setting('search_path'), current_setting('application_name')) as its`,
      );
      return rows[0].its;
    });
    expect(await Promise.all(settings)).toEqual(['one,public|', 'two|two words', 'three|']);
    await Promise.all(clients.map((client) => client.end()));
  });

  test('keeps the transactions of its connections apart', async () => {
    await database.query('create table counted (n int)');
    const pool = new pg.Pool({ connectionString: database.url, max: 4 });
    const one = async (keep: boolean) => {
      const client = await pool.connect();
      await client.query('begin');
      await client.query('insert into counted values ($1)', [1]);
      await sleep(5);
      await client.query(keep ? 'commit' : 'rollback');
      client.release();
    };
    await Promise.all(Array.from({ length: 12 }, (_, nth) => one(nth % 2 === 0)));
    await pool.end();
    expect(await database.query('select count(*)::int as kept from counted')).toEqual([{ kept: 6 }]);
  });

  test('goes on after an error, and after a connection that broke off in a transaction', async () => {
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    for (let again = 0; again < 20; again += 1) {
      const failing = client.query('select * from nowhere where $1', [true]);
      await expect(failing).rejects.toMatchObject({ code: '42P01' });
      expect((await client.query('select $1::int as n', [again])).rows).toEqual([{ n: again }]);
    }
    await client.query('begin');
    await client.query('create table unfinished (n int)');
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await expect
      .poll(() => database.query(`select 1 from pg_tables where tablename = 'unfinished'`))
      .toEqual([]);
  });

  test('takes long statements that connections send all at once, and connections that come and go', async () => {
    const lengths = await Promise.all(
      Array.from({ length: 12 }, async (_, nth) => {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        const text = 'x'.repeat(200_000 + nth);
        const { rows } = await client.query('select length($1) as length', [text]);
        await client.end();
        return rows[0].length;
      }),
    );
    expect(lengths).toEqual(Array.from({ length: 12 }, (_, nth) => 200_000 + nth));
  });

  testWithRealServer('has connections that wait for one another', async () => {
    const [first, second] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([first.connect(), second.connect()]);
    await first.query('select pg_advisory_lock(1)');
    let locked = false;
    const waiting = second.query('select pg_advisory_lock(1)').then(() => {
      locked = true;
    });
    await first.query('select pg_sleep(0.1)');
    expect(locked).toBe(false);
    await first.query('select pg_advisory_unlock(1)');
    await waiting;
    await Promise.all([first.end(), second.end()]);
  });

  testWithTls('speaks TLS, with a certificate that can be verified', async () => {
    const url = new URL(database.url);
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', serverCertificate());
    const client = new pg.Client(url.href);
    await client.connect();
    const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    await client.end();
    expect(rows).toEqual([{ ssl: true }]);
  });
});

describe('a server of one’s own', () => {
  testWithOwnServer('keeps what was committed when it is killed, and comes back where it was', async () => {
    const server = await ownServer();
    const writer = new pg.Client(server.url);
    const broken = new Promise((resolve) => writer.on('error', resolve));
    await writer.connect();
    await writer.query('create table kept as select 1 as n');
    await server.kill();
    await broken;
    await expect(new pg.Client(server.url).connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    await server.restart();
    const reader = new pg.Client(server.url);
    await reader.connect();
    expect((await reader.query('select n from kept')).rows).toEqual([{ n: 1 }]);
    expect((await reader.query('show fsync')).rows).toEqual([{ fsync: 'on' }]);
    await reader.end();
    await server.stop();
    expect(existsSync(dirname(server.log))).toBe(false);
  });
});

describe('npm test', () => {
  const nowhere = join(tmpdir(), 'trellis-no-such-chroot');

  test('tests the store on PGlite if no PostgreSQL is given, and installs nothing', async () => {
    const env = { TRELLIS_TEST_POSTGRES_CHROOT: nowhere };
    expect(await choosePostgres({ env })).toMatchObject({ kind: 'pglite', everywhere: false });
    expect(existsSync(nowhere)).toBe(false);
  });

  test('fails if a real one is required and there is none, and installs nothing', async () => {
    const env = { TRELLIS_TEST_POSTGRES_CHROOT: nowhere, TRELLIS_TEST_POSTGRES_REQUIRE: 'real' };
    await expect(choosePostgres({ env })).rejects.toThrow('a real PostgreSQL is required');
    expect(existsSync(nowhere)).toBe(false);
  });
});

describe('the script', () => {
  const print = 'console.log(process.env.TRELLIS_TEST_POSTGRES_KIND, process.env.TRELLIS_TEST_POSTGRES)';

  test('runs a command with PGlite where that is asked for, and says so', async () => {
    const env = { ...process.env, TRELLIS_TEST_POSTGRES_REQUIRE: 'pglite' };
    const { stdout, stderr } = await run(script, ['--', process.execPath, '-e', print], { env });
    expect(stdout).toMatch(/^pglite postgres:\/\//);
    expect(stderr).toMatch(/^postgres-for-tests: PGlite .*\n$/);
  });

  test('ends with the code of the command, and nothing of it stays', async () => {
    // Nothing is installed for this test.
    const pglite = inject('postgres').kind === 'pglite' && { TRELLIS_TEST_POSTGRES_REQUIRE: 'pglite' };
    const failing = run(script, ['--', process.execPath, '-e', `${print};process.exit(7)`], {
      env: { ...process.env, ...pglite },
    });
    const { stdout, code } = await failing.catch((error) => error);
    expect(code).toBe(7);
    const url = stdout.trim().split(' ')[1];
    if (url === process.env['TRELLIS_TEST_POSTGRES']) return;
    await expect(new pg.Client(url).connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('refuses PGlite where a real one is required', async () => {
    const env = {
      ...process.env,
      TRELLIS_TEST_POSTGRES: 'postgres://127.0.0.1:1/x',
      TRELLIS_TEST_POSTGRES_KIND: 'pglite',
      TRELLIS_TEST_POSTGRES_REQUIRE: 'real',
    };
    const refused = await run(script, ['--', process.execPath, '-e', ''], { env }).catch((error) => error);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a real PostgreSQL is required'),
    });
  });

  testWithOwnServer('takes its server along when it is killed', async () => {
    const starter = new URL('../../scripts/postgres/choose.js', import.meta.url);
    const code = `
      const { startServer } = await import(${JSON.stringify(starter.href)});
      console.log(JSON.stringify(await startServer(${JSON.stringify(inject('postgres').chroot)})));
      process.kill(process.pid, 'SIGKILL');`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code]).catch(
      (error) => error,
    );
    const { url, log } = JSON.parse(stdout);
    await expect.poll(() => existsSync(dirname(log))).toBe(false);
    await expect(new pg.Client(url).connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
