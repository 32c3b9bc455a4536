import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Mutex } from '../../bounds/mutex.js';
import { fileError, isMissing, readOnly } from '../../file/file-errors.js';
import { acquireLock, type HeldLock } from '../../file/lock-file.js';
import { resolveTarget } from '../../file/resolve-target.js';
import { removeStaleFiles } from '../../file/temporary-files.js';
import {
  type BatchChanges,
  type BatchInterceptor,
  ConcurrentChangeError,
} from '../sqlite/batch-interceptor.js';
import type { FileMirror, MirroredStore } from './file-mirror.js';

interface OpenBatch {
  readonly target: string;
  readonly lock: HeldLock;
  readonly unlockMutex: () => void;
}

/** Makes each batch of writes durable in the file: lock, refresh, save, then let the batch commit. */
export class FileBatchInterceptor implements BatchInterceptor {
  readonly #mirror: FileMirror;
  /** Held while rows and file are synchronized; reads that find the file changed wait for it too. */
  readonly #mutex: Mutex;
  #rows: MirroredStore | undefined;
  #batch: OpenBatch | undefined;
  #tidied = false;

  constructor(mirror: FileMirror, mutex: Mutex) {
    this.#mirror = mirror;
    this.#mutex = mutex;
  }

  /** What was written to the rows before does not go to the file. */
  attach(rows: MirroredStore): void {
    this.#rows = rows;
  }

  async begin(): Promise<void> {
    const rows = this.#rows;
    if (rows === undefined) return;
    const target = await resolveTarget(this.#mirror.path);
    const lock = await this.#lock(target);
    const unlockMutex = await this.#mutex.acquire();
    try {
      await this.#mirror.refresh(rows);
    } catch (error) {
      unlockMutex();
      lock.release();
      throw error;
    }
    this.#batch = { target, lock, unlockMutex };
  }

  async beforeCommit(changes: BatchChanges): Promise<void> {
    if (this.#batch === undefined) return;
    const { target, lock } = this.#batch;
    await this.#mirror.save(target, changes, () => {
      if (lock.isHeld()) return;
      throw new ConcurrentChangeError(
        `Other processes took over ${lock.path} while this one stood still; nothing was written.`,
        lock.path,
      );
    });
  }

  async end(committed: boolean): Promise<void> {
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    if (committed) this.#mirror.confirmSave();
    else this.#mirror.discardSave();
    batch.unlockMutex();
    // The batch is durable either way; a lock that cannot be removed is cleared when this process has ended.
    try {
      batch.lock.release();
    } catch {}
  }

  async #lock(target: string): Promise<HeldLock> {
    await checkWritable(target);
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const lock = await acquireLock(`${target}.lock`);
      if (lock.tookOver || !this.#tidied) await removeStaleFiles(target).catch(() => {});
      this.#tidied = true;
      return lock;
    } catch (error) {
      throw fileError(error, 'write', target);
    }
  }
}

/** Replacing a file needs no write permission on the file itself, so it is checked first. */
async function checkWritable(target: string): Promise<void> {
  try {
    const { mode } = await stat(target);
    if ((mode & 0o222) === 0) throw readOnly(target, 'the file is marked read-only');
    await access(target, constants.W_OK);
  } catch (error) {
    if (isMissing(error)) return;
    throw fileError(error, 'write', target);
  }
}
