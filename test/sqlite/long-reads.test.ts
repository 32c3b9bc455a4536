import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { scratchFolder } from '../helpers/stores.js';

let folder: string;
beforeEach(async () => {
  folder = await scratchFolder();
});
afterEach(() => rm(folder, { recursive: true }));

const processes = pathToFileURL('dist/store/sqlite/long-reads/read-process-pool.js').href;
const ending = pathToFileURL('dist/store/read-cancellation.js').href;
const endless = 'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n';

/** A program that begins to read for ever, says which process does, and then ends as it is told. */
function readingProgram(path: string, end: string): string {
  return `
    const { ReadProcessPool } = await import('${processes}');
    const { ReadCancellation } = await import('${ending}');
    new ReadProcessPool({ path: ${JSON.stringify(path)}, readOnly: false }).run(
      { actor: 'somebody', graph: 'g', isLong: true },
      new ReadCancellation({}),
      (executor) => executor.all({ sql: 'select 1', params: [] }),
      async (executor) => {
        const reading = executor.all(${JSON.stringify({ sql: endless, params: [] })});
        process.stdout.write(executor.pid + '\\n', () => setTimeout(() => { ${end} }, 100));
        return reading;
      },
    );`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['that exits', 'process.exit()'],
  ['that is killed', "process.kill(process.pid, 'SIGKILL')"],
])('a program %s leaves no reading process behind, whatever that is doing', async (_, end) => {
  const path = join(folder, 'a.db');
  await (await openSqliteStore(path)).close();
  const program = spawn(process.execPath, ['--input-type=module', '-e', readingProgram(path, end)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(program.stdout, 'data');
  const pid = Number(String(line));
  expect(isRunning(pid)).toBe(true);
  await once(program, 'exit');
  await expect.poll(() => isRunning(pid)).toBe(false);
});
