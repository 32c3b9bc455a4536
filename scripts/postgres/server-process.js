import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { programs } from './chroot.js';
import { inside } from './cluster.js';

const run = promisify(execFile);
const patience = 60_000;

/** One PostgreSQL server on a data folder: started, killed, started again. */
export class ServerProcess {
  #chroot;
  #cluster;
  #port;
  #process;
  #exited;

  constructor(chroot, cluster) {
    this.#chroot = chroot;
    this.#cluster = cluster;
  }

  /** Another program may take a port between the look and the start; then the next one is tried. */
  async startOnFreePort() {
    for (let attempt = 1; ; attempt += 1) {
      this.#port = await freePort();
      try {
        await this.#start();
        return this.#port;
      } catch (error) {
        if (attempt === 5 || !/Address already in use/.test(error.message)) throw error;
      }
    }
  }

  /** Ends every process of the server with SIGKILL, none the wiser. */
  async kill() {
    if (!this.#running()) return;
    const { pid } = this.#process;
    // Stopped first, it cannot start another process between the counting and the killing.
    process.kill(pid, 'SIGSTOP');
    const all = [...childrenOf(pid), pid];
    for (const each of all) signal(each, 'SIGKILL');
    await this.#exited;
    while (all.some(alive)) await sleep(5);
  }

  /** Starts the server again on the same port and data; kills it first if it runs. */
  async restart() {
    await this.kill();
    await this.#start();
  }

  /** Ends the server in a hurry: its data is about to be thrown away. */
  async stop() {
    if (!this.#process) return;
    if (!this.#running()) return this.#freeSharedMemory();
    this.#process.kill('SIGQUIT');
    const late = setTimeout(() => this.kill(), 10_000);
    await this.#exited;
    clearTimeout(late);
  }

  async #start() {
    const { data, log, certificate, key } = this.#cluster;
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.#port,
      unix_socket_directories: '',
      max_connections: 200,
      fsync: 'on',
      ssl: 'on',
      ssl_cert_file: certificate,
      ssl_key_file: key,
      // The folder of POSIX shared memory belongs to root in there.
      dynamic_shared_memory_type: 'mmap',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const output = openSync(join(this.#chroot, log), 'a');
    // Should this process be killed, the kernel tells the server to stop.
    const command = [
      ...inside(this.#chroot, '--pdeathsig=QUIT'),
      `${programs}/postgres`,
      '-D',
      data,
      ...options,
    ];
    this.#process = spawn('chroot', command, { stdio: ['ignore', output, output] });
    closeSync(output);
    this.#exited = once(this.#process, 'exit');
    await this.#ready();
  }

  /** The server writes into its lock file when it takes connections; the file of a killed one names another process. */
  async #ready() {
    const deadline = Date.now() + patience;
    while (Date.now() < deadline) {
      const lines = await this.#lockFile();
      if (lines[0] === String(this.#process.pid) && lines[7]?.trim() === 'ready') return;
      if (!this.#running()) throw new Error(`PostgreSQL did not start:\n${await this.#endOfLog()}`);
      await sleep(10);
    }
    throw new Error(`PostgreSQL was not ready after ${patience / 1000} s:\n${await this.#endOfLog()}`);
  }

  #running() {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  async #lockFile() {
    const path = join(this.#chroot, this.#cluster.data, 'postmaster.pid');
    return (await readFile(path, 'utf8').catch(() => '')).split('\n');
  }

  /** A killed server leaves a few bytes of System V memory behind, which outlive everything but the machine. */
  async #freeSharedMemory() {
    const id = (await this.#lockFile())[6]?.trim().split(/\s+/)[1];
    if (id) await run('ipcrm', ['-m', id]).catch(() => {});
  }

  async #endOfLog() {
    return (await readFile(join(this.#chroot, this.#cluster.log), 'utf8')).split('\n').slice(-20).join('\n');
  }
}

/**
 * A port below those the kernel gives to outgoing connections: from among those, a client that keeps knocking while the
 * server is down can be given the server's own port, connects to itself, and the server cannot come back.
 */
async function freePort() {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const probe = createServer();
    const free = await new Promise((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

function childrenOf(parent) {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => statusOf(pid)?.parent === parent);
}

function alive(pid) {
  const status = statusOf(pid);
  return status !== undefined && status.state !== 'Z';
}

function statusOf(pid) {
  try {
    // The name of the program, in brackets, may hold anything; what is wanted comes after it.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already.
  }
}
