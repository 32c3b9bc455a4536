// @ts-check
// A crowd of clients that comes at once: how much longer than the others does any request wait? With --slow, while so many
// connections send a byte and no more. Build first; everything stays on this machine.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    /** Connections that never finish their request. */
    slow: { type: 'string', default: '0' },
    /** A token for each client, and a policy that allows everything. */
    tokens: { type: 'boolean', default: false },
  },
});
const clients = Number(values.clients);
const milliseconds = Number(values.seconds) * 1_000;
const trellis = fileURLToPath(new URL('../dist/bundle/trellis.js', import.meta.url));

/** @typedef {{ what: string, took: number, status: number }} Answered */

const folder = await mkdtemp(join(tmpdir(), 'trellis-burst-'));
await writeConfiguration();
const server = spawn(
  process.execPath,
  [trellis, 'serve', '--config', join(folder, 'trellis.yaml'), '--port', '0', '--json'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
/** @type {Answered[]} */
const answers = [];
try {
  const url = await addressOf();
  const slow = Array.from({ length: Number(values.slow) }, () => trickle(url));
  const begun = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, client) => work(url, client, begun)));
  report();
  if (slow.length > 0) {
    console.log(`${slow.filter(({ closed }) => closed).length} of ${slow.length} slow connections were cut`);
    for (const socket of slow) socket.destroy();
  }
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('close', resolve));
  await rm(folder, { recursive: true, force: true });
}

/** @param {number} client */
function tokenOf(client) {
  return `a-token-that-is-long-enough-for-${client}`;
}

async function writeConfiguration() {
  const tokens = Array.from({ length: clients }, (_, client) => [`actor${client}`, tokenOf(client)]);
  const access = 'auth: { tokens: { file: tokens.json } }\npolicy: { file: policy.yaml }\n';
  const limits = `server: { limits: { requests_per_minute: 10000000, concurrency: ${2 * clients} } }\n`;
  const rule = '{ id: all, allow: { actors: any, actions: [read, change] } }';
  await writeFile(join(folder, 'tokens.json'), JSON.stringify(Object.fromEntries(tokens)), { mode: 0o600 });
  await writeFile(join(folder, 'policy.yaml'), `version: 1\nrules: [${rule}]\n`);
  await writeFile(join(folder, 'trellis.yaml'), `store: ./t.db\n${values.tokens ? access : limits}`);
}

/**
 * @param {string} url
 * @param {number} client
 * @param {number} begun
 */
async function work(url, client, begun) {
  const clientInfo = { name: 'burst', version: '0' };
  const ask = (/** @type {string} */ what, /** @type {object} */ message) => post(url, client, what, message);
  const call = (/** @type {string} */ name, /** @type {object} */ args) =>
    ask(name, { method: 'tools/call', params: { name, arguments: args } });
  await ask('initialize', {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  await ask('tools/list', { method: 'tools/list', params: {} });
  for (let i = 0; performance.now() - begun < milliseconds; i += 1) {
    const name = `thing ${client} ${i}`;
    await call('create_entities', { entities: [{ name, entityType: 'thing', observations: ['a fact'] }] });
    await call('open_nodes', { names: [name] });
    await call('search_nodes', { query: `thing ${client}` });
  }
}

/**
 * @param {string} url
 * @param {number} client
 * @param {string} what
 * @param {object} message
 */
async function post(url, client, what, message) {
  const start = performance.now();
  const response = await fetch(`${url}/graphs/default/memory/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(values.tokens ? { Authorization: `Bearer ${tokenOf(client)}` } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  await response.text();
  answers.push({ what, took: performance.now() - start, status: response.status });
}

/**
 * The head of a request, and one byte of its body.
 *
 * @param {string} url
 */
function trickle(url) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () =>
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    ),
  );
  return socket.on('error', () => {}).resume();
}

function report() {
  for (const what of new Set(answers.map((answer) => answer.what))) {
    const took = answers
      .filter((answer) => answer.what === what)
      .map((answer) => answer.took)
      .sort((a, b) => a - b);
    const at = (/** @type {number} */ share) => Math.round(took[Math.floor(share * (took.length - 1))] ?? 0);
    console.log(
      `${what.padEnd(16)} ${String(took.length).padStart(6)} answers, median ${at(0.5)} ms, longest ${at(1)} ms`,
    );
  }
  const refused = answers.filter(({ status }) => status !== 200).length;
  console.log(`${refused} of ${answers.length} were refused`);
}

async function addressOf() {
  let text = '';
  for await (const line of createInterface({ input: server.stdout })) {
    text += line;
    try {
      return new URL(JSON.parse(text).url).origin;
    } catch {
      // Not all of it is here yet.
    }
  }
  throw new Error(`The server did not start: ${text}`);
}
