import { createRequire } from 'node:module';
import type { DatabaseSync as PackagedDatabase } from '@photostructure/sqlite';

/** The part of the two SQLite bindings that is used here; they have the same API. */
export type Database = InstanceType<typeof PackagedDatabase>;

interface SqliteBinding {
  /** `node:sqlite` or the package's name, for `trellis doctor`. */
  readonly name: string;
  readonly Database: new (path: string, options?: { readOnly?: boolean }) => Database;
}

const require = createRequire(import.meta.url);

/**
 * The platform's own SQLite where Node has it, else the packaged one. An older `node:sqlite` cannot tell whether a
 * transaction is still open, which group commit must know, so it does not count.
 */
export const sqliteBinding: SqliteBinding = platformBinding() ?? packagedBinding();

function platformBinding(): SqliteBinding | undefined {
  if (!process.getBuiltinModule?.('node:module').isBuiltin('node:sqlite')) return undefined;
  const { DatabaseSync } = withoutExperimentalWarning(() => require('node:sqlite'));
  const probe = new DatabaseSync(':memory:');
  const sufficient = 'isTransaction' in probe;
  probe.close();
  return sufficient ? { name: 'node:sqlite', Database: DatabaseSync } : undefined;
}

function packagedBinding(): SqliteBinding {
  const { DatabaseSync } = require('@photostructure/sqlite');
  return { name: '@photostructure/sqlite', Database: DatabaseSync };
}

/** Node prints a warning for its SQLite on every start; users of a memory server need not read it. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
