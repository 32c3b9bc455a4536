import { packageVersion } from '../../server/package-version.js';
import { sqliteBinding } from '../../store/sqlite/sqlite-binding.js';

export interface ProgramVersions {
  readonly trellis: string;
  readonly node: string;
  readonly sqlite: string;
  readonly binding: string;
}

export function programVersions(): ProgramVersions {
  const database = new sqliteBinding.Database(':memory:');
  try {
    const row = database.prepare('select sqlite_version() as version').get();
    const sqlite =
      typeof row === 'object' && row !== null && 'version' in row ? String(row.version) : 'unknown';
    return { trellis: packageVersion(), node: process.versions.node, sqlite, binding: sqliteBinding.name };
  } finally {
    database.close();
  }
}
