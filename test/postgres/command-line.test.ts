import { expect, onTestFinished, test } from 'vitest';
import { useSandbox } from '../cli/run-cli.js';
import { freshDatabase } from './support/fresh-database.js';
import { isCitus } from './support/nodes.js';

const sandbox = useSandbox();

async function databaseWithNodes(): Promise<{ readonly url: string; readonly readOnly: string }> {
  const { url, query, drop } = await freshDatabase();
  onTestFinished(drop);
  await query('create extension if not exists vector');
  const add = (name: string, fact: string) =>
    sandbox.run(['add', name, '--type', 'person', '--observation', fact, '--store', url]);
  await add('Ada', 'wrote the first program');
  await sandbox.run(['embed', '--store', url]);
  await add('Bob', 'reads logs');
  const readOnly = new URL(url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  return { url, readOnly: readOnly.href };
}

test('doctor prints the versions of the server and its extensions, and the size of the data', async () => {
  const { url } = await databaseWithNodes();
  const { stdout } = await sandbox.run(['doctor', '--store', url]);
  const layout = isCitus ? 'distributed by graph over 2 nodes of a Citus cluster' : 'in one database';
  expect(/^The data: (.*)$/m.exec(stdout)?.[1]).toMatch(
    /^postgres, PostgreSQL 1\d\.\d+,.* pgvector \d+\.\d+\.\d+, [^,]*, .*[KM]iB$/,
  );
  expect(stdout).toContain(`, ${layout}, `);
  const { data } = JSON.parse((await sandbox.run(['doctor', '--store', url, '--json'])).stdout);
  expect(data).toMatchObject({
    bytes: expect.any(Number),
    versions: { PostgreSQL: expect.any(String), pgvector: expect.any(String) },
  });
});

test('reads of a read-only store do not complain that they cannot embed, nor say to do it there', async () => {
  const { readOnly } = await databaseWithNodes();
  const stats = await sandbox.run(['stats', '--store', readOnly]);
  expect(stats).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('50 %') });
  const found = await sandbox.run(['search', 'logs', '--store', readOnly]);
  expect(found.stdout).toContain('person Bob');
  expect(found.stderr).toBe(
    'trellis: 1 observation is not embedded yet and can be found only by words. The store is read-only here; texts are embedded where it can be written.\n',
  );
});
