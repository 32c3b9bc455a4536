import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GraphChange } from '../../src/store/graph-change.js';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.js';
import type { Store } from '../../src/store/store-contract.js';
import { postgres, type Scratch, scratchStore } from '../helpers/stores.js';
import { author, main } from '../store/conformance/context.js';
import { put } from '../store/conformance/graph-by-name.js';
import { describeWithRealServer } from './support/real.js';

describeWithRealServer('a database that is reached through a pooler', () => {
  let scratch: Scratch;
  let relay: Server;
  let deaf: Store;
  let dropped = 0;

  /** Like a pooler in transaction mode: everything passes but what nobody asked for. */
  beforeEach(async () => {
    scratch = await scratchStore(postgres);
    dropped = 0;
    const url = new URL(scratch.path);
    const port = Number(url.port || 5432);
    relay = createServer((client) => {
      const database = connect(port, url.hostname);
      client.pipe(database);
      let rest = Buffer.alloc(0);
      database.on('data', (chunk) => {
        // The answer to whether it encrypts is a byte alone.
        if (chunk.length === 1 && rest.length === 0) return void client.write(chunk);
        rest = Buffer.concat([rest, chunk]);
        while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
          const length = 1 + rest.readUInt32BE(1);
          if (rest[0] === 'A'.charCodeAt(0)) dropped += 1;
          else client.write(rest.subarray(0, length));
          rest = rest.subarray(length);
        }
      });
      for (const [one, other] of [
        [client, database],
        [database, client],
      ] as const)
        one.on('close', () => other.destroy()).on('error', () => other.destroy());
    }).listen(0, '127.0.0.1');
    await once(relay, 'listening');
    url.port = String((relay.address() as AddressInfo).port);
    deaf = await openPostgresStore(url.href);
  });

  afterEach(async () => {
    await deaf.close();
    relay.close();
    await scratch.dispose();
  });

  test('commits of other processes are noticed where notifications are lost', async () => {
    const heard: GraphChange[] = [];
    await deaf.watch('default', (change) => heard.push(change));
    for (const count of [1, 2]) {
      await scratch.store.write(main, author, (writer) => put(writer, { nodes: { [`node ${count}`]: [] } }));
      await vi.waitFor(() => expect(heard).toHaveLength(count), { timeout: 60_000, interval: 20 });
    }
    expect(heard[0]).toEqual({ kind: 'commits', branch: 'main', setsSchema: false });
    await vi.waitFor(() => expect(dropped).toBeGreaterThan(0), { timeout: 60_000 });
  });
});
