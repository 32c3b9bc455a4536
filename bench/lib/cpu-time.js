// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Linux counts CPU time in hundredths of a second, whatever the clock of the kernel is. */
const tickMs = 10;

/**
 * CPU time in milliseconds that processes and their children have used, including children that have ended.
 * It needs Linux; elsewhere it is not a number.
 * @param {readonly (number | undefined)[]} pids
 */
export function cpuTime(pids) {
  try {
    const parents = new Set(pids);
    const ticks = pids.map((pid) => statOf(Number(pid))).map(({ own, ended }) => own + ended);
    const children = runningProcesses().filter(({ parent }) => parents.has(parent));
    return tickMs * [...ticks, ...children.map(({ own, ended }) => own + ended)].reduce((a, b) => a + b, 0);
  } catch {
    return Number.NaN;
  }
}

/**
 * The first process of the PostgreSQL server of a database, and of each worker if it is a Citus cluster.
 * A server on another machine or in a container of its own cannot be measured: then there is none at all.
 * @param {string} url
 * @returns {Promise<number[] | undefined>}
 */
export async function databaseProcesses(url) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: extensions } = await client.query("select 1 from pg_extension where extname = 'citus'");
    const nodes = extensions.length === 0 ? [] : await workersOf(client, url);
    const found = [await parentOfBackend(client), ...(await Promise.all(nodes.map(firstProcess)))];
    return found.every((pid) => pid !== undefined) ? found : undefined;
  } finally {
    await client.end();
  }
}

/** @param {string} url */
async function firstProcess(url) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await parentOfBackend(client);
  } finally {
    await client.end();
  }
}

/**
 * @param {pg.Client} client
 * @param {string} url
 */
async function workersOf(client, url) {
  const { rows } = await client.query('select nodename, nodeport from pg_dist_node where groupid > 0');
  return rows.map(
    ({ nodename, nodeport }) =>
      Object.assign(new URL(url), { hostname: nodename, port: String(nodeport) }).href,
  );
}

/** @param {pg.Client} client */
async function parentOfBackend(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid, inet_client_port() as port');
  const [{ pid, port }] = rows;
  try {
    // "postgres: role database address(port) idle": another process may have this number here.
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return title.startsWith('postgres: ') && title.includes(`(${port})`) ? statOf(pid).parent : undefined;
  } catch {
    return undefined;
  }
}

function runningProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [statOf(Number(pid))];
      } catch {
        return []; // It has ended since.
      }
    });
}

/** @param {number} pid */
function statOf(pid) {
  // The name of the program comes before, in parentheses, and may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => fields[at] ?? 0);
  return {
    parent,
    own: Number(user) + Number(system),
    ended: Number(endedUser) + Number(endedSystem),
  };
}
