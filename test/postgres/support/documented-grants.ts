import { codeLines, page } from '../../docs/pages.js';
import type { FreshDatabase } from './fresh-database.js';

/** Gives a role what docs/postgres.md grants to the servers, as far as this version of PostgreSQL knows it. */
export async function grantAsDocumented(database: FreshDatabase, role: string): Promise<number> {
  const [server] = await database.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  const grants = codeLines(page('docs/postgres.md'), 'sql')
    .filter((line) => /^(grant|revoke) /.test(line))
    .filter((line) => (server?.version ?? 0) >= 170_000 || !line.endsWith('-- PostgreSQL 17 or newer'));
  for (const grant of grants) await database.query(grant.replace(/\btrellis;/, `${role};`));
  return grants.length;
}
