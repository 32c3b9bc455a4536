import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Connection } from './connection.js';
import { writeTransaction } from './transaction.js';

/** Room is made in a pause of this length, so as not to delay the writing. */
const pauseMs = 25;
/** The commit that takes the log past its checkpoint makes it longer than that by so many pages, or hardly ever by more. */
const sparePages = 64;
const headerBytes = 32;
const frameHeaderBytes = 24;
const zeros = Buffer.alloc(256 * 1024);

/**
 * Gives the write-ahead log its full length before it is needed. Waiting for the disk takes two to three times as long
 * after a commit that made a file longer than after one that overwrote what was there. SQLite starts the log again from
 * the beginning after each checkpoint, so only the way to the first one is slow; but few sessions get further than that.
 *
 * The room is zeros behind the last frame. SQLite reads a log up to the first frame that does not bear its marks, and no
 * frame is one of page 0, so the zeros are as good as not there.
 */
export class LogRoom {
  readonly #connection: Connection;
  readonly #log: string;
  readonly #checkFresh: () => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #wanted: number | undefined;
  #stopped = false;

  /** @param checkFresh Throws if the log is no longer that of the file which the connection has open. */
  constructor(connection: Connection, log: string, checkFresh: () => void) {
    this.#connection = connection;
    this.#log = log;
    this.#checkFresh = checkFresh;
  }

  /** Called after writes: looks after the log at the next pause. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#start(), pauseMs).unref();
    else this.#timer.refresh();
  }

  async close(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    this.#running = this.#connection
      .exclusive(() => this.#makeRoom())
      // Commits are as safe without it. What was in the way, such as a full disk, will be the next time, too.
      .catch(() => {
        this.#stopped = true;
      });
  }

  /** Makes room if there is less than a log needs: at first, and again after others have closed the file and cut it. */
  async #makeRoom(): Promise<void> {
    if (this.#stopped) return;
    this.#wanted ??= await this.#fullLength();
    const wanted = this.#wanted;
    if (lacksRoom(statSync(this.#log).size, wanted)) {
      // Whoever holds the write lock is the only one who may append to the log, start it again or cut it.
      await writeTransaction(this.#connection, () => this.#lengthen(wanted));
    }
  }

  /** Fills the log up with zeros that are written, since reserving alone saves nothing; if that fails, it is as before. */
  async #lengthen(wanted: number): Promise<void> {
    const log = await open(this.#log, 'r+');
    try {
      this.#checkFresh();
      const { size } = await log.stat();
      if (lacksRoom(size, wanted)) await fill(log, size, wanted);
    } finally {
      await log.close();
    }
  }

  /** How long the log gets before it is started again. */
  async #fullLength(): Promise<number> {
    const pages = (await this.#pragma('wal_autocheckpoint')) + sparePages;
    return headerBytes + pages * (frameHeaderBytes + (await this.#pragma('page_size')));
  }

  async #pragma(name: string): Promise<number> {
    const [row] = await this.#connection.all(`pragma ${name}`);
    return Number(Object.values(row ?? {})[0]);
  }
}

/** An empty log is left so: nothing was written since it was folded into the file. */
function lacksRoom(size: number, wanted: number): boolean {
  return size > 0 && size < wanted;
}

async function fill(file: FileHandle, from: number, to: number): Promise<void> {
  try {
    for (let at = from; at < to; ) {
      const { bytesWritten } = await file.write(zeros, 0, Math.min(zeros.length, to - at), at);
      at += bytesWritten;
    }
    await file.sync();
  } catch (error) {
    await file.truncate(from);
    throw error;
  }
}
