// @ts-check
// The full figure: `npm run changes`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withPostgres } from '../../bench/lib/postgres.js';
import { proveFeed } from './prove-feed.js';

const { values } = parseArgs({
  options: {
    store: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    writes: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '100' },
  },
});

/**
 * @param {string} name
 * @param {string} location
 */
async function prove(name, location) {
  const start = performance.now();
  const writes = Number(values.writes);
  const { seen, stored, acknowledged, kills } = await proveFeed({
    ...{ location, writes, kills: Number(values.kills) },
  });
  const seconds = Math.round((performance.now() - start) / 1_000);
  const isExact =
    seen.join() === stored.join() && [...seen].sort().join() === [...acknowledged].sort().join();
  console.log(
    `${name}: ${acknowledged.length} writes of 4 processes, a follower killed ${kills} times: ${seen.length} commits seen, ` +
      `${isExact ? 'each once and in order' : 'NOT each once and in order'}; ${seconds} s`,
  );
  if (!isExact || seen.length !== writes) process.exitCode = 1;
}

if (values.store.includes('sqlite')) {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-changes-'));
  await prove('SQLite', join(folder, 'memory.db'));
  await rm(folder, { recursive: true });
}
if (values.store.includes('postgres'))
  await withPostgres(async (makeDatabase, description) => prove(description, await makeDatabase()));
