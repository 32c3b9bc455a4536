import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the programs of graph databases are kept between runs, outside of the repository. */
export function cacheFolder(name) {
  return join(process.env.TRELLIS_TEST_CACHE ?? join(homedir(), '.cache', 'trellis-tests'), name);
}
