// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Server
 * @property {URL} url
 * @property {string} version Of the Node it runs on.
 * @property {() => string | undefined} died How it ended, if it did so by itself.
 * @property {() => Promise<{ computed: number, resident: number }>} end Seconds and megabytes.
 */

export const defaultProgram = fileURLToPath(new URL('../../../dist/bundle/trellis.js', import.meta.url));

/** @param {number} client */
export const tokenOf = (client) => `a-token-that-is-long-enough-for-client-${client}`;
export const strangersToken = 'a-token-that-is-long-enough-for-strangers';

const actions =
  '[read, change, gate_write, invoke_query, export, schema_apply, branch_create, branch_delete, branch_merge, graph_list, graph_admin]';

/**
 * Starts the program in a process of its own, on this machine only.
 * @param {string} folder
 * @param {{ node: string, program: string, clients: number }} options
 * @returns {Promise<Server>}
 */
export async function startServer(folder, { node, program, clients }) {
  const names = Array.from({ length: clients }, (_, client) => [`client-${client}`, tokenOf(client)]);
  const tokens = { ...Object.fromEntries(names), stranger: strangersToken };
  await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
  const members = names.map(([name]) => name).join(', ');
  await writeFile(
    join(folder, 'policy.yaml'),
    `version: 1\ngroups: { team: [${members}] }\nrules: [{ id: all, allow: { actors: { group: team }, actions: ${actions} } }]\n`,
  );
  await writeFile(
    join(folder, 'trellis.yaml'),
    `store: load.db
server: { limits: { requests_per_minute: 100000000, concurrency: 10000 } }
auth: { tokens: { file: tokens.json } }
policy: { file: policy.yaml }
graphs: { named: { policy: { file: named.cedar } } }
`,
  );
  // Rules that look at names make every new branch a new question to Cedar.
  await writeFile(
    join(folder, 'named.cedar'),
    'permit(principal, action, resource) when { resource is Branch && resource.name like "draft-*" };\n',
  );
  const store = [program, 'graph', 'create'];
  for (const graph of ['default', 'named']) execFileSync(node, [...store, graph], { cwd: folder });
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const child = spawn(node, [program, 'serve', '--host', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-20_000);
    });
  }
  /** @type {string | undefined} */
  let death;
  let isEnding = false;
  const exited = once(child, 'exit').then(([code, signal]) => {
    if (!isEnding) death = `${signal ?? `code ${code}`}\n${said.slice(-2_000)}`;
  });
  while (!/listening on (http:\S+)/.test(said)) {
    if (death !== undefined) throw new Error(`The server ended before it listened: ${death}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [, address = ''] = /listening on (http:\S+)/.exec(said) ?? [];
  return {
    url: new URL('/', address),
    version,
    died: () => death,
    async end() {
      const used = usage(child.pid ?? 0);
      // A process that is about to be gone has no memory left.
      isEnding = used.resident !== 0;
      child.kill('SIGTERM');
      await exited;
      return used;
    },
  };
}

/**
 * What a process has used, as Linux tells it; elsewhere nothing.
 * @param {number} pid
 */
function usage(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // User and system time in hundredths of a second, and pages of 4 kB.
    return {
      computed: (Number(fields[11]) + Number(fields[12])) / 100,
      resident: (Number(fields[21]) * 4_096) / 1e6,
    };
  } catch {
    return { computed: Number.NaN, resident: Number.NaN };
  }
}
