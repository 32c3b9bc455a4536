import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

describe('token create', () => {
  test('prints the token alone on standard output, and stores its hash alone', async () => {
    const { code, stdout, stderr } = await sandbox.run(['token', 'create', '--actor', 'ann']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^trellis_[\w-]{43}\n$/);
    const hash = createHash('sha256').update(stdout.trim()).digest('hex');
    expect(stderr).toContain(`with the id ${hash.slice(0, 8)}`);
    const stored = await readFile(sandbox.path('tokens.json'), 'utf8');
    expect(stored).not.toContain(stdout.trim());
    expect(JSON.parse(stored)).toMatchObject({ ann: { hash: `sha256:${hash}` } });
    expect((await stat(sandbox.path('tokens.json'))).mode & 0o777).toBe(0o600);
  });

  test('takes groups, a tenant, an end and another file', async () => {
    const flags = ['--groups', 'a, b', '--tenant', 'acme', '--expires', '30d', '--file', 't.json', '--json'];
    const { stdout } = await sandbox.run(['token', 'create', '--actor', 'ann', ...flags]);
    const made = JSON.parse(stdout);
    expect(made).toMatchObject({
      actor: 'ann',
      groups: ['a', 'b'],
      tenant: 'acme',
      file: sandbox.path('t.json'),
    });
    const days = (Date.parse(made.expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    expect(JSON.parse(await readFile(sandbox.path('t.json'), 'utf8'))).toMatchObject({
      ann: { groups: ['a', 'b'], tenant: 'acme', expires: made.expires },
    });
  });

  test.each([
    ['no actor', []],
    ['an empty actor', ['--actor', '']],
    ['a line break in an actor', ['--actor', 'a\nb']],
    ['an empty group', ['--actor', 'ann', '--groups', 'a,,b']],
    ['an end that is no time', ['--actor', 'ann', '--expires', 'soon']],
    ['an end in the past', ['--actor', 'ann', '--expires', '2020-01-01']],
    ['an end at once', ['--actor', 'ann', '--expires', '0d']],
  ])('with %s is wrong usage and makes no file', async (_, flags) => {
    expect((await sandbox.run(['token', 'create', ...flags])).code).toBe(2);
    await expect(stat(sandbox.path('tokens.json'))).rejects.toThrow();
  });
});

describe('token list and revoke', () => {
  async function create(
    actor: string,
    ...flags: string[]
  ): Promise<{ readonly id: string; readonly token: string }> {
    const { stdout } = await sandbox.run(['token', 'create', '--actor', actor, '--json', ...flags]);
    return JSON.parse(stdout);
  }

  test('show ids, never tokens or hashes', async () => {
    const ann = await create('ann', '--groups', 'team', '--expires', '2999-01-01');
    const bob = await create('bob', '--tenant', 'acme');
    const { stdout } = await sandbox.run(['token', 'list']);
    expect(stdout).toBe(
      `${ann.id}  ann  groups team  expires 2999-01-01T00:00:00.000Z\n${bob.id}  bob  tenant acme\n`,
    );
    const listed = JSON.parse((await sandbox.run(['token', 'list', '--json'])).stdout);
    expect(listed.tokens).toMatchObject([
      { id: ann.id, actor: 'ann', expired: false, in_clear: false },
      { id: bob.id },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/sha256|trellis_/);
  });

  test('take away one token, or all of an actor', async () => {
    const [one, two] = [await create('ann'), await create('ann')];
    await create('bob');
    const revoked = await sandbox.run(['token', 'revoke', '--id', one.id]);
    expect(revoked).toEqual({ code: 0, stdout: `Revoked 1 token of ann: ${one.id}\n`, stderr: '' });
    expect((await sandbox.run(['token', 'list'])).stdout).toContain(two.id);
    await sandbox.run(['token', 'revoke', '--actor', 'ann']);
    expect((await sandbox.run(['token', 'list'])).stdout).toMatch(/^[0-9a-f]{8} {2}bob\n$/);
    const again = await sandbox.run(['token', 'revoke', '--actor', 'ann', '--json']);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stderr).error.code).toBe('NOT_FOUND');
  });

  test('want either an actor or an id', async () => {
    await create('ann');
    expect((await sandbox.run(['token', 'revoke'])).code).toBe(2);
    expect((await sandbox.run(['token', 'revoke', '--actor', 'ann', '--id', '00000000'])).code).toBe(2);
  });

  test('a file that is not there is an error', async () => {
    const { code, stderr } = await sandbox.run(['token', 'list']);
    expect(code).toBe(1);
    expect(stderr).toContain('Cannot read');
  });
});

describe('without --file', () => {
  const configure = (text: string) => writeFile(sandbox.path('trellis.yaml'), text);

  test('the tokens are those that the server of the configuration takes', async () => {
    await mkdir(sandbox.path('etc'));
    await configure('auth: { tokens: { file: etc/agents.json } }');
    const { stdout } = await sandbox.run(['token', 'create', '--actor', 'ann', '--json']);
    expect(JSON.parse(stdout).file).toBe(sandbox.path('etc', 'agents.json'));
    expect((await sandbox.run(['token', 'list'])).stdout).toContain('ann');
    expect((await sandbox.run(['token', 'revoke', '--actor', 'ann'])).code).toBe(0);
    await expect(stat(sandbox.path('tokens.json'))).rejects.toThrow();
  });

  test('tokens in a variable cannot be written, and the way out is told', async () => {
    await configure('auth: { tokens: { env: AGENT_TOKENS } }');
    const { code, stdout, stderr } = await sandbox.run(['token', 'create', '--actor', 'ann']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/AGENT_TOKENS.*--file/s);
    expect((await sandbox.run(['token', 'create', '--actor', 'ann', '--file', 't.json'])).code).toBe(0);
  });
});
