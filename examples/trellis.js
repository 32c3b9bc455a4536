// What the examples share: the built program, as commands that show what they print and as a server to connect to.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const program = fileURLToPath(new URL('../dist/bundle/trellis.js', import.meta.url));

/** Makes the folder of an example the working directory, with an empty `data/` in it. */
export function startIn(moduleUrl) {
  process.chdir(fileURLToPath(new URL('.', moduleUrl)));
  rmSync('data', { recursive: true, force: true });
  mkdirSync('data');
}

/** Prints a command and its output. `'<', file` at the end of the arguments reads standard input from a file. */
export function trellis(...args) {
  console.log(`$ trellis ${args.join(' ')}`);
  const end = args.indexOf('<');
  const { stdout, stderr } = end === -1 ? run(args) : run(args.slice(0, end), readFileSync(args[end + 1]));
  console.log(`${stdout}${stderr}`);
}

/** Makes a token, without printing it. */
export function createToken(...args) {
  return run(['token', 'create', ...args]).stdout.trim();
}

function run(args, input) {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', input });
}

/** Starts `trellis serve` on a free port, and resolves with its address and a way to stop it. */
export async function serve(...args) {
  const server = spawn(process.execPath, [program, 'serve', '--port', '0', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const { url } = await new Promise((resolve) => {
    server.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      if (printed.endsWith('}\n')) resolve(JSON.parse(printed));
    });
  });
  const stopped = new Promise((resolve) => server.once('exit', resolve));
  return {
    origin: new URL(url).origin,
    stop() {
      server.kill();
      return stopped;
    },
  };
}

/** Connects a client to a Trellis that it starts itself. */
export async function connectOverStdio({ args = [], env = {} } = {}) {
  const client = new Client({ name: 'example', version: '1.0.0' });
  const command = { command: process.execPath, args: [program, 'stdio', ...args], env, stderr: 'ignore' };
  await client.connect(new StdioClientTransport(command));
  return client;
}

/** Connects a client to a server, as the actor that the token stands for. */
export async function connectOverHttp(url, token) {
  const client = new Client({ name: 'example', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** Calls a tool, prints call and answer, and returns the answer. */
export async function call(client, name, args) {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
  console.log(`${name} ${JSON.stringify(args)}`);
  console.log(`${isError ? content[0].text : JSON.stringify(structuredContent)}\n`);
  return structuredContent;
}
