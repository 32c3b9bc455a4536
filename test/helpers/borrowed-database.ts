import { type FreshDatabase, freshDatabase } from '../postgres/support/fresh-database.js';
import { isCitus } from '../postgres/support/nodes.js';

const idle: FreshDatabase[] = [];
const idleWithTables: WithTables[] = [];

/** A database whose tables a store has made, and how they look. */
interface WithTables {
  readonly database: FreshDatabase;
  readonly looks: string;
}

export interface BorrowedDatabase extends Pick<FreshDatabase, 'url' | 'query'> {
  giveBack(): Promise<void>;
}

/** An empty PostgreSQL database; emptied and used again by later tests, since making one takes its time. */
export async function borrowDatabase(): Promise<BorrowedDatabase> {
  const database = idle.pop() ?? (await freshDatabase());
  return {
    url: database.url,
    query: database.query,
    async giveBack() {
      await database.clear();
      idle.push(database);
    },
  };
}

/** A database with the tables that `make` gives an empty one: later tests find them without rows, as if just made. */
export async function borrowWithTables(make: (url: string) => Promise<void>): Promise<BorrowedDatabase> {
  const borrowed = idleWithTables.pop() ?? (await withTables(make));
  const { database, looks } = borrowed;
  return {
    url: database.url,
    query: database.query,
    async giveBack() {
      await database.query(endOthers);
      if ((await looksOf(database)) === looks) {
        await database.query(emptyTables);
        idleWithTables.push(borrowed);
      } else {
        await database.clear();
        idle.push(database);
      }
    },
  };
}

async function withTables(make: (url: string) => Promise<void>): Promise<WithTables> {
  const database = idle.pop() ?? (await freshDatabase());
  await make(database.url);
  await database.query(endOthers);
  const looks = await looksOf(database);
  await database.query(emptyTables);
  return { database, looks };
}

/** All but the rows of the store: a test that changed any of it, such as an index, gets none of it passed on. */
async function looksOf(database: FreshDatabase): Promise<string> {
  const [row] = await database.query<{ looks: string }>(
    `with own as (
       select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
     ), parts (part) as (
       select concat_ws(' ', relname, relkind, relowner, relacl, reloptions, relrowsecurity) from own
       union all select concat_ws(' ', attrelid::regclass, attname, atttypid, attnotnull, attacl)
         from pg_attribute where attrelid in (select oid from own)
       union all select concat_ws(' ', indexrelid::regclass, indisvalid) from pg_index where indrelid in (select oid from own)
       union all select concat_ws(' ', conrelid::regclass, conname, convalidated) from pg_constraint
         where conrelid in (select oid from own)
       union all select concat_ws(' ', tgrelid::regclass, tgname) from pg_trigger
         where tgrelid in (select oid from own) and not tgisinternal
       union all select concat_ws(' ', oid::regprocedure, proacl) from pg_proc where oid >= 16384
       union all select concat_ws(' ', nspname, nspacl) from pg_namespace where nspname !~ '^pg_'
       union all select concat_ws(' ', extname, extversion) from pg_extension
       union all select concat_ws(' ', 'version', version) from trellis.schema_version
     )
     select md5(string_agg(part, chr(10) order by part)) as looks from parts`,
  );
  return row?.looks ?? '';
}

const endOthers = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** Of a table that was analyzed, the planner would remember rows that are gone; to truncate them all takes longer. */
const emptyTables = `do $$ declare it record; begin
  for it in select c.oid::regclass as name, c.relkind as kind, c.reltuples as known from pg_class c
    where c.relnamespace = 'trellis'::regnamespace and c.relkind in ('r', 'S') and c.relname <> 'schema_version'
  loop
    if it.kind = 'S' then execute format('alter sequence %s restart', it.name);
    elsif it.known >= 0 then execute format('truncate %s cascade', it.name);
    else execute format('delete from %s', it.name);
    end if;
  end loop;
end $$`;

/** Whether tables can be kept: those of a Citus cluster are on other nodes, whose looks nobody compares. */
export const keepsTables = !isCitus;
