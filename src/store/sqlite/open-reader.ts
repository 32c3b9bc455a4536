import { Connection } from './connection.js';
import type { ReaderSource } from './long-reads/messages.js';
import { defineTextFunctions } from './text/text-search.js';

/** Opens a connection that only reads. */
export function openReader({ path, readOnly }: ReaderSource): Connection {
  const reader = new Connection(path, { readOnly });
  reader.exec('pragma query_only = on');
  defineTextFunctions(reader);
  return reader;
}
