import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { randomFrom } from '../../bench/lib/random.js';
import { trellis } from '../helpers/stdio-process.js';
import { type MemoryCall, randomCall } from './calls.js';

const reference = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');

/** What came of a run. */
export interface Compared {
  readonly calls: number;
  readonly failed: number;
  readonly bytes: number;
}

/** Makes the same random calls to both servers, and throws at the first answer or file that differs. */
export async function compareServers(folder: string, seed: number, calls: number): Promise<Compared> {
  const random = randomFrom(seed);
  // The reference server finds nothing where Trellis would rank single words.
  const flags = ['--surface', 'memory', '--search-fallback', 'none'];
  const ours = await Server.start([trellis, 'stdio', ...flags], join(folder, 'ours.jsonl'));
  const theirs = await Server.start([reference], join(folder, 'theirs.jsonl'));
  let failed = 0;
  try {
    for (let number = 1; number <= calls; number += 1) {
      const call = randomCall(random);
      const [ourAnswer, theirAnswer] = [await ours.call(call), await theirs.call(call)];
      const where = `call ${number} with seed ${seed}: ${call.tool} ${JSON.stringify(call.args)}`;
      expectSame(ourAnswer, theirAnswer, `The answers differ, ${where}`);
      expectSame(await ours.lines(), await theirs.lines(), `The files differ, ${where}`);
      if (JSON.parse(ourAnswer).isError === true) failed += 1;
    }
    return { calls, failed, bytes: (await ours.lines()).length };
  } finally {
    await ours.close();
    await theirs.close();
  }
}

/** A server that keeps its memory in a file, and a client of it. */
class Server {
  private constructor(
    readonly client: Client,
    readonly file: string,
  ) {}

  static async start(args: readonly string[], file: string): Promise<Server> {
    const client = new Client({ name: 'side-by-side', version: '1.0.0' });
    const env = { PATH: process.env['PATH'] ?? '', MEMORY_FILE_PATH: file };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'ignore' }),
    );
    return new Server(client, file);
  }

  /** The answer, without what Trellis says beyond the reference server. */
  async call({ tool, args }: MemoryCall): Promise<string> {
    const {
      isError = false,
      content,
      structuredContent,
    } = await this.client.callTool({
      name: tool,
      arguments: args,
    });
    if (isError) return JSON.stringify({ isError, content });
    const structured: Record<string, unknown> = Object.assign({}, structuredContent);
    delete structured['skipped'];
    if (tool.startsWith('delete_')) return JSON.stringify({ success: structured['success'] });
    return JSON.stringify({ first: content[0], structured });
  }

  /** The file; the reference server ends it without a line break. */
  async lines(): Promise<string> {
    try {
      const text = await readFile(this.file, 'utf8');
      return text === '' || text.endsWith('\n') ? text : `${text}\n`;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

function expectSame(ours: string, theirs: string, otherwise: string): void {
  if (ours !== theirs) throw new Error(`${otherwise}\n  Trellis:   ${ours}\n  reference: ${theirs}`);
}
