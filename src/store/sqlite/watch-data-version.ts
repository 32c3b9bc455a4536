import type { WatchOthers } from '../sql/graph-watchers.js';
import { sql } from '../sql/sql.js';
import type { SqliteConnection } from './sqlite-connection.js';

const pollMs = 200;

/** Polls the version that SQLite increments for this connection when another one commits. */
export function watchDataVersion(connection: SqliteConnection): WatchOthers {
  return (changed) => {
    let seen = dataVersion(connection);
    const timer = setInterval(() => {
      const now = dataVersion(connection) ?? seen;
      if (now === seen) return;
      seen = now;
      changed();
    }, pollMs);
    timer.unref();
    return () => clearInterval(timer);
  };
}

/** Undefined if it cannot be read now: whoever reads the store learns why. */
function dataVersion(connection: SqliteConnection): unknown {
  try {
    const [row] = [...connection.rows(sql`pragma data_version`)];
    return row?.['data_version'];
  } catch {
    return undefined;
  }
}
