import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from './scratch-file.js';

const holder = fileURLToPath(new URL('lock-holder.js', import.meta.url));

interface Counting {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly counted: number;
}

/** Into a file: a pipe that this process is slow to read would lose what a killed one has not yet got rid of. */
function startCounting(folder: string, rounds: number): Counting {
  const said = join(tmpdir(), `counted-${randomUUID()}`);
  const output = openSync(said, 'w');
  const child = spawn(
    process.execPath,
    [holder, join(folder, 'lock'), join(folder, 'counter'), String(rounds)],
    { stdio: ['ignore', output, 'inherit'] },
  );
  closeSync(output);
  onTestFinished(() => rmSync(said, { force: true }));
  return {
    process: child,
    ended: once(child, 'close'),
    get counted() {
      return readFileSync(said, 'utf8').split('\n').length - 1;
    },
  };
}

function saidBy(all: readonly Counting[]): number {
  return all.reduce((sum, { counted }) => sum + counted, 0);
}

async function counterIn(folder: string): Promise<number> {
  return Number(await readFile(join(folder, 'counter'), 'utf8'));
}

test('8 processes that share a lock never count past each other', async () => {
  const folder = await scratchFolder();
  await writeFile(join(folder, 'counter'), '0'.padEnd(8));
  const processes = Array.from({ length: 8 }, () => startCounting(folder, 40));
  await Promise.all(processes.map(({ ended }) => ended));
  expect(processes.map(({ counted }) => counted)).toEqual(processes.map(() => 40));
  expect(await counterIn(folder)).toBe(8 * 40);
  expect(await readdir(folder)).toEqual(['counter']);
});

test('processes killed at any moment leave a lock that the others take over, one at a time', async () => {
  const folder = await scratchFolder();
  await writeFile(join(folder, 'counter'), '0'.padEnd(8));
  const all: Counting[] = [];
  const running = new Set<Counting>();
  const start = () => {
    const counting = startCounting(folder, 1_000_000);
    all.push(counting);
    running.add(counting);
  };
  for (let index = 0; index < 4; index += 1) start();
  // A kill says something only once the processes are at it, however slow the machine is.
  await vi.waitFor(() => expect(saidBy(all)).toBeGreaterThan(30), { timeout: 60_000 });
  for (let round = 0; round < 30; round += 1) {
    await sleep(Math.random() * 60);
    const [victim] = [...running].sort(() => Math.random() - 0.5);
    if (victim === undefined) break;
    victim.process.kill('SIGKILL');
    running.delete(victim);
    start();
  }
  for (const { process } of running) process.kill('SIGKILL');
  await Promise.all(all.map(({ ended }) => ended));
  const last = startCounting(folder, 10);
  all.push(last);
  await last.ended;
  expect(last.counted).toBe(10);
  // A process killed between counting and saying so has counted once more than it said.
  const said = saidBy(all);
  const counter = await counterIn(folder);
  expect(counter).toBeGreaterThanOrEqual(said);
  expect(counter).toBeLessThanOrEqual(said + all.length);
});
