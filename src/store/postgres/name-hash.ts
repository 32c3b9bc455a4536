import { hash } from 'node:crypto';
import type { NameIndex } from '../sql/dialect.js';
import { sql } from '../sql/sql.js';

/**
 * An index of PostgreSQL holds texts of some 2,700 bytes, and a name may have six times as many, so its hash is indexed.
 * Queries compare the name as well; uniqueness relies on SHA-256.
 */
export const hashedNameIndex: NameIndex = {
  key: ['graph', 'name_hash', 'type'],
  columns: ['name_hash'],
  values: (name) => [nameHash(name)],
  matchesAny: (names) =>
    sql`i.name_hash = any(${names.map(nameHash)}::uuid[]) and i.name = any(${names}::text[])`,
};

/** Half of the hash, as a uuid: 16 bytes, which are faster to compare than text. */
function nameHash(name: string): string {
  return hash('sha256', name).slice(0, 32);
}

/** Replaces the key of identities, which limited the length of names. Citus refuses an update with a stable function. */
export const addNameHashes: readonly string[] = [
  'alter table identity add column name_hash uuid',
  `alter table identity alter column name_hash type uuid
    using encode(substring(sha256(convert_to(name, 'UTF8')) from 1 for 16), 'hex')::uuid`,
  'alter table identity drop constraint identity_pkey, alter column name_hash set not null',
  'alter table identity add primary key (graph, name_hash, type)',
];
