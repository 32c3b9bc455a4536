import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  futimes,
  linkSync,
  openSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { TrellisError } from '../model/error.js';
import { errnoOf, isMissing } from './file-errors.js';
import { type LockOwner, ownerState, ownIdentity, parseOwner } from './lock-owner.js';

interface LockTimes {
  readonly waitMs: number;
  /** How long a lock from another machine may go without a heartbeat before it is stale. */
  readonly remoteStaleMs: number;
  /** How long a lock file may stay without an owner, which a process killed while creating it leaves. */
  readonly ownerlessStaleMs: number;
  readonly heartbeatMs: number;
}

export const lockTimes: LockTimes = {
  waitMs: 30_000,
  remoteStaleMs: 20_000,
  ownerlessStaleMs: 2_000,
  heartbeatMs: 4_000,
};

export interface HeldLock {
  readonly path: string;
  /** Whether a stale lock had to be removed first. */
  readonly tookOver: boolean;
  /** False if others took this process for dead and removed its lock. */
  isHeld(): boolean;
  release(): void;
}

/** Waits for the lock without blocking; fails with STORE_BUSY after `waitMs`. */
export async function acquireLock(path: string, times: LockTimes = lockTimes): Promise<HeldLock> {
  const began = performance.now();
  let seen: LockSnapshot | undefined;
  let tookOver = false;
  while (true) {
    const held = await tryAcquire(path, tookOver, times);
    if (held !== undefined) return held;
    seen = await readLock(path, seen);
    if (seen === undefined) continue;
    if (await isStale(seen, times)) {
      await removeStaleLock(path, seen, times);
      tookOver = true;
      seen = undefined;
      continue;
    }
    const waited = performance.now() - began;
    if (waited > times.waitMs) throw lockBusy(path, seen.owner, waited);
    await sleep(pauseMs(waited));
  }
}

/** Long waiters try more often, so that none starves. */
function pauseMs(waited: number): number {
  return 1 + Math.random() * (waited < 500 ? 11 : 3);
}

async function tryAcquire(path: string, tookOver: boolean, times: LockTimes): Promise<HeldLock | undefined> {
  if (existsSync(path)) return undefined;
  const owner: LockOwner = { token: randomBytes(8).toString('hex'), ...(await ownIdentity()) };
  const descriptor = createLockFile(path, owner);
  if (descriptor === undefined) return undefined;
  const lock = new FileLock(path, tookOver, descriptor, times.heartbeatMs);
  if (lock.isHeld()) return lock;
  // This process was stopped before it wrote the owner, and others took it for dead.
  lock.release();
  return undefined;
}

/**
 * Writes the owner under another name first, then links it, so that a process killed at any moment leaves either no
 * lock or a lock with an owner. Returns undefined if a lock exists.
 */
function createLockFile(path: string, owner: LockOwner): number | undefined {
  const draft = `${path}.${owner.token}`;
  const descriptor = createFileWithOwner(draft, owner);
  try {
    linkSync(draft, path);
    unlinkIfExists(draft);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    unlinkIfExists(draft);
    if (errnoOf(error) === 'EEXIST') return undefined;
    // The holder of the lock removes drafts, so the lock is taken.
    if (isMissing(error)) return undefined;
  }
  // Not every file system supports links.
  try {
    return createFileWithOwner(path, owner);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}

function createFileWithOwner(path: string, owner: LockOwner): number {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(owner)}\n`);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    unlinkIfExists(path);
    throw error;
  }
}

class FileLock implements HeldLock {
  readonly path: string;
  readonly tookOver: boolean;
  readonly #descriptor: number;
  /** Not reused for another file while this one is open. */
  readonly #ino: bigint;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(path: string, tookOver: boolean, descriptor: number, heartbeatMs: number) {
    this.path = path;
    this.tookOver = tookOver;
    this.#descriptor = descriptor;
    this.#ino = fstatSync(descriptor, { bigint: true }).ino;
    this.#heartbeat = setInterval(() => {
      const now = new Date();
      futimes(descriptor, now, now, () => {});
    }, heartbeatMs).unref();
  }

  isHeld(): boolean {
    return statSync(this.path, { bigint: true, throwIfNoEntry: false })?.ino === this.#ino;
  }

  release(): void {
    clearInterval(this.#heartbeat);
    try {
      if (this.isHeld()) unlinkIfExists(this.path);
    } finally {
      closeSync(this.#descriptor);
    }
  }
}

/** Somebody else's lock, and since when it has looked like this. */
interface LockSnapshot {
  readonly owner: LockOwner | undefined;
  /** Changes with each new lock and each heartbeat. */
  readonly mark: string;
  readonly since: number;
}

async function readLock(path: string, before: LockSnapshot | undefined): Promise<LockSnapshot | undefined> {
  // Before opening: opening a pipe would block until its other end opens.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new TrellisError('STORE_UNAVAILABLE', `${path} is not a file, but the lock file must be there.`, {
      hint: 'Move it away, or keep the data under another name, and call again.',
      details: { path },
    });
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    const { ino, mtimeNs } = await handle.stat({ bigint: true });
    const text = await handle.readFile('utf8');
    const mark = `${ino}-${mtimeNs}-${text}`;
    if (before?.mark === mark) return before;
    return { owner: parseOwner(text), mark, since: performance.now() };
  } finally {
    await handle.close();
  }
}

async function isStale({ owner, since }: LockSnapshot, times: LockTimes): Promise<boolean> {
  const age = performance.now() - since;
  if (owner === undefined) return age > times.ownerlessStaleMs;
  const state = await ownerState(owner);
  return state === 'dead' || (state === 'unknown' && age > times.remoteStaleMs);
}

/**
 * Removes a stale lock. Only the process that holds the lock on this lock may do so, and only if the lock is still the
 * one it saw: a lock acquired in the meantime is never removed.
 */
async function removeStaleLock(path: string, seen: LockSnapshot, times: LockTimes): Promise<void> {
  const name = seen.owner?.token ?? seen.mark.split('-', 2).join('-');
  const claim = await acquireLock(`${path}.${name}`, times);
  try {
    if ((await readLock(path, seen)) === seen) unlinkIfExists(path);
  } finally {
    claim.release();
  }
}

function unlinkIfExists(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function lockBusy(path: string, owner: LockOwner | undefined, waited: number): TrellisError {
  const holder = owner === undefined ? 'an unknown process' : `process ${owner.pid} on ${owner.host}`;
  return new TrellisError('STORE_BUSY', `${holder} has held ${path} for ${Math.round(waited / 1000)} s.`, {
    hint: 'If that process no longer runs, delete the lock file and call again.',
    details: { path, ...(owner === undefined ? {} : { pid: owner.pid, host: owner.host }) },
  });
}
