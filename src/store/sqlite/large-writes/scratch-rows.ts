import type { Executor, SqlValue } from '../../sql/executor.js';
import type { IndexEntry } from '../../sql/properties/property-index.js';
import { selectNumber } from '../../sql/rows.js';
import { raw, sql } from '../../sql/sql.js';
import { nodeContentColumns } from '../../sql/write/row-values.js';
import type { StagingContext } from '../../sql/write/staged-node-rows.js';
import type { WriteThread } from './write-thread.js';

/** Of the database while the rows are copied: fewer pages are then written to the log twice. */
const cacheKiB = 65_536;

const createTables = `
  pragma main.cache_size = -${cacheKiB};
  attach '' as staged;
  create table staged.node (
    position integer primary key, node integer, type text, name text, stub integer, summary text,
    summary_updated_at integer, tags text, props text, provenance text, created_at integer,
    order_seq integer, order_position integer);
  create table staged.value (
    property integer, value text, position integer, primary key (property, value, position)) without rowid`;

const nodeColumns = ['position', 'node', ...nodeContentColumns];
const valueColumns = ['property', 'value', 'position'];
const content = raw(nodeContentColumns.join(', '));

interface ScratchRow {
  /** The node and its `nodeContentColumns`. */
  readonly values: readonly SqlValue[];
  readonly entries: readonly IndexEntry[];
}

/**
 * Rows of nodes in a database of their own, in memory and attached to the connection that will write them: filling it takes
 * no lock on the file. They are in the order of the tables, and property values in the order of their index, so copying them
 * is quick.
 */
export class ScratchRows {
  readonly #thread: WriteThread;
  readonly #place: Pick<StagingContext, 'graph' | 'branch'>;
  #count = 0;
  #stored: Promise<void> = Promise.resolve();

  constructor(thread: WriteThread, place: Pick<StagingContext, 'graph' | 'branch'>) {
    this.#thread = thread;
    this.#place = place;
    thread.exec(createTables);
  }

  /** The thread stores some rows while the next ones are worked out, and no more of them wait in memory. */
  async add(rows: readonly ScratchRow[]): Promise<void> {
    const first = this.#count + 1;
    this.#count += rows.length;
    const nodes = rows.map(({ values }, index) => [first + index, ...values]);
    const values = rows.flatMap(({ entries }, index) =>
      entries.map(({ property, value }) => [property, value, first + index]),
    );
    await this.#stored;
    this.#thread.insert('staged.node', nodeColumns, nodes);
    this.#thread.insert('staged.value', valueColumns, values);
    this.#stored = this.#thread.flush();
    // Reported by the next call, or by `filled`.
    this.#stored.catch(() => {});
  }

  /** Called once, when all rows are there. */
  filled(): Promise<void> {
    return this.#stored;
  }

  /**
   * Inside the transaction of the write. With `or fail` SQLite need not be able to undo each statement: if one fails, the whole
   * write is undone.
   */
  async replace(executor: Executor, seq: number): Promise<void> {
    const { graph, branch } = this.#place;
    executor.run(
      sql`update or fail node_row set died = ${seq} where graph = ${graph} and branch = ${branch} and died is null
        and node in (select node from staged.node)`,
    );
    executor.run(
      sql`insert or fail into node_row (graph, branch, born, node, ${content})
        select ${graph}, ${branch}, ${seq}, node, ${content} from staged.node order by position`,
    );
    // There is one writer, so the rows are numbered one after the other.
    const before = (await selectNumber(executor, sql`select last_insert_rowid() as n`)) - this.#count;
    executor.run(
      sql`insert or fail into property_value (graph, property, value, row)
        select ${graph}, property, value, ${before} + position from staged.value order by property, value, position`,
    );
  }
}
