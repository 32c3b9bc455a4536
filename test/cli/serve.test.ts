import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { person } from '../gate/gate-client.js';
import { toolNames, withClient } from '../server/helpers.js';
import { cliPath, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
});

/** Starts `trellis serve` and waits for what it prints. */
async function serve(args: readonly string[], env: Record<string, string> = {}, command = 'serve') {
  const child = spawn(process.execPath, [cliPath, command, ...args], {
    cwd: sandbox.folder,
    env: { ...sandbox.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let warned = '';
  child.stderr?.on('data', (chunk) => {
    warned += String(chunk);
  });
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    if (/Ctrl-C|\}\n$/.test(printed)) break;
  }
  const url = /http:\/\/[^\s"]+\/mcp/.exec(printed)?.[0] ?? '';
  return { child, printed, url, errors: () => warned };
}

test('says where it listens, where the data is and how to add it to a client', async () => {
  const { printed, url } = await serve(['--port', '0']);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(printed).toContain(`The data is in ${sandbox.path('data', 'trellis', 'trellis.db')}, graph default`);
  expect(printed).toContain(`claude mcp add --scope user --transport http trellis ${url}`);
  expect(printed).toContain(` install cursor --url ${url}\n`);
  const health = await fetch(url.replace('/mcp', '/healthz'));
  expect(await health.json()).toMatchObject({ status: 'ok' });
});

test('ui serves a store that it is told, and says where to look at it', async () => {
  const { printed } = await serve(['--store', 'work.db', '--graph', 'default', '--no-open'], {}, 'ui');
  const [, url = ''] = /The explorer is at (http:\S+)#\/default\n/.exec(printed) ?? [];
  expect(await (await fetch(url)).text()).toContain('<title>Trellis</title>');
});

test('ui opens the server that is running, if no store is named', async () => {
  const { url } = await serve(['--port', '0']);
  const { port } = new URL(url);
  const { code, stdout } = await sandbox.run(['ui', '--no-open'], { TRELLIS_SERVER_PORT: port });
  expect([code, stdout]).toEqual([
    0,
    `The explorer is at http://127.0.0.1:${port}/\nA server was running there already.\n`,
  ]);
});

test.each([
  ['auth: { tokens: { file: x.json } }', 'auth.tokens.file', 'x.json', 'trellis token create --actor NAME'],
  ['policy: { file: x.yaml }', 'policy.file', 'x.yaml', 'docs/access.md'],
  ['graphs: { work: { policy: { file: x.cedar } } }', 'graphs.work.policy.file', 'x.cedar', 'docs/access.md'],
  ['graphs: { work: { schema: x.pg } }', 'graphs.work.schema', 'x.pg', 'docs/schema-language.md'],
])('names a missing file of the configuration, and the way out: %s', async (yaml, key, file, hint) => {
  const auth = yaml.startsWith('auth') ? '' : 'auth: { tokens: { file: tokens.json } }\n';
  await writeFile(sandbox.path('tokens.json'), '{}');
  await writeFile(sandbox.path('trellis.yaml'), `${yaml}\n${auth}`);
  const { code, stderr } = await sandbox.run(['serve', '--port', '0']);
  expect(code).toBe(1);
  expect(stderr).toContain(
    `trellis: trellis.yaml:1: ${key} is ${sandbox.path(file)}, which does not exist. [CONFIG_INVALID]\n`,
  );
  expect(stderr).toContain(hint);
});

test('with several graphs and tokens it says how to reach a graph, and to send a token', async () => {
  await writeFile(
    sandbox.path('trellis.yaml'),
    `auth: { tokens: { file: tokens.json } }
graphs: { my notes: { surface: mesh }, work: {} }
`,
  );
  await writeFile(sandbox.path('tokens.json'), '{}');
  const { printed, url } = await serve(['--port', '0']);
  const address = url.replace(/mcp$/, 'graphs/my%20notes/mesh/mcp');
  expect(printed).toContain('graphs my notes, work, each at /graphs/NAME/mcp');
  expect(printed).toContain(
    `claude mcp add --scope user --transport http trellis ${address} --header "Authorization: Bearer TOKEN"`,
  );
  expect(printed).toContain('they need the header "Authorization: Bearer TOKEN"');
});

test('the command for a token names the configuration, so that it writes the file that this server reads', async () => {
  await mkdir(sandbox.path('team'));
  const config = sandbox.path('team/server.yaml');
  await writeFile(config, 'store: ./team.db\nauth: { tokens: { file: tokens.json } }\n');
  await writeFile(sandbox.path('team/tokens.json'), '{}');
  const { printed } = await serve(['--port', '0', '--config', config]);
  expect(printed).toMatch(/^Clients need a token: .* token create --actor NAME --config /m);
  expect(printed).toContain(`${config}\n`);
});

test('trust 21: serves a store without a graph default, and says where its graphs are', async () => {
  for (const name of ['one', 'two']) await sandbox.run(['graph', 'create', name, '--store', 'team.db']);
  const { printed, url } = await serve(['--port', '0', '--store', 'team.db']);
  expect(printed).toContain(`The data is in ${sandbox.path('team.db')}, graphs one, two, each at`);
  expect(printed).toContain(url.replace(/mcp$/, 'graphs/one/memory/mcp'));
  expect(await withClient(url, toolNames)).toEqual(['health', 'graphs_list']);
  const json = await serve(['--port', '0', '--store', 'team.db', '--json']);
  expect(JSON.parse(json.printed)).toMatchObject({ graphs: ['one', 'two'] });
});

test('trust 38: a server on every address names one that a client can reach', async () => {
  await writeFile(sandbox.path('trellis.yaml'), 'auth: { tokens: { file: tokens.json } }\n');
  await writeFile(sandbox.path('tokens.json'), '{}');
  const { printed, url } = await serve(['--port', '0', '--host', '0.0.0.0']);
  expect(printed).not.toContain('0.0.0.0');
  expect(printed).toContain('For clients on other machines, set server.public_url to the address they use.');
  expect((await fetch(url.replace('/mcp', '/healthz'))).status).toBe(200);
});

test('trust 23: a start with auth and no policy says in one line that nobody may do anything yet', async () => {
  await writeFile(sandbox.path('trellis.yaml'), 'auth: { tokens: { file: tokens.json } }\n');
  await writeFile(sandbox.path('tokens.json'), '{}', { mode: 0o600 });
  const { errors } = await serve(['--port', '0']);
  expect(errors().split('\n')).toEqual([
    expect.stringMatching(/"level":"warn".*"msg":"No policy is configured, so nobody may do anything yet/),
    '',
  ]);
});

test('ends cleanly when asked to', async () => {
  const { child, url } = await serve(['--json', '--file', 'memory.jsonl'], { TRELLIS_SERVER_PORT: '0' });
  expect((await fetch(url.replace('/mcp', '/healthz'))).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a port that is taken is named', async () => {
  const { url } = await serve(['--port', '0']);
  const { port } = new URL(url);
  const { code, stderr } = await sandbox.run(['serve', '--port', port]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(`Port ${port}`);
});

test('schemas and gate of trellis.yaml reach the surfaces of each graph', async () => {
  await cp(fileURLToPath(new URL('../mesh/schemas', import.meta.url)), sandbox.path('own'), {
    recursive: true,
  });
  await writeFile(sandbox.path('people.yaml'), 'nodes: [{ label: Person, required_properties: [name] }]\n');
  await writeFile(
    sandbox.path('trellis.yaml'),
    `gate: { registry: people.yaml, unknown_label_policy: reject }
graphs:
  game: { schemas: ./own }
  work: { gate: { unknown_label_policy: remap, fallback_label: Person } }
`,
  );
  const { url } = await serve(['--port', '0']);
  const at = (place: string) => url.replace('/mcp', `/graphs/${place}/mcp`);
  const dog = person('Rex', { name: 'Rex' }, { label: 'Dog' });
  const writeDog = (place: string) =>
    withClient(at(place), async (client) => {
      await client.listTools();
      return (await client.callTool({ name: 'write_node', arguments: { ...dog } })).structuredContent;
    });
  expect(await withClient(at('game/mesh'), toolNames)).toContain('add_npc');
  expect(await withClient(at('work/mesh'), toolNames)).not.toContain('add_npc');
  expect(await writeDog('game/gate')).toMatchObject({ status: 'rejected' });
  expect(await writeDog('work/gate')).toMatchObject({ status: 'written', label: 'Person' });
});

test('everything on standard error is one JSON object per line, without a token', async () => {
  const lines = ['{"type":"entity","name":"A","entityType":"t","observations":[]}', 'oops'];
  await writeFile(sandbox.path('m.jsonl'), `${lines.join('\n')}\n`, { mode: 0o600 });
  await writeFile(sandbox.path('tokens.json'), '{"ann":"secret"}', { mode: 0o600 });
  await writeFile(
    sandbox.path('trellis.yaml'),
    'auth: { tokens: { file: tokens.json } }\nserver: { log: debug }\n',
  );
  const { child, url, errors } = await serve(['--port', '0', '--file', 'm.jsonl']);
  const call = (token: string) =>
    fetch(url, {
      ...{ method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
      headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    });
  await call('secret');
  await call('another-secret');
  child.kill('SIGTERM');
  await once(child, 'close');
  const logged = errors()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const messages = logged.map(({ level, msg }) => `${level}: ${msg}`);
  expect(messages).toContainEqual(expect.stringMatching(/^warn: .*m\.jsonl:2: the line is not JSON/));
  expect(messages).toContainEqual(expect.stringMatching(/^warn: The token of ann could be guessed/));
  expect(messages).toContain('warn: unauthenticated');
  for (const line of logged)
    expect(line).toMatchObject({ level: expect.any(String), time: expect.any(String) });
  expect(errors()).not.toContain('secret');
});

test.runIf(existsSync('/proc/self/task'))(
  'once somebody uses the graph surface, a process waits for the first query',
  async () => {
    const { child, url } = await serve(['--port', '0', '--store', 'team.db']);
    const processes = () => readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    expect(await withClient(url, toolNames)).toContain('create_entities');
    expect(await processes()).toBe('');
    await withClient(url.replace(/mcp$/, 'graphs/default/graph/mcp'), toolNames);
    await expect.poll(processes, { timeout: 20_000 }).not.toBe('');
  },
);
