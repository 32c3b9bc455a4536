import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { startPglite } from '../../../scripts/postgres/choose.js';
import { isCitus, nodesOf, query, workersOf } from './nodes.js';

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
  if (isCitus) await formCluster(url, name);
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
      if (isCitus) await emptyTables(own.href);
      else await dropSchemas(own.href);
    },
    async drop() {
      for (const node of await nodesOf(url))
        await query(node, `drop database if exists ${name} with (force)`);
    },
  };
}

async function formCluster(coordinator: string, name: string): Promise<void> {
  const at = (node: string) => Object.assign(new URL(node), { pathname: name }).toString();
  const workers = await workersOf(coordinator);
  for (const worker of workers) await query(worker, `create database ${name}`);
  for (const node of [coordinator, ...workers]) await query(at(node), 'create extension citus');
  const { hostname, port } = new URL(coordinator);
  await query(at(coordinator), 'select citus_set_coordinator_host($1, $2)', [hostname, port]);
  for (const worker of workers.map((url) => new URL(url)))
    await query(at(coordinator), 'select citus_add_node($1, $2)', [worker.hostname, worker.port]);
}

/** Distributing the tables anew takes seconds. */
async function emptyTables(url: string): Promise<void> {
  await query(
    url,
    `do $$ declare it text; begin
       for it in select tablename from pg_tables where schemaname = 'trellis' and tablename <> 'schema_version' loop
         execute format('truncate trellis.%I', it);
       end loop;
     end $$`,
  );
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
