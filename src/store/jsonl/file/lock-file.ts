import { randomBytes } from 'node:crypto';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { TrellisError } from '../../../model/error.js';
import { errnoOf, isMissing } from './file-errors.js';
import { type LockOwner, ownerState, ownIdentity, parseOwner } from './lock-owner.js';

export interface LockTimes {
  /** How long to wait for a lock that somebody else holds. */
  readonly waitMs: number;
  /** How long a lock from another machine may show no sign of life before it counts as left behind. */
  readonly silenceMs: number;
  /** How long a lock may stand without its owner's name, which a process killed in between leaves. */
  readonly namelessMs: number;
  readonly heartbeatMs: number;
}

export const lockTimes: LockTimes = {
  waitMs: 30_000,
  silenceMs: 20_000,
  namelessMs: 5_000,
  heartbeatMs: 4_000,
};

/** A lock this process holds. */
export interface HeldLock {
  readonly path: string;
  /** Whether a lock that was left behind had to be cleared away to get this one. */
  readonly tookOver: boolean;
  /** False if others took this process for dead and cleared its lock away. */
  stillHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** Takes the lock, waiting for its turn without blocking; fails with STORE_BUSY when the wait is over. */
export async function acquireLock(path: string, times: LockTimes = lockTimes): Promise<HeldLock> {
  const began = performance.now();
  let seen: Sighting | undefined;
  let tookOver = false;
  while (true) {
    const held = await tryCreate(path, tookOver, times);
    if (held !== undefined) return held;
    seen = await look(path, seen);
    if (seen === undefined) continue;
    if (await isLeftBehind(seen, times)) {
      await clearAway(path, seen, times);
      tookOver = true;
      seen = undefined;
      continue;
    }
    const waited = performance.now() - began;
    if (waited > times.waitMs) throw busy(path, seen.owner, waited);
    await sleep(pauseMs(waited));
  }
}

/** Those who have waited long ask more often, so that nobody waits for ever. */
function pauseMs(waited: number): number {
  return 1 + Math.random() * (waited < 500 ? 11 : 3);
}

async function tryCreate(path: string, tookOver: boolean, times: LockTimes): Promise<HeldLock | undefined> {
  const owner: LockOwner = { token: randomBytes(8).toString('hex'), ...(await ownIdentity()) };
  const began = performance.now();
  let handle: FileHandle;
  try {
    handle = await open(path, 'wx', 0o600);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  }
  let created: FileLock | undefined;
  try {
    await handle.writeFile(`${JSON.stringify(owner)}\n`);
    created = new FileLock(
      path,
      tookOver,
      handle,
      (await handle.stat({ bigint: true })).ino,
      times.heartbeatMs,
    );
  } finally {
    if (created === undefined) await discard(path, handle);
  }
  // A process stopped between the two steps for so long may have been taken for dead.
  if (performance.now() - began < times.namelessMs / 2 || (await created.stillHeld())) return created;
  await created.release();
  return undefined;
}

async function discard(path: string, handle: FileHandle): Promise<void> {
  await handle.close();
  await unlinkIfThere(path);
}

class FileLock implements HeldLock {
  readonly path: string;
  readonly tookOver: boolean;
  readonly #handle: FileHandle;
  /** Cannot be given to another file while the handle is open. */
  readonly #ino: bigint;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(path: string, tookOver: boolean, handle: FileHandle, ino: bigint, heartbeatMs: number) {
    this.path = path;
    this.tookOver = tookOver;
    this.#handle = handle;
    this.#ino = ino;
    this.#heartbeat = setInterval(() => {
      const now = new Date();
      handle.utimes(now, now).catch(() => {});
    }, heartbeatMs).unref();
  }

  async stillHeld(): Promise<boolean> {
    try {
      return (await stat(this.path, { bigint: true })).ino === this.#ino;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    try {
      if (await this.stillHeld()) await unlinkIfThere(this.path);
    } finally {
      await this.#handle.close();
    }
  }
}

/** A lock of somebody else, and since when it has looked like this. */
interface Sighting {
  readonly owner: LockOwner | undefined;
  /** Changes whenever the lock is another one, or its owner gave a sign of life. */
  readonly mark: string;
  readonly since: number;
}

async function look(path: string, before: Sighting | undefined): Promise<Sighting | undefined> {
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

async function isLeftBehind({ owner, since }: Sighting, times: LockTimes): Promise<boolean> {
  const age = performance.now() - since;
  if (owner === undefined) return age > times.namelessMs;
  const state = await ownerState(owner);
  return state === 'dead' || (state === 'unknown' && age > times.silenceMs);
}

/**
 * Removes a lock that was left behind. Of several processes that want to, only the one that holds the lock on this very
 * lock may, and only while the lock is still the one it saw: so nobody ever removes a lock that was taken since.
 */
async function clearAway(path: string, seen: Sighting, times: LockTimes): Promise<void> {
  const name = seen.owner?.token ?? seen.mark.split('-', 2).join('-');
  const claim = await acquireLock(`${path}.${name}`, times);
  try {
    if ((await look(path, seen)) === seen) await unlinkIfThere(path);
  } finally {
    await claim.release();
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function busy(path: string, owner: LockOwner | undefined, waited: number): TrellisError {
  const holder = owner === undefined ? 'an unknown process' : `process ${owner.pid} on ${owner.host}`;
  return new TrellisError('STORE_BUSY', `${holder} has held ${path} for ${Math.round(waited / 1000)} s.`, {
    hint: `If that process no longer runs, delete ${path} and call again.`,
    details: { path, ...(owner === undefined ? {} : { pid: owner.pid, host: owner.host }) },
  });
}
