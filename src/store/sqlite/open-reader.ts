import type { ReaderSource } from './long-reads/read-process-messages.js';
import { SqliteConnection } from './sqlite-connection.js';
import { defineTextFunctions } from './text/sqlite-text-search.js';

export function openReader({ path, readOnly }: ReaderSource): SqliteConnection {
  const reader = new SqliteConnection(path, { readOnly });
  reader.exec('pragma query_only = on');
  defineTextFunctions(reader);
  return reader;
}
