import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { raw, sql } from '../../src/store/sql/sql.js';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.js';
import { storeConformance } from './conformance/index.js';

storeConformance({
  name: 'SQLite',
  capabilities: { graphs: true, branches: true, rejections: true, schemas: true },
  concurrent: true,
  async place() {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-'));
    return {
      open: (options) => openStoreAtLocation(join(folder, 'store.db'), options),
      tablesWith: (graph) => tablesWith(join(folder, 'store.db'), graph),
      remove: () => rm(folder, { recursive: true }),
    };
  },
});

async function tablesWith(path: string, graph: number): Promise<string[]> {
  const connection = new SqliteConnection(path, { readOnly: true });
  try {
    const tables = await connection.all(
      sql`select t.name from sqlite_schema t join pragma_table_info(t.name) c on c.name = 'graph'
        where t.type = 'table' order by t.name`,
    );
    const holding: string[] = [];
    for (const { name } of tables) {
      const [row] = await connection.all(
        sql`select count(*) as n from ${raw(String(name))} where graph = ${graph}`,
      );
      if (row?.['n'] !== 0) holding.push(String(name));
    }
    return holding;
  } finally {
    connection.close();
  }
}
