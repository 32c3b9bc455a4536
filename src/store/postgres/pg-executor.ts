import type pg from 'pg';
import type { Executor, SqlParam, SqlRow } from '../sql/executor.js';

/** Rows of one insert; more go in several statements, since a statement takes at most 65,535 parameters. */
const rowsPerInsert = 500;

/** Runs statements on a connection, or on any of a pool's. Statements are prepared once per connection. */
export class PgExecutor implements Executor {
  readonly #target: pg.PoolClient | pg.Pool;

  constructor(target: pg.PoolClient | pg.Pool) {
    this.#target = target;
  }

  async all(sql: string, params: readonly SqlParam[] = []): Promise<SqlRow[]> {
    const { rows } = await this.#target.query<SqlRow>({ ...prepared(sql), values: [...params] });
    return rows;
  }

  async run(sql: string, params: readonly SqlParam[] = []): Promise<number> {
    const { rowCount } = await this.#target.query({ ...prepared(sql), values: [...params] });
    return rowCount ?? 0;
  }

  async insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlParam[])[],
  ): Promise<void> {
    for (let at = 0; at < rows.length; at += rowsPerInsert) {
      const portion = rows.slice(at, at + rowsPerInsert);
      const places = `(${columns.map(() => '?').join(', ')})`;
      const values = portion.map(() => places).join(', ');
      const sql = `insert into ${table} (${columns.join(', ')}) values ${values}`;
      // Only the commonest sizes are worth keeping a prepared statement for.
      const statement = portion.length <= 3 ? prepared(sql) : { text: numbered(sql) };
      await this.#target.query({ ...statement, values: portion.flatMap((row) => [...row]) });
    }
  }
}

const statements = new Map<string, { name: string; text: string }>();

function prepared(sql: string): { name: string; text: string } {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = { name: `trellis_${statements.size}`, text: numbered(sql) };
  statements.set(sql, statement);
  return statement;
}

/** PostgreSQL numbers its placeholders. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
}
