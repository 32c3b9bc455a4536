import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { choosePostgres } from '../../../scripts/postgres/choose.js';
import { full } from '../../helpers/full.js';
import { nodesOf, query } from './nodes.js';

/** What the tests know of the PostgreSQL of the run; see `scripts/postgres/choose.js`. */
export interface ProvidedPostgres {
  readonly kind: 'real' | 'pglite';
  readonly everywhere: boolean;
  readonly url: string | undefined;
  readonly chroot: string | undefined;
  readonly certificate: string | undefined;
  /** How the names of the databases of this run begin. */
  readonly databases: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: ProvidedPostgres;
  }
}

/** One server for the whole run; the tests take databases of their own on it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, description, ...postgres } = await choosePostgres({ make: full });
  const databases = `trellis_test_${randomBytes(4).toString('hex')}_`;
  project.provide('postgres', { ...postgres, databases });
  console.log(`postgres-for-tests: ${description}`);
  return async () => {
    if (postgres.url !== undefined) await dropAll(postgres.url, databases);
    await stop();
  };
}

async function dropAll(url: string, databases: string): Promise<void> {
  const sql = 'select datname from pg_database where starts_with(datname, $1)';
  for (const node of await nodesOf(url)) {
    for (const { datname } of await query<{ datname: string }>(node, sql, [databases]))
      await query(node, `drop database if exists ${datname} with (force)`);
  }
}
