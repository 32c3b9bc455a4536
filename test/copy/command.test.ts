import { readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { defaultGraph } from '../../src/model/graph-record.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { graphDigest } from '../../src/transfer/graph-digest.js';
import { useSandbox } from '../cli/run-cli.js';
import { freshDatabase } from '../postgres/support/fresh-database.js';
import { storeWithHistory } from './history.js';

const made = { seed: 41, operations: 100, together: 3 };
const entity = '{"type":"entity","name":"Ada","entityType":"person","observations":["Writes"]}\n';

describe('trellis copy', () => {
  const sandbox = useSandbox();
  const source = async (graphs: readonly string[] = []) => {
    const store = await storeWithHistory(sandbox.path('a.db'), made);
    for (const graph of graphs) await store.createGraph(graph);
    const digest = await graphDigest(store, defaultGraph);
    const commits = (await store.commitsSince(defaultGraph, 0, 10_000)).length;
    await store.close();
    return { digest, commits };
  };

  test('copies every graph of a store, and prints the digest of each', async () => {
    const { digest, commits } = await source(['empty']);
    const outcome = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.db']);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toContain(`Copied ${defaultGraph}: ${commits} commits.\n  digest ${digest}\n`);
    expect(outcome.stdout).toContain('Copied empty: 0 commits.\n');
    const again = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.db', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({
      from: sandbox.path('a.db'),
      to: sandbox.path('b.db'),
      graphs: [
        { name: defaultGraph, history: true, commits: 0, already_there: commits, digest },
        { name: 'empty', commits: 0, already_there: 0 },
      ],
      lost: [],
    });
  });

  test('--graph copies one; one that is not there is an error', async () => {
    await source(['work']);
    expect((await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.db', '--graph', 'work'])).code).toBe(0);
    const listed = await sandbox.run(['graph', 'list', '--store', 'b.db']);
    expect(listed.stdout).toBe('work\n');
    const wrong = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.db', '--graph', 'nope']);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('GRAPH_NOT_FOUND');
  });

  test('to JSON lines: refused with a list, and then with --allow-loss done and noted', async () => {
    const { commits } = await source();
    const refused = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.jsonl']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`would be lost: the history (commits: ${commits})`);
    expect(refused.stderr).toContain('would be lost: the branches');
    expect(refused.stderr).toContain(
      '[CAPABILITY_MISSING]\n  Copy into a database, or accept the loss with --allow-loss',
    );
    expect((await readdir(sandbox.folder)).filter((name) => !name.startsWith('a.db'))).toEqual([]);
    const json = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.jsonl', '--json']);
    expect(JSON.parse(json.stderr).error.details.losses[0]).toContain('the history');
    const done = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.jsonl', '--allow-loss']);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('1 commit, without history.');
    expect(done.stderr).toContain('trellis: lost: the history');
  });

  test('after gc: refused, naming the graph and the reason, and what copies everything', async () => {
    const { commits } = await source(['work']);
    expect((await sandbox.run(['gc', '--keep', '0s', '--store', 'a.db'])).code).toBe(0);
    const refused = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.db']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `would be lost: default: the history (commits: ${commits}), because trellis gc has dropped part of it: who wrote`,
    );
    expect(refused.stderr).not.toContain('lost: work');
    expect(refused.stderr).toContain(
      '\n  To keep everything, use trellis backup, or accept the loss with --allow-loss.',
    );
    const done = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.db', '--allow-loss']);
    expect(done.stdout).toContain('Copied default: 1 commit, without history.');
  });

  test('gc that drops nothing leaves the history copyable', async () => {
    for (let time = 0; time < 4; time += 1) {
      await writeFile(sandbox.path('a.jsonl'), entity.replace('Ada', `Ada ${time}`));
      expect((await sandbox.run(['import', 'a.jsonl', '--store', 'a.db'])).code).toBe(0);
    }
    const collected = await sandbox.run(['gc', '--keep', '0s', '--store', 'a.db']);
    expect(collected.stdout).toBe(
      'default: deleted old versions of 0 nodes, 0 observations, 0 edges; 0 commits can no longer be read.\n',
    );
    const copied = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.db']);
    expect(copied.stdout).toContain('Copied default: 4 commits.');
  });

  test('several graphs do not go into one file of JSON lines', async () => {
    await source(['work']);
    const refused = await sandbox.run(['copy', '--from', 'a.db', '--to', 'b.jsonl', '--allow-loss']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('has 2 graphs');
    expect(refused.stderr).toContain('default, work');
    expect(refused.stderr).toContain('--graph');
  });

  test('from JSON lines: what is in no graph is a loss, found before anything is made', async () => {
    await writeFile(sandbox.path('a.jsonl'), `${entity}not json\n`);
    const refused = await sandbox.run(['copy', '--from', 'a.jsonl', '--to', 'b.db']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('would be lost: line 2, which is not JSON');
    expect(refused.stderr).toContain('\n  Fix these lines, or accept the loss with --allow-loss.');
    expect(await readdir(sandbox.folder)).toEqual(['a.jsonl']);
    await writeFile(sandbox.path('a.jsonl'), entity);
    expect((await sandbox.run(['copy', '--from', 'a.jsonl', '--to', 'b.db'])).code).toBe(0);
    expect((await sandbox.run(['copy', '--from', 'b.db', '--to', 'c.jsonl', '--allow-loss'])).code).toBe(0);
    expect(await readFile(sandbox.path('c.jsonl'), 'utf8')).toBe(entity);
  });

  test('wrong usage: a missing flag, one store twice, a store of no known kind', async () => {
    await source();
    for (const args of [
      ['--from', 'a.db'],
      ['--from', 'a.db', '--to', './a.db'],
      ['--from', 'a.db', '--to', 'b.txt'],
      ['--from', 'a.db', '--to', ''],
    ]) {
      expect(await sandbox.run(['copy', ...args])).toMatchObject({ code: 2, stdout: '' });
    }
    const missing = await sandbox.run(['copy', '--from', 'nothing.db', '--to', 'b.db']);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('STORE_UNAVAILABLE');
    expect((await readdir(sandbox.folder)).filter((name) => !name.startsWith('a.db'))).toEqual([]);
  });

  test('to PostgreSQL and back', async () => {
    const { digest } = await source();
    const database = await freshDatabase();
    try {
      const there = await sandbox.run(['copy', '--from', 'a.db', '--to', database.url]);
      expect(there).toMatchObject({ code: 0, stderr: '' });
      expect(there.stdout).toContain(digest);
      const password = new URL(database.url).password;
      const back = await sandbox.run(['copy', '--from', database.url, '--to', 'b.db', '--json']);
      expect(back).toMatchObject({ code: 0, stderr: '' });
      if (password !== '') expect(back.stdout).not.toContain(`:${password}@`);
      const store = await openStoreAtLocation(sandbox.path('b.db'));
      expect(await graphDigest(store, defaultGraph)).toBe(digest);
      await store.close();
    } finally {
      await database.drop();
    }
  });
});
