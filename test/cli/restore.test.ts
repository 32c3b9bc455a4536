import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cliPath, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
// In processes of their own: one that has opened a database may keep it open until it ends.
const run = (args: readonly string[]) => sandbox.runProcess(args);

describe.each(['db', 'jsonl'])('a store ending in .%s', (ending) => {
  const store = `memory.${ending}`;
  const backup = `backup.${ending}`;
  const on = ['--store', store];
  const add = (name: string) => run(['add', name, '--type', 'person', '--observation', 'a fact', ...on]);
  const names = async () => (await run(['export', '-', ...on])).stdout.match(/(?<="name":")[^"]+/g) ?? [];

  test('is again what it was, and what was there is kept', async () => {
    await add('Ann');
    expect((await run(['backup', backup, ...on])).code).toBe(0);
    await add('Bob');
    await run(['add', 'Bob', '--relation', 'knows -> Ann', ...on]);
    const refused = await run(['restore', backup, ...on]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has default with 2 nodes and 1 edge. [CONFIRMATION_NEEDED]'),
    });
    expect(await names()).toEqual(['Ann', 'Bob']);
    const restored = await run(['restore', backup, ...on, '--force', '--json']);
    expect(restored.code).toBe(0);
    expect(await readdir(sandbox.folder)).not.toContain(`${store}-wal`);
    expect(await names()).toEqual(['Ann']);
    const { replaced, graphs } = JSON.parse(restored.stdout);
    expect(graphs).toMatchObject([{ name: 'default', nodes: 1 }]);
    expect(await readFile(replaced)).not.toHaveLength(0);
    expect((await readdir(sandbox.folder)).filter((file) => file.includes('restoring'))).toEqual([]);
  });

  test('is still there if the restore is killed before it is replaced', async () => {
    await add('Ann');
    await run(['backup', backup, ...on]);
    await add('Bob');
    const preload = sandbox.path('kill.mjs');
    await writeFile(
      preload,
      `import fs from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      const { rename } = fs;
      fs.rename = (from, to) => (from.includes('.restoring') ? process.kill(process.pid, 'SIGKILL') : rename(from, to));
      syncBuiltinESMExports();`,
    );
    const killed = await sandbox.runProcess(['restore', backup, ...on, '--force'], {
      NODE_OPTIONS: `--import=${pathToFileURL(preload)}`,
    });
    expect(killed.code).not.toBe(0);
    expect(await names()).toEqual(['Ann', 'Bob']);
    expect((await run(['restore', backup, ...on, '--force'])).code).toBe(0);
    expect(await names()).toEqual(['Ann']);
  });

  test('can be made new, without touching the backup', async () => {
    await add('Ann');
    await run(['backup', backup, ...on]);
    const before = await readFile(sandbox.path(backup));
    expect((await run(['restore', backup, '--store', `new.${ending}`])).code).toBe(0);
    expect(await readFile(sandbox.path(backup))).toEqual(before);
    const { stdout } = await run(['stats', '--store', `new.${ending}`, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ nodes: 1 });
  });

  test('is not replaced by a damaged or missing backup', async () => {
    await add('Ann');
    await writeFile(sandbox.path(backup), 'not a store');
    expect((await run(['restore', backup, ...on, '--force'])).code).toBe(1);
    expect((await run(['restore', 'nowhere.db', ...on, '--force'])).code).toBe(1);
    expect(await names()).toEqual(['Ann']);
  });
});

test('a database that a server has open is refused', async () => {
  await run(['add', 'Ann', '--type', 'person', '--store', 'm.db']);
  await run(['backup', 'b.db', '--store', 'm.db']);
  const child = spawn(process.execPath, [cliPath, 'serve', '--port', '0', '--store', 'm.db'], {
    cwd: sandbox.folder,
    env: sandbox.env,
  });
  try {
    await once(child.stdout, 'data');
    expect(await run(['restore', 'b.db', '--store', 'm.db', '--force'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is in use'),
    });
  } finally {
    child.kill();
    await once(child, 'exit');
  }
  expect((await run(['restore', 'b.db', '--store', 'm.db', '--force'])).code).toBe(0);
});

test('PostgreSQL has tools of its own', async () => {
  expect(await run(['restore', 'b.db', '--store', 'postgres://localhost/x'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('pg_restore'),
  });
});
