import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { cliPath, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const memory = '{"type":"entity","name":"Ann","entityType":"person","observations":["likes tea"]}\n';
const nodes = '{"type":"Person","data":{"name":"Bob"}}\n';

const commands = [
  [
    ['import', 'memory.jsonl', '--store', 'a.db'],
    ['checking [', 'importing ['],
  ],
  [
    ['ingest', 'nodes.ndjson', '--store', 'a.db'],
    ['reading lines 0', 'writing ['],
  ],
  [['embed', '--store', 'a.db'], ['embedding default [']],
  [
    ['copy', '--from', 'a.db', '--to', 'b.db'],
    ['copying default [', 'verifying default ['],
  ],
  [
    ['gc', '--keep', '1d', '--store', 'a.db'],
    ['looking for old nodes [', 'looking for old edges ['],
  ],
] as const;

async function prepare(): Promise<void> {
  await writeFile(sandbox.path('memory.jsonl'), memory);
  await writeFile(sandbox.path('nodes.ndjson'), nodes);
}

test('in a pipe the long commands show no progress', async () => {
  await prepare();
  for (const [args] of commands)
    expect(await sandbox.run(args), args.join(' ')).toMatchObject({ code: 0, stderr: '' });
});

/** `script` of util-linux runs a command on a terminal. */
describe.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))('on a terminal', () => {
  test('the long commands say what they do, and remove it at the end', async () => {
    await prepare();
    for (const [args, parts] of commands) {
      const line = [process.execPath, cliPath, ...args].join(' ');
      const env = { ...sandbox.env, TERM: 'xterm' };
      const { stdout } = await promisify(execFile)('/usr/bin/script', ['-qec', line, '/dev/null'], {
        cwd: sandbox.folder,
        env,
      });
      for (const part of parts) expect(stdout).toContain(`\r${part}`);
      expect(stdout).toContain('\r\u001b[K');
      // The last line is the result, with nothing before it.
      expect(stdout.split('\r\u001b[K').at(-1)).toMatch(/^[A-Za-z]/);
    }
  });
});
