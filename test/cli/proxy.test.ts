import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StdioProcess } from '../helpers/stdio-process.js';
import { answerJson, FakeServer } from '../proxy/fake-server.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
const pong = `${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\n`;
let server: FakeServer;

beforeEach(async () => {
  server = await FakeServer.start((arrived, response) => answerJson(arrived, response));
  await mkdir(sandbox.path('home/.config/trellis'), { recursive: true });
});
afterEach(() => server.close());

const proxy = (args: readonly string[], env: Record<string, string> = {}) =>
  sandbox.run(['proxy', ...args], env, ping);
const servers = (entry: string) => `servers:\n  edge-1: { endpoint: "${server.url}", ${entry} }\n`;
const sentToken = () => server.arrived.map(({ headers }) => headers['authorization']);

test('passes messages, prints nothing else on stdout, and ends with the client', async () => {
  const { code, stdout, stderr } = await proxy(['--url', server.url, '--graph', 'work', '--branch', 'draft']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: pong });
  expect(stderr).toBe(`trellis: passing messages to ${server.url}/graphs/work/mcp?branch=draft\n`);
  expect(server.arrived).toMatchObject([{ method: 'POST', path: '/graphs/work/mcp?branch=draft' }]);
});

test('a workspace is named in the header', async () => {
  await proxy(['--url', server.url, '--workspace', 'notes']);
  expect(server.arrived[0]?.headers['x-memory-workspace']).toBe('notes');
});

test('ends when it is asked to, with 0', async () => {
  const child = new StdioProcess(['--url', server.url], 'proxy');
  await child.request('ping');
  child.child.kill('SIGTERM');
  expect(await child.exited).toEqual({ code: 0, signal: null });
});

