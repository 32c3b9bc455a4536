import { inject } from 'vitest';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import { borrowDatabase } from '../helpers/borrowed-database.js';
import { storeConformance } from './conformance/index.js';

storeConformance({
  name: 'PostgreSQL',
  capabilities: { graphs: true, branches: true, rejections: true, schemas: true },
  concurrent: inject('postgres').kind === 'real',
  async place() {
    const { url, query, giveBack } = await borrowDatabase();
    return {
      open: (options) => openStoreAtLocation(url, options),
      async tablesWith(graph) {
        const tables = await query<{ table_name: string }>(
          `select table_name from information_schema.columns
            where table_schema = 'trellis' and column_name = 'graph' order by table_name`,
        );
        const holding: string[] = [];
        for (const { table_name: name } of tables) {
          const rows = await query(`select 1 from trellis.${name} where graph = $1 limit 1`, [graph]);
          if (rows.length > 0) holding.push(name);
        }
        return holding;
      },
      remove: giveBack,
    };
  },
});
