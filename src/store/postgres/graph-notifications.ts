import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type Client, openConnection } from './pool.js';

const channel = 'trellis_changes';
/** Without notifications, the database is polled this often. */
const pollMs = 500;
/** How many polls apart the connection is tested. */
const testEvery = 10;

/**
 * Notifications between the processes that share a database, received on a connection of their own. Replicas do not
 * notify, poolers may not pass notifications on, and connections break unnoticed: until a notification of our own comes
 * back, and from each test until it does again, the database is polled.
 */
export class GraphNotifications {
  readonly #pool: pg.Pool;
  /** Tells our own notifications from those of others. */
  readonly #origin = randomUUID();
  readonly #unsent = new Set<string>();
  #sending: Promise<void> | undefined;
  #changed: (graph?: string) => void = () => {};
  #client: Client | undefined;
  #hears = false;
  #ticks = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * After the commit: PostgreSQL lets only one transaction that notifies commit at a time, so a notification inside each
   * write would have all writes of the database wait for each other's disk.
   */
  send(graph: string): Promise<void> {
    this.#unsent.add(`${this.#origin} ${graph}`);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#unsent.size > 0) {
      const payloads = [...this.#unsent];
      this.#unsent.clear();
      // Nothing is stored, so nothing has to reach the disk. A lost notification is made up for by the next test.
      await this.#pool
        .query(
          "select set_config('synchronous_commit', 'off', true), pg_notify($1, p) from unnest($2::text[]) p",
          [channel, payloads],
        )
        .catch(() => {});
    }
  }

  /** See `WatchOthers`. */
  watch(changed: (graph?: string) => void): () => void {
    this.#changed = changed;
    void this.#connect();
    const timer = setInterval(() => this.#tick(), pollMs);
    timer.unref();
    return () => {
      clearInterval(timer);
      this.#drop();
    };
  }

  #tick(): void {
    this.#ticks += 1;
    if (!this.#hears) this.#changed();
    if (this.#ticks % testEvery !== 0) return;
    if (!this.#hears) this.#drop();
    if (this.#client === undefined) void this.#connect();
    else {
      this.#hears = false;
      void this.send('');
    }
  }

  async #connect(): Promise<void> {
    const client = openConnection(this.#pool);
    this.#client = client;
    const lost = () => {
      if (this.#client === client) this.#drop();
    };
    client.on('error', lost).on('end', lost);
    client.on('notification', ({ payload }) => this.#receive(payload));
    try {
      await client.connect();
      // A watch does not keep a process running.
      client.unref();
      await client.query(`listen ${channel}`);
      await this.send('');
    } catch {
      lost();
    }
    if (this.#client !== client) client.end().catch(() => {});
  }

  #drop(): void {
    this.#hears = false;
    this.#client?.end().catch(() => {});
    this.#client = undefined;
  }

  #receive(payload = ''): void {
    const [sender, ...graph] = payload.split(' ');
    if (sender !== this.#origin) this.#changed(graph.join(' '));
    else if (!this.#hears) {
      this.#hears = true;
      // What happened since the last poll.
      this.#changed();
    }
  }
}