test.each([
  [['--url', 'http://x', '--server', 'y'], /Name the server/],
  [[], /Name the server/],
  [['--url', 'nonsense'], /must start with http/],
])('%j is wrong usage', async (args, words) => {
  const { code, stdout, stderr } = await proxy(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(words);
});

describe('the token', () => {
  test('for an address is in TRELLIS_TOKEN', async () => {
    await proxy(['--url', server.url], { TRELLIS_TOKEN: 'abc' });
    expect(sentToken()).toEqual(['Bearer abc']);
  });

  test('is not sent over plain http to another machine, unless that is wanted', async () => {
    const refused = await proxy(['--url', 'http://192.0.2.1'], { TRELLIS_TOKEN: 'abc' });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--insecure');
    const { code } = await sandbox.run(['proxy', '--url', 'http://192.0.2.1', '--insecure'], {
      TRELLIS_TOKEN: 'abc',
    });
    expect(code).toBe(0);
  });

  test('of a named server is where the configuration says: in a variable', async () => {
    await writeFile(sandbox.path('team.yaml'), servers('auth: { token: { env: TEAM } }'));
    const args = ['--server', 'edge-1', '--config', 'team.yaml'];
    // What is said wins: the variable for servers of this name is not asked.
    await proxy(args, { TEAM: 'from-env', TRELLIS_TOKEN_EDGE_1: 'other' });
    expect(sentToken()).toEqual(['Bearer from-env']);
    const unset = await proxy(args, { TRELLIS_TOKEN_EDGE_1: 'other' });
    expect(unset.code).toBe(1);
    expect(unset.stderr).toContain('TEAM is not set (team.yaml:2)');
  });

  test('trust 24: or in the variable that bearer_token_env names, which must not be said twice', async () => {
    await writeFile(sandbox.path('team.yaml'), servers('bearer_token_env: TEAM'));
    const args = ['--server', 'edge-1', '--config', 'team.yaml'];
    await proxy(args, { TEAM: 'from-env', TRELLIS_TOKEN_EDGE_1: 'other' });
    expect(sentToken()).toEqual(['Bearer from-env']);
    const unset = await proxy(args, { TRELLIS_TOKEN_EDGE_1: 'other' });
    expect(unset.stderr).toContain('TEAM is not set (team.yaml:2)');
    await writeFile(sandbox.path('team.yaml'), servers('bearer_token_env: A, auth: { token: { env: B } }'));
    const twice = await proxy(args, {});
    expect(twice.stderr).toContain('must say where the token is once');
  });

  test('or printed by a command, which no shell sees', async () => {
    const command = JSON.stringify([process.execPath, '-e', 'console.log(process.argv[1])', 'a;echo$HOME']);
    await writeFile(sandbox.path('team.yaml'), servers(`auth: { token: { command: ${command} } }`));
    const refused = await proxy(['--server', 'edge-1', '--config', 'team.yaml']);
    // The argument came through as it is, and is no token.
    expect(refused.stderr).toMatch(/printed does not contain a token/);
    const sound = JSON.stringify([process.execPath, '-e', 'console.log("from-command")']);
    await writeFile(sandbox.path('team.yaml'), servers(`auth: { token: { command: ${sound} } }`));
    await proxy(['--server', 'edge-1', '--config', 'team.yaml']);
    expect(sentToken()).toEqual(['Bearer from-command']);
  });

  test.each([
    ['that fails', ['false'], /ended with 1/],
    ['that is not there', ['no-such-program-here'], /no such program/],
    ['that prints nothing', ['true'], /does not contain a token/],
  ])('a command %s is told', async (_, command, words) => {
    await writeFile(
      sandbox.path('team.yaml'),
      servers(`auth: { token: { command: ${JSON.stringify(command)} } }`),
    );
    const { code, stderr } = await proxy(['--server', 'edge-1', '--config', 'team.yaml']);
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(stderr).toContain('[CREDENTIALS_UNAVAILABLE]');
  });

  test('if nothing is said: in its variable, else in the file of credentials, else there is none', async () => {
    await writeFile(sandbox.path('home/.config/trellis/servers.yaml'), servers(''));
    const credentials = sandbox.path('home/.config/trellis/credentials');
    await proxy(['--server', 'edge-1']);
    await writeFile(credentials, '# mine\n[other]\ntoken = x\n\n[edge-1]\ntoken = from-file\n', {
      mode: 0o600,
    });
    await proxy(['--server', 'edge-1']);
    await proxy(['--server', 'edge-1'], { TRELLIS_TOKEN_EDGE_1: 'from-env' });
    expect(sentToken()).toEqual([undefined, 'Bearer from-file', 'Bearer from-env']);
  });

  test.each([0o644, 0o640, 0o602])('a file of credentials with mode %o is refused', async (mode) => {
    await writeFile(sandbox.path('home/.config/trellis/servers.yaml'), servers(''));
    const credentials = sandbox.path('home/.config/trellis/credentials');
    await writeFile(credentials, '[edge-1]\ntoken = from-file\n');
    await chmod(credentials, mode);
    const { code, stdout, stderr } = await proxy(['--server', 'edge-1']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`chmod 600 ${credentials}`);
    expect(server.arrived).toEqual([]);
  });

  test.each([
    'token = lost\n',
    '[edge-1]\nsecret-token\n',
    '[edge-1]\ntoken = a b\n',
    '[edge-1]\ntoken = a\ntoken = b\n',
  ])('a file of credentials that cannot be read is named with its line, and not shown: %j', async (text) => {
    await writeFile(sandbox.path('home/.config/trellis/servers.yaml'), servers(''));
    await writeFile(sandbox.path('home/.config/trellis/credentials'), text, { mode: 0o600 });
    const { code, stderr } = await proxy(['--server', 'edge-1']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/credentials:\d+ cannot be read/);
    expect(stderr).not.toMatch(/lost|secret-token|a b/);
  });
});

describe('the servers', () => {
  test('are not taken from a file that only lies in the working directory', async () => {
    await writeFile(sandbox.path('trellis.yaml'), servers(''));
    const { code, stderr } = await proxy(['--server', 'edge-1'], { TRELLIS_TOKEN_EDGE_1: 'abc' });
    expect(code).toBe(1);
    expect(stderr).toContain('trellis.yaml:2 names it, but is only in the working directory');
    expect(server.arrived).toEqual([]);
    await proxy(['--server', 'edge-1'], { TRELLIS_CONFIG: 'trellis.yaml' });
    expect(server.arrived).toHaveLength(1);
  });

  test.each([
    ['an inlined token', 'auth: { token: "s3cr3t" }', /must say where the token is, not what it is/],
    ['a token said twice', 'auth: { token: { env: A, command: [b] } }', /must say where the token is/],
    ['OAuth', 'auth: { oauth: { issuer: x } }', /oauth is not supported/],
    ['two addresses', 'url: "http://localhost"', /with endpoint or with url/],
    ['an empty command', 'auth: { token: { command: [] } }', /at least 1/],
  ])('%s is refused', async (_, entry, words) => {
    await writeFile(sandbox.path('team.yaml'), servers(entry));
    const { code, stderr } = await proxy(['--server', 'edge-1', '--config', 'team.yaml']);
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('s3cr3t');
  });

  test('a password in an address is refused, and not shown', async () => {
    await writeFile(sandbox.path('team.yaml'), 'servers: { a: { url: "https://ann:s3cr3t@x.example" } }\n');
    const { stderr } = await proxy(['--server', 'a', '--config', 'team.yaml']);
    expect(stderr).toContain('must not hold a password');
    expect(stderr).not.toContain('s3cr3t');
  });

  test('one that is not there is named, with the one that was meant', async () => {
    await writeFile(sandbox.path('team.yaml'), servers(''));
    const { code, stderr } = await proxy(['--server', 'edge-2', '--config', 'team.yaml']);
    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean edge-1?');
    for (const name of ['__proto__', 'constructor']) {
      expect((await proxy(['--server', name, '--config', 'team.yaml'])).stderr).toContain('[NOT_FOUND]');
    }
  });

  test('a file of servers holds nothing else', async () => {
    await writeFile(sandbox.path('home/.config/trellis/servers.yaml'), `store: a.db\n${servers('')}`);
    const { code, stderr } = await proxy(['--server', 'edge-1']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/servers\.yaml:1 says store/);
  });
});
