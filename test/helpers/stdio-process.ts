import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const trellis = fileURLToPath(new URL('../../dist/bundle/trellis.js', import.meta.url));

export interface RpcMessage {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** `trellis stdio`, or another command that speaks the protocol, as a child process, spoken to in raw lines. */
export class StdioProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything printed on stdout, line by line. */
  readonly lines: string[] = [];
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stderr = '';
  readonly #waiting = new Map<number, (message: RpcMessage) => void>();
  #nextId = 1;

  constructor(args: readonly string[], command = 'stdio', env: NodeJS.ProcessEnv = process.env) {
    this.child = spawn(process.execPath, [trellis, command, ...args], { env });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.lines.push(line);
      const message: RpcMessage = JSON.parse(line);
      if (typeof message.id === 'number') this.#waiting.get(message.id)?.(message);
    });
    this.exited = new Promise((resolve) =>
      this.child.once('close', (code, signal) => resolve({ code, signal })),
    );
  }

  get messages(): RpcMessage[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  write(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request and resolves with its answer; never resolves if the process ends without one. */
  request(method: string, params: object = {}): Promise<RpcMessage> {
    const id = this.#nextId++;
    const answer = new Promise<RpcMessage>((resolve) => this.#waiting.set(id, resolve));
    this.write({ id, method, params });
    return answer;
  }

  callTool(name: string, args: object): Promise<RpcMessage> {
    return this.request('tools/call', { name, arguments: args });
  }

  async initialize(): Promise<RpcMessage> {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '0' },
    });
    this.write({ method: 'notifications/initialized' });
    return answer;
  }

  end(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.child.stdin.end();
    return this.exited;
  }
}
