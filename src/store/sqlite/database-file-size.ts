import { fileSize } from '../../file/file-size.js';
import type { StoreSize } from '../maintenance.js';
import type { Executor } from '../sql/executor.js';
import { readNumber } from '../sql/rows.js';
import { sql } from '../sql/sql.js';

export async function databaseFileSize(path: string): Promise<StoreSize> {
  const [data, log] = await Promise.all([fileSize(path), fileSize(`${path}-wal`)]);
  return { data: data + log, log };
}

/** Without the pages that are free for the next rows. */
export async function usedBytes(executor: Executor): Promise<number> {
  const [row] = await executor.all(
    sql`select (page_count - freelist_count) * page_size as bytes
      from pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );
  return row === undefined ? 0 : readNumber(row, 'bytes');
}
