import { expect, test } from 'vitest';
import { times } from '../helpers/full.js';
import { databaseKinds } from '../helpers/stores.js';
import { proveFeed } from './prove-feed.js';

const writes = times(200, 2_000);
const kills = times(5, 20);

test.each(databaseKinds)(
  `of ${writes} commits of four processes, a follower killed ${kills} times sees each once and in order: $kind`,
  async ({ place }) => {
    const { path: location, remove } = await place();
    try {
      const { seen, stored, acknowledged, ...rest } = await proveFeed({ location, writes, kills });
      expect(rest.kills).toBe(kills);
      expect(seen).toEqual(stored);
      expect([...seen].sort()).toEqual([...acknowledged].sort());
      expect(seen).toHaveLength(writes);
    } finally {
      await remove();
    }
  },
);
