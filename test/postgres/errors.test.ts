import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { rootCertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { postgresTablesVersion } from '../../src/store/postgres/postgres-migrations.js';
import { useSandbox } from '../cli/run-cli.js';
import { put, seen } from '../store/conformance/graph-by-name.js';
import { grantAsDocumented } from './support/documented-grants.js';
import { type FreshDatabase, freshDatabase } from './support/fresh-database.js';
import { describeWithRealServer, serverCertificate, testWithTls } from './support/real.js';

const sandbox = useSandbox();
const password = `secret-${randomBytes(6).toString('hex')}`;

/** What a command that must fail says, to programs and to people; it never says the password. */
async function refusal(url: string): Promise<{ code: string; message: string; hint: string }> {
  const forPrograms = await sandbox.run(['graph', 'list', '--json', '--store', url]);
  const forPeople = await sandbox.run(['serve', '--port', '0', '--store', url]);
  const doctor = await sandbox.run(['doctor', '--store', url]);
  const { username, password: given } = new URL(url);
  // PGlite's password is also the name of its user and its database.
  const secrets = given === '' || given === username ? [password] : [password, given];
  for (const { code, stdout, stderr } of [forPrograms, forPeople, doctor]) {
    expect(code).toBe(1);
    expect(secrets.filter((secret) => (stdout + stderr).includes(secret))).toEqual([]);
    expect(stdout + stderr).not.toMatch(/:\/\/[^/@\s]*:[^/@\s]*@/);
  }
  const { error } = JSON.parse(forPrograms.stderr);
  expect(forPrograms.stderr.trimEnd()).not.toContain('\n');
  expect(forPeople.stderr).toBe(`trellis: ${error.message} [${error.code}]\n  ${error.hint}\n`);
  expect(doctor.stdout).toContain(`problem: ${error.message} ${error.hint}\n`);
  return error;
}

async function emptyDatabase(): Promise<FreshDatabase> {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** A role that may do nothing yet, and the URL with which it reaches the database. */
async function newRole(database: FreshDatabase): Promise<{ role: string; url: string }> {
  const role = `trellis_role_${randomBytes(4).toString('hex')}`;
  await database.query(`create role ${role} login password '${password}'`);
  onTestFinished(async () => {
    await database.query(`drop owned by ${role}`);
    await database.query(`drop role ${role}`);
  });
  const url = new URL(database.url);
  url.username = role;
  url.password = password;
  return { role, url: url.href };
}

test('nobody listens', async () => {
  const url = `postgres://ann:${password}@127.0.0.1:${await closedPort()}/memory`;
  const { code, message, hint } = await refusal(url);
  expect(code).toBe('STORE_UNAVAILABLE');
  expect(message).toMatch(/^PostgreSQL does not respond: postgres:\/\/ann@127\.0\.0\.1:\d+\/memory\.$/);
  expect(hint).toBe('Start it, or correct host and port in the URL.');
});

test('the host does not exist', async () => {
  const { message } = await refusal(`postgres://ann:${password}@nowhere.invalid/memory`);
  expect(message).toMatch(/^The host cannot be found: /);
});

test('a URL that is none, or a setting that is no number', async () => {
  for (const url of [`postgres://ann:${password}@[/memory`, `postgres://ann:${password}@h/m?max=many`]) {
    const { code, stderr } = await sandbox.run(['graph', 'list', '--store', url]);
    expect(code).toBe(2);
    expect(stderr).toContain('PostgreSQL URL');
    expect(stderr).not.toContain(password);
  }
});

test('a certificate file that is not there', async () => {
  const url = `postgres://ann:${password}@127.0.0.1/memory?sslmode=verify-full&sslrootcert=/nowhere.crt`;
  const { code, stderr } = await sandbox.run(['graph', 'list', '--store', url]);
  expect(code).toBe(2);
  expect(stderr).toContain('A certificate or key file that the PostgreSQL URL names cannot be read.');
  expect(stderr).not.toContain(password);
});

test('tables of a newer version are refused', async () => {
  const database = await emptyDatabase();
  await (await openStoreAtLocation(database.url)).close();
  await database.query('update trellis.schema_version set version = 99');
  expect(await refusal(database.url)).toMatchObject({
    code: 'STORE_TOO_NEW',
    message: expect.stringContaining(`version 99, this program knows up to ${postgresTablesVersion}.`),
    hint: 'Update Trellis.',
  });
});

describeWithRealServer('what the server itself refuses', () => {
  test('the password is wrong, or missing', async () => {
    const database = await emptyDatabase();
    const { url } = await newRole(database);
    const wrong = new URL(url);
    wrong.password = 'guessed-wrong';
    expect((await refusal(wrong.href)).message).toMatch(/^The password is wrong or the user unknown: /);
    wrong.password = '';
    expect((await refusal(wrong.href)).message).toMatch(/^PostgreSQL requires a password: /);
  });

  test('the database is missing', async () => {
    const url = new URL((await emptyDatabase()).url);
    url.pathname = '/no_such_database';
    expect(await refusal(url.href)).toMatchObject({
      message: expect.stringMatching(/^The database does not exist: /),
      hint: 'Create it with createdb, or correct its name in the URL.',
    });
  });

  test('the role may make no tables: the one it has, or newer ones', async () => {
    const database = await emptyDatabase();
    const { role, url } = await newRole(database);
    expect((await refusal(url)).message).toMatch(
      /^The user lacks a required privilege \(permission denied for /,
    );
    await database.query('create schema trellis');
    await database.query(`grant usage on schema trellis to ${role}`);
    expect((await refusal(url)).message).toMatch(
      /^The user lacks a required privilege \(permission denied for /,
    );
  });

  test('a role that may read but not write is told so by the write alone', async () => {
    const database = await emptyDatabase();
    const owner = await openStoreAtLocation(database.url);
    await owner.createGraph('default');
    await owner.close();
    const { role, url } = await newRole(database);
    await database.query(`grant usage on schema trellis to ${role}`);
    await database.query(`grant select on all tables in schema trellis to ${role}`);
    const store = await openStoreAtLocation(url);
    onTestFinished(() => store.close());
    expect(await store.read({ graph: 'default' }, (reader) => reader.counts())).toMatchObject({ nodes: 0 });
    await expect(store.createGraph('other')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/^The user lacks a required privilege \(permission denied for /),
    });
  });

  test('with the grants of docs/postgres.md a server writes and forks, and neither renames nor deletes graphs', async () => {
    const database = await emptyDatabase();
    await (await openStoreAtLocation(database.url)).close();
    const { role, url } = await newRole(database);
    await grantAsDocumented(database, role);
    const store = await openStoreAtLocation(url);
    onTestFinished(() => store.close());
    await store.createGraph('work');
    const author = { actor: 'ann', tool: 'test' };
    await store.write({ graph: 'work' }, author, (writer) => put(writer, { nodes: { a: ['one'] } }));
    await store.createBranch('work', 'try');
    const refused = {
      message: expect.stringMatching(/^The user lacks a required privilege \(permission denied for table /),
      hint: expect.stringMatching(
        /^trellis gc, purge, graph rename and graph delete need the owner of the tables/,
      ),
    };
    await expect(store.renameGraph('work', 'other')).rejects.toMatchObject(refused);
    await expect(store.deleteGraph('work')).rejects.toMatchObject(refused);
    expect(await store.read({ graph: 'work' }, seen)).toEqual({ nodes: { a: ['one'] }, edges: [] });
  });

  test('extensions that are missing and may not be made: text is searched all the same, doctor says so', async () => {
    const database = await emptyDatabase();
    const { role, url } = await newRole(database);
    await database.query(`create schema trellis authorization ${role}`);
    const store = await openStoreAtLocation(url);
    await store.createGraph('default');
    await store.write({ graph: 'default' }, { actor: 'ann', tool: 'test' }, async (writer) => {
      const [identity] = await writer.addIdentities([{ type: 'person', name: 'Ann Smith' }]);
      await writer.putNodes([{ id: identity?.node ?? 0, type: 'person', name: 'Ann Smith' }]);
    });
    const { nodes } = await store.read({ graph: 'default' }, (reader) => reader.nodesContaining('nn sm'));
    expect(nodes).toHaveLength(1);
    await store.close();
    const { code, stdout } = await sandbox.run(['doctor', '--store', url]);
    expect(code).toBe(0);
    expect(stdout).toContain('warning: pg_trgm is missing');
    expect(stdout).toContain('warning: pgvector is missing');
    expect(stdout).not.toContain(password);
  });
});

describe('TLS', () => {
  const withMode = (url: string, mode: string, certificate?: string) => {
    const own = new URL(url);
    own.searchParams.set('sslmode', mode);
    if (certificate !== undefined) own.searchParams.set('sslrootcert', certificate);
    return own.href;
  };

  testWithTls.each(['require', 'verify-ca', 'verify-full'])('sslmode=%s encrypts', async (mode) => {
    const database = await emptyDatabase();
    const store = await openStoreAtLocation(
      withMode(database.url, mode, mode === 'require' ? undefined : serverCertificate()),
    );
    const encrypted = await database.query(
      `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
       where datname = current_database() and application_name = 'trellis'`,
    );
    await store.close();
    expect(encrypted).toEqual([{ ssl: true }]);
  });

  testWithTls('a server that another authority vouches for is refused', async () => {
    const database = await emptyDatabase();
    const other = sandbox.path('other.crt');
    await writeFile(other, rootCertificates[0] ?? '');
    const { message, hint } = await refusal(withMode(database.url, 'verify-full', other));
    expect(message).toMatch(/^The certificate of the server is not trusted: /);
    expect(hint).toContain('sslrootcert=');
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
  await new Promise((resolve) => server.close(resolve));
  return port;
}
