import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../sql/sql.js';
import { SqliteConnection } from '../sqlite-connection.js';
import { WriteThread } from './write-thread.js';

let folder: string;
let other: SqliteConnection;
let thread: WriteThread;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-thread-'));
  const path = join(folder, 'a.db');
  other = new SqliteConnection(path);
  other.exec('pragma journal_mode = wal; create table fact (id integer primary key, text text not null)');
  thread = new WriteThread(path);
});

afterEach(async () => {
  await thread.close();
  other.close();
  await rm(folder, { recursive: true });
});

const insert = (id: number, text: string | null) => thread.insert('fact', ['id', 'text'], [[id, text]]);
const facts = async () => (await other.all(sql`select text from fact order by id`)).map(({ text }) => text);

test('statements run in the order in which they were sent, and others see them once committed', async () => {
  await thread.transaction(async () => {
    insert(1, 'one');
    thread.run(sql`update fact set text = 'two' where id = 1`);
    expect(await thread.all(sql`select text from fact`)).toEqual([{ text: 'two' }]);
    expect(await facts()).toEqual([]);
  });
  expect(await facts()).toEqual(['two']);
});

test('the error of a statement that nobody waits for is the next answer, and nothing is stored', async () => {
  const writing = thread.transaction(async () => {
    insert(1, 'one');
    insert(2, null);
    insert(3, 'three');
  });
  await expect(writing).rejects.toMatchObject({ message: expect.stringContaining('NOT NULL') });
  expect(await facts()).toEqual([]);
  await thread.transaction(async () => insert(4, 'four'));
  expect(await facts()).toEqual(['four']);
});

test('work that fails is undone', async () => {
  const failing = thread.transaction(async () => {
    insert(1, 'one');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await facts()).toEqual([]);
});

test('a transaction that the database has dropped is not called durable', async () => {
  const dropped = thread.transaction(async () => {
    insert(1, 'one');
    thread.exec('rollback');
  });
  await expect(dropped).rejects.toThrow('The database dropped the transaction.');
  expect(await facts()).toEqual([]);
});

test('it waits for whoever has the lock', async () => {
  other.exec("begin immediate; insert into fact values (1, 'theirs')");
  const writing = thread.transaction(async () => insert(2, 'ours'));
  await new Promise((done) => setTimeout(done, 100));
  other.exec('commit');
  await writing;
  expect(await facts()).toEqual(['theirs', 'ours']);
});

test('a thread that has ended says so', async () => {
  await thread.close();
  await expect(thread.all(sql`select 1`)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

test('a database that cannot be opened fails what is asked, and the thread ends', async () => {
  const nowhere = new WriteThread(join(folder, 'missing', 'b.db'));
  await expect(nowhere.flush()).rejects.toMatchObject({ message: expect.stringContaining('unable to open') });
  await nowhere.close();
});

test('catching up waits for what was sent before the last time, and reports its error', async () => {
  await thread.transaction(async () => {
    insert(1, 'one');
    await thread.catchUp();
    await thread.catchUp();
    thread.insert(
      'fact',
      ['id', 'text'],
      [
        [1, 'uno'],
        [2, 'two'],
      ],
      { missing: true },
    );
  });
  expect(await facts()).toEqual(['one', 'two']);
  const failing = thread.transaction(async () => {
    insert(3, null);
    await thread.catchUp();
    await thread.catchUp();
    throw new Error('not reported');
  });
  await expect(failing).rejects.toMatchObject({ message: expect.stringContaining('NOT NULL') });
});
