import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { startPglite } from '../../../scripts/postgres/choose.js';

/** An empty database that nobody else uses. */
export interface FreshDatabase {
  /** What `--store` and `openStore` take; the role owns the database. */
  readonly url: string;
  /** Runs one statement on a connection of its own. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Makes it empty again, which is quicker than another one; ends the connections that are open. */
  clear(): Promise<void>;
  /** Removes it, ending the connections that are open. */
  drop(): Promise<void>;
}

/** A database on the server of the run; with PGlite, which holds one database, a PGlite of its own. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { url, databases } = inject('postgres');
  if (url === undefined) return onPglite();
  const name = `${databases}${randomBytes(6).toString('hex')}`;
  await query(url, `create database ${name}`);
  const own = new URL(url);
  own.pathname = name;
  return {
    url: own.href,
    query: (sql, values) => query(own.href, sql, values),
    async clear() {
      await query(
        own.href,
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await dropSchemas(own.href);
    },
    async drop() {
      await query(url, `drop database if exists ${name} with (force)`);
    },
  };
}

async function onPglite(): Promise<FreshDatabase> {
  const { url, stop } = await startPglite();
  return {
    url,
    query: (sql, values) => query(url, sql, values),
    async clear() {
      await dropSchemas(url);
      await query(url, 'discard all');
    },
    drop: stop,
  };
}

async function dropSchemas(url: string): Promise<void> {
  await query(
    url,
    `do $$ declare it text; begin
       for it in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
         execute format('drop schema %I cascade', it);
       end loop;
       create schema public authorization pg_database_owner;
       grant usage on schema public to public;
     end $$`,
  );
}

async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(sql, values ? [...values] : undefined);
    return rows;
  } finally {
    await client.end();
  }
}
