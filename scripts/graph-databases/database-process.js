import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const patience = 120_000;

/** A graph database as a child process on a folder of its own: started, killed, started again. */
export class DatabaseProcess {
  #name;
  #commandFor;
  #readyText;
  #folder;
  #port;
  #process;

  /** `commandFor(folder, port)` returns the program and its arguments. */
  constructor(name, commandFor, readyText) {
    this.#name = name;
    this.#commandFor = commandFor;
    this.#readyText = readyText;
  }

  /** Returns the port. */
  async start() {
    this.#folder ??= await mkdtemp(join(tmpdir(), `trellis-${this.#name}-`));
    this.#port ??= await freePort();
    const [program, ...args] = this.#commandFor(this.#folder, this.#port);
    const child = spawn(program, args, { cwd: this.#folder, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#process = child;
    let output = '';
    const ready = new Promise((resolve, reject) => {
      const collect = (data) => {
        output = (output + data).slice(-10_000);
        if (output.includes(this.#readyText)) resolve();
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`${this.#name} ended with ${code}: ${output}`)));
      setTimeout(() => reject(new Error(`${this.#name} is not ready: ${output}`)), patience).unref();
    });
    await ready;
    return this.#port;
  }

  /** As if the machine lost its power. */
  async kill() {
    if (this.#process === undefined || this.#process.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }

  async stop() {
    await this.kill();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
