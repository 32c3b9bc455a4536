import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../sql/sql.js';
import { openDatabaseFile } from './open-connections.js';
import { SqliteConnection } from './sqlite-connection.js';
import { sqliteTablesVersion } from './sqlite-migrations.js';
import { openSqliteStore } from './sqlite-store.js';
import { pendingCount, stemToken } from './text/text-index.js';

describe('a database file', () => {
  let folder: string;
  const file = () => join(folder, 'store.db');
  const mode = (path: string) => statSync(path).mode & 0o777;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trellis-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is private, and so is a folder made for it', async () => {
    const path = join(folder, 'new', 'store.db');
    const store = await openSqliteStore(path);
    expect([mode(path), mode(join(folder, 'new'))]).toEqual([0o600, 0o700]);
    await store.close();
  });

  test('is whole when the store is closed: no log with content lies beside it', async () => {
    const store = await openSqliteStore(file());
    await store.createGraph('default');
    await store.close();
    expect(statSync(`${file()}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  test('keeps the mode it has', async () => {
    writeFileSync(file(), '');
    chmodSync(file(), 0o640);
    await (await openSqliteStore(file())).close();
    expect(mode(file())).toBe(0o640);
  });

  test('is durable at every commit: write-ahead log, full synchronisation', async () => {
    // How a connection synchronises is its own affair, so it is asked of the one that writes.
    const { writer, reader } = await openDatabaseFile(file());
    expect(await writer.all(sql`pragma journal_mode`)).toEqual([{ journal_mode: 'wal' }]);
    expect(await writer.all(sql`pragma synchronous`)).toEqual([{ synchronous: 2 }]);
    reader.close();
    writer.close();
  });

  test('from a newer version is refused, and left alone', async () => {
    await (await openSqliteStore(file())).close();
    const connection = new SqliteConnection(file());
    connection.exec(`pragma user_version = ${sqliteTablesVersion + 1}`);
    connection.close();
    const before = readFileSync(file());
    await expect(openSqliteStore(file())).rejects.toMatchObject({
      code: 'STORE_TOO_NEW',
      hint: 'Update Trellis.',
    });
    expect(readFileSync(file())).toEqual(before);
  });

  test('of another program is refused, and left alone', async () => {
    const connection = new SqliteConnection(file());
    connection.exec('create table theirs (x)');
    connection.close();
    const before = readFileSync(file());
    await expect(openSqliteStore(file())).rejects.toMatchObject({ code: 'NOT_A_STORE' });
    expect(readFileSync(file())).toEqual(before);
  });

  test('that is no database is refused', async () => {
    writeFileSync(file(), 'this is a text file, long enough to look like something at least\n'.repeat(40));
    await expect(openSqliteStore(file())).rejects.toMatchObject({ code: 'NOT_A_STORE' });
  });

  test('that is a folder is refused', async () => {
    mkdirSync(file());
    await expect(openSqliteStore(file())).rejects.toMatchObject({ code: 'NOT_A_STORE' });
  });

  test('in a place where none can be made is refused, saying so', async () => {
    writeFileSync(join(folder, 'plain'), '');
    await expect(openSqliteStore(join(folder, 'plain', 'store.db'))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
  });

  test('that is deleted or replaced while open takes no write and answers no read', async () => {
    const store = await openSqliteStore(file());
    await store.createGraph('default');
    for (const name of ['store.db', 'store.db-wal', 'store.db-shm'])
      rmSync(join(folder, name), { force: true });
    const write = store.write({ graph: 'default' }, { actor: 'a', tool: 't' }, async (writer) => {
      await writer.addIdentities([{ type: 'thing', name: 'lost' }]);
    });
    await expect(write).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(store.graphs()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await store.close();
  });

  test('whose folder is replaced while it is open takes no write and answers no read', async () => {
    mkdirSync(join(folder, 'inner'));
    const store = await openSqliteStore(join(folder, 'inner', 'store.db'));
    await store.createGraph('default');
    renameSync(join(folder, 'inner'), join(folder, 'away'));
    writeFileSync(join(folder, 'inner'), 'a file');
    const write = store.write({ graph: 'default' }, { actor: 'a', tool: 't' }, async (writer) => {
      await writer.addIdentities([{ type: 'thing', name: 'lost' }]);
    });
    await expect(write).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(store.graphs()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    rmSync(join(folder, 'inner'));
    renameSync(join(folder, 'away'), join(folder, 'inner'));
    expect((await store.graphs()).map(({ name }) => name)).toEqual(['default']);
    await store.close();
  });

  test('has its text indexed soon after the writing pauses', async () => {
    const store = await openSqliteStore(file());
    await store.createGraph('default');
    await store.write({ graph: 'default' }, { actor: 'a', tool: 't' }, async (writer) => {
      const [identity] = await writer.addIdentities([{ type: 'thing', name: 'a' }]);
      if (identity) await writer.putNodes([{ id: identity.node, type: 'thing', name: 'a' }]);
    });
    const connection = new SqliteConnection(file());
    await expect.poll(() => pendingCount(connection)).toBe(0);
    const hits = await connection.all(
      sql`select rowid from text_stems where text_stems match ${stemToken(1, 'a')}`,
    );
    expect(hits).toHaveLength(1);
    connection.close();
    await store.close();
  });

  test('is found undamaged while its text index is merged by the connection that writes', async () => {
    const store = await openSqliteStore(file());
    const connection = new SqliteConnection(file());
    await store.createGraph('default');
    for (let write = 0; write < 6; write++) {
      await store.write({ graph: 'default' }, { actor: 'a', tool: 't' }, async (writer) => {
        const [identity] = await writer.addIdentities([{ type: 'thing', name: `n${write}` }]);
        if (identity) await writer.putNodes([{ id: identity.node, type: 'thing', name: `n${write}` }]);
      });
      await expect.poll(() => pendingCount(connection)).toBe(0);
      expect(await store.check()).toEqual([]);
    }
    connection.close();
    await store.close();
  });

  test('may be made by many at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const path = join(folder, `new-${round}.db`);
      const stores = await Promise.all(Array.from({ length: 8 }, () => openSqliteStore(path)));
      for (const store of stores) await store.close();
    }
  });

  test('may be opened by several stores at once, which see each other’s writes', async () => {
    const [one, two] = await Promise.all([openSqliteStore(file()), openSqliteStore(file())]);
    await one.createGraph('default');
    const author = { actor: 'a', tool: 't' };
    const add = (store: typeof one, name: string) =>
      store.write({ graph: 'default' }, author, async (writer) => {
        const [identity] = await writer.addIdentities([{ type: 'thing', name }]);
        if (identity) await writer.putNodes([{ id: identity.node, type: 'thing', name }]);
      });
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(index % 2 ? one : two, `n${index}`)));
    for (const store of [one, two]) {
      expect((await store.read({ graph: 'default' }, (reader) => reader.counts())).nodes).toBe(20);
      await store.close();
    }
  });
});
