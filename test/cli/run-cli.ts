import { execFile, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach } from 'vitest';

const cli = new URL('../../dist/bundle/trellis.js', import.meta.url);
export const cliPath = fileURLToPath(cli);

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly input: string;
}

/** A folder of its own for each test, with its own home and data directory. */
export class Sandbox {
  folder = '';
  readonly #host = new CommandHost();

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  get env(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', HOME: this.path('home'), XDG_DATA_HOME: this.path('data') };
  }

  /** Runs the built command line and waits for its end, in a process that runs one command after the other. */
  run(args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Outcome> {
    const command = { args, env: { ...this.env, ...env }, folder: this.folder, input };
    return this.#host.isBusy ? runProcess(command) : this.#host.run(command);
  }

  /** The same, always in a process of its own. */
  runProcess(args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Outcome> {
    return runProcess({ args, env: { ...this.env, ...env }, folder: this.folder, input });
  }

  close(): void {
    this.#host.close();
  }
}

function runProcess({ args, env, folder, input }: Command): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env, maxBuffer: 1 << 28 };
    const child = execFile(process.execPath, [cliPath, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

/** A process that runs one command after the other. */
class CommandHost {
  isBusy = false;
  #process: ReturnType<typeof fork> | undefined;

  async run(command: Command): Promise<Outcome> {
    this.isBusy = true;
    this.#process ??= fork(fileURLToPath(new URL('command-host.js', import.meta.url)), { execArgv: [] });
    const host = this.#process;
    const outcome = await new Promise<Outcome>((resolve) => {
      const ended = (code: number | null, signal: string | null) => {
        this.#process = undefined;
        console.warn(`The host of commands ended (${code ?? signal}) at: ${command.args.join(' ')}`);
        // A command that ends its process does so in one of its own, too.
        resolve(runProcess(command));
      };
      host.once('exit', ended);
      host.once('message', (answer: Outcome) => {
        host.off('exit', ended);
        resolve(answer);
      });
      host.send({ ...command, entry: cli.href });
    });
    this.isBusy = false;
    return outcome;
  }

  close(): void {
    this.#process?.kill();
  }
}

export function useSandbox(): Sandbox {
  const sandbox = new Sandbox();
  beforeEach(async () => {
    sandbox.folder = await mkdtemp(join(tmpdir(), 'trellis-cli-'));
  });
  afterEach(() => rm(sandbox.folder, { recursive: true, force: true }));
  afterAll(() => sandbox.close());
  return sandbox;
}

/** The lines a client sends to call one tool over stdio. */
export function callLines(name: string, args: object): string {
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name, arguments: args } },
  ];
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

/** What that tool answered. */
export function toolAnswer(stdout: string): unknown {
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return answers.find((answer) => answer.id === 2)?.result?.structuredContent;
}
