import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { personSchema, useTypedSandbox } from './typed-files.js';

const sandbox = useTypedSandbox();

const run = (...args: string[]) => sandbox.run([...args, '--store', 's.db']);
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};
const head = async (branch = 'main') => (await json('log', '--branch', branch)).commits[0].id;
const grow = (age: number) => `query grow() { update Person set { age: ${age} } where email = "ada" }`;

beforeEach(async () => {
  await writeFile(sandbox.path('more.pg'), `${personSchema}node City { name: String @key }\n`);
  await writeFile(sandbox.path('ada.ndjson'), '{"type":"Person","data":{"email":"ada","age":40}}\n');
  await json('schema', 'apply', 'work.pg');
  await json('ingest', 'people.ndjson');
});

describe('--if-commit', () => {
  test.each([
    ['mutate', ['mutate', grow(40)]],
    ['ingest', ['ingest', 'ada.ndjson']],
    ['schema apply', ['schema', 'apply', 'more.pg']],
    ['branch merge', ['branch', 'merge', 'review']],
  ])('%s writes if the commit is the head, and not if the branch moved on', async (_, words) => {
    await json('branch', 'create', 'review');
    await json('mutate', grow(40), '--branch', 'review');
    const before = await head();
    await json('mutate', 'query eve() { insert Person { email: "eve" } }');
    const after = await head();
    const refused = await run(...words, '--if-commit', before, '--json');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'HEAD_MOVED',
      details: { expected: before, head: after },
    });
    expect(await head()).toBe(after);
    const done = await json(...words, '--if-commit', after);
    expect(done.commit_id).toBe(await head());
    expect(done.commit_id).not.toBe(after);
  });

  test('the refusal names what was changed since', async () => {
    const before = await head();
    await json('mutate', grow(37));
    const { code, stderr } = await run('mutate', grow(40), '--if-commit', before);
    expect(code).toBe(1);
    expect(stderr).toContain('[HEAD_MOVED]');
    expect(stderr).toContain('ada');
  });
});

describe('ingest --mode overwrite', () => {
  const overwrite = ['ingest', 'ada.ndjson', '--mode', 'overwrite'];

  test('is refused if edges of other types would go, and done with --cascade', async () => {
    const before = await head();
    const refused = await run(...overwrite);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('Knows');
    expect(refused.stderr).toContain('cascade');
    expect(await head()).toBe(before);
    await json(...overwrite, '--cascade');
    expect((await run('export', '--format', 'graph')).stdout).toBe(
      '{"type":"Person","data":{"email":"ada","age":40}}\n',
    );
  });
});

describe('export --ids', () => {
  test('writes the id of every node, and ingest takes the lines back', async () => {
    const { code, stdout } = await run('export', '--format', 'graph', '--ids');
    expect([code, stdout]).toEqual([
      0,
      [
        '{"type":"Person","id":"ada","data":{"email":"ada","age":36}}',
        '{"type":"Person","id":"bob","data":{"email":"bob"}}',
        '{"edge":"Knows","from":"ada","to":"bob","data":{}}',
        '',
      ].join('\n'),
    ]);
    const again = await sandbox.run(['ingest', '--store', 's.db'], {}, stdout);
    expect(again.stdout).toBe('Nothing new: 2 nodes, 1 edge already stored.\n');
  });
});
