import { spawnSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { acquireLock, lockTimes } from './lock-file.js';
import { ownIdentity } from './lock-owner.js';

const token = '0123456789abcdef';
/** Takes over what is left behind; waits long enough for that on a busy machine. */
const patient = { waitMs: 60_000, remoteStaleMs: 150, ownerlessStaleMs: 150, heartbeatMs: 20 };
const impatient = { ...patient, waitMs: 300 };

async function lockPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-lock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'file.lock');
}

/** A pid that nobody has any more. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

test('a lock names its owner, and is gone when released', async () => {
  const path = await lockPath();
  const lock = await acquireLock(path);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
  lock.release();
  expect(await readdir(join(path, '..'))).toEqual([]);
});

test('only one holder at a time, and everyone gets a turn', async () => {
  const path = await lockPath();
  let inside = 0;
  let turns = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const lock = await acquireLock(path);
      inside += 1;
      expect(inside).toBe(1);
      await sleep(1);
      inside -= 1;
      turns += 1;
      lock.release();
    }),
  );
  expect(turns).toBe(20);
});

test('what is no file in the place of the lock is named', async () => {
  const path = await lockPath();
  await mkdir(path);
  await expect(acquireLock(path, impatient)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: `${path} is not a file, but the lock file must be there.`,
  });
});

test('a lock that stays held is STORE_BUSY, naming the lock and its holder', async () => {
  const path = await lockPath();
  const lock = await acquireLock(path);
  await expect(acquireLock(path, impatient)).rejects.toMatchObject({
    code: 'STORE_BUSY',
    message: expect.stringMatching(`process ${process.pid} on .* ${path}`),
    hint: expect.stringContaining('delete the lock file'),
  });
  lock.release();
});

test('the lock of a process that has ended is taken over at once, by one of many', async () => {
  const path = await lockPath();
  await writeFile(path, JSON.stringify({ ...(await ownIdentity()), token, pid: deadPid() }));
  let inside = 0;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const lock = await acquireLock(path);
      inside += 1;
      expect(inside).toBe(1);
      await sleep(1);
      inside -= 1;
      lock.release();
    }),
  );
  expect(await readdir(join(path, '..'))).toEqual([]);
});

test('a pid that is in use again does not keep the lock of its former process', async (context) => {
  const self = await ownIdentity();
  if (self.started === '') return context.skip('this system does not say when processes started');
  const path = await lockPath();
  await writeFile(path, JSON.stringify({ ...self, token, started: '1' }));
  const lock = await acquireLock(path, patient);
  expect(lock.tookOver).toBe(true);
  lock.release();
});

test('a process killed while it cleared a lock away does not block the others', async () => {
  const path = await lockPath();
  const dead = { ...(await ownIdentity()), pid: deadPid() };
  await writeFile(path, JSON.stringify({ ...dead, token }));
  await writeFile(`${path}.${token}`, JSON.stringify({ ...dead, token: 'fedcba9876543210' }));
  const lock = await acquireLock(path, patient);
  lock.release();
  expect(await readdir(join(path, '..'))).toEqual([]);
});

test('a lock without a name in it is taken over after a while', async () => {
  const path = await lockPath();
  await writeFile(path, '');
  const began = performance.now();
  const lock = await acquireLock(path, patient);
  expect(performance.now() - began).toBeGreaterThan(patient.ownerlessStaleMs);
  lock.release();
});

test('a lock from another machine is respected while it shows signs of life, and taken over when it does not', async () => {
  const path = await lockPath();
  await writeFile(path, JSON.stringify({ ...(await ownIdentity()), token, host: 'elsewhere' }));
  const beating = setInterval(() => utimesSync(path, new Date(), new Date()), 20);
  const wait = { ...patient, waitMs: 1_500, remoteStaleMs: 1_000 };
  await expect(acquireLock(path, wait)).rejects.toMatchObject({
    code: 'STORE_BUSY',
    message: expect.stringContaining('elsewhere'),
  });
  clearInterval(beating);
  const lock = await acquireLock(path, patient);
  lock.release();
});

test('a holder shows signs of life, and knows when its lock was taken from it', async () => {
  const path = await lockPath();
  const lock = await acquireLock(path, { ...lockTimes, heartbeatMs: 10 });
  await utimes(path, 0, 0);
  await expect.poll(async () => (await stat(path)).mtimeMs).toBeGreaterThan(0);
  expect(lock.isHeld()).toBe(true);
  await unlink(path);
  await writeFile(path, 'another');
  expect(lock.isHeld()).toBe(false);
  lock.release();
  expect(await readFile(path, 'utf8')).toBe('another');
});

test('a token that is no token is not made part of a path', async () => {
  const path = await lockPath();
  await writeFile(path, JSON.stringify({ ...(await ownIdentity()), token: '../../evil', pid: deadPid() }));
  const lock = await acquireLock(path, patient);
  lock.release();
  expect(await readdir(join(path, '..'))).toEqual([]);
});
