import type { TestProject } from 'vitest/node';
import { choosePostgres } from '../../../scripts/postgres/choose.js';
import { full } from '../../helpers/full.js';

/** What the tests know of the PostgreSQL of the run; see `scripts/postgres/choose.js`. */
export interface ProvidedPostgres {
  readonly kind: 'real' | 'pglite';
  readonly everywhere: boolean;
  readonly url: string | undefined;
  readonly chroot: string | undefined;
  readonly certificate: string | undefined;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: ProvidedPostgres;
  }
}

/** One server for the whole run; the tests take databases of their own on it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, description, ...postgres } = await choosePostgres({ make: full });
  project.provide('postgres', postgres);
  console.log(`postgres-for-tests: ${description}`);
  return stop;
}
