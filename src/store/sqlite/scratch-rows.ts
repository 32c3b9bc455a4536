import type { Executor, SqlValue } from '../sql/executor.js';
import type { IndexEntry } from '../sql/properties/property-index.js';
import { readNumber, readText, selectNumber } from '../sql/rows.js';
import { raw, sql } from '../sql/sql.js';
import { nodeContentColumns } from '../sql/write/row-values.js';
import type { StagingContext } from '../sql/write/staged-node-rows.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** Rows that one statement copies: less than a time slice. */
const stepSize = 1_000;

const createTables = `
  create table staged.node (
    position integer primary key, node integer, type text, name text, stub integer, summary text,
    summary_updated_at integer, tags text, props text, provenance text, created_at integer,
    order_seq integer, order_position integer);
  create table staged.value (
    property integer, value text, position integer, primary key (property, value, position)) without rowid`;

// Each list is one object, so that the connection recognizes its statement.
const nodeColumns = ['position', 'node', ...nodeContentColumns];
const valueColumns = ['property', 'value', 'position'];
const content = raw(nodeContentColumns.join(', '));

type ValueKey = readonly [property: number, value: string, position: number];

interface ScratchRow {
  /** The node and its `nodeContentColumns`. */
  readonly values: readonly SqlValue[];
  readonly entries: readonly IndexEntry[];
}

/**
 * Rows of nodes in a database of their own, in memory and attached to the connection that writes: filling it takes no lock on
 * the file. They are in the order of the tables, and property values in the order of their index, so copying them is quick.
 */
export class ScratchRows {
  readonly #connection: SqliteConnection;
  readonly #place: Pick<StagingContext, 'graph' | 'branch'>;
  #count = 0;
  /** The last property value of each step. */
  readonly #steps: ValueKey[] = [];

  constructor(connection: SqliteConnection, place: Pick<StagingContext, 'graph' | 'branch'>) {
    this.#connection = connection;
    this.#place = place;
  }

  open(): Promise<void> {
    return this.#connection.exclusive(async () => {
      this.#connection.exec("attach '' as staged");
      this.#connection.exec(createTables);
    });
  }

  add(rows: readonly ScratchRow[]): Promise<void> {
    const first = this.#count + 1;
    this.#count += rows.length;
    const nodes = rows.map(({ values }, index) => [first + index, ...values]);
    const values = rows.flatMap(({ entries }, index) =>
      entries.map(({ property, value }) => [property, value, first + index]),
    );
    return this.#connection.exclusive(async () => {
      this.#connection.insert('staged.node', nodeColumns, nodes);
      this.#connection.insert('staged.value', valueColumns, values);
    });
  }

  /** Called once, when all rows are there. */
  async findSteps(): Promise<void> {
    const next = (after: ValueKey) =>
      sql`select property, value, position from staged.value where (property, value, position) > ${keySql(after)}
        order by property, value, position limit 1 offset ${raw(stepSize - 1)}`;
    for (let last: ValueKey = [0, '', 0]; ; ) {
      const [row] = await this.#connection.exclusive(() => this.#connection.all(next(last)));
      if (row === undefined) break;
      last = [readNumber(row, 'property'), readText(row, 'value'), readNumber(row, 'position')];
      this.#steps.push(last);
    }
    this.#steps.push([Number.MAX_SAFE_INTEGER, '', 0]);
  }

  /**
   * Inside the transaction of the write. With `or fail` SQLite need not be able to undo each statement: if one fails, the whole
   * write is undone.
   */
  async replace(executor: Executor, seq: number): Promise<void> {
    const { graph, branch } = this.#place;
    for (let after = 0; after < this.#count; after += stepSize) {
      const step = sql`position > ${after} and position <= ${after + stepSize}`;
      await executor.all(
        sql`update or fail node_row set died = ${seq} where graph = ${graph} and branch = ${branch} and died is null
          and node in (select node from staged.node where ${step})`,
      );
      await executor.all(
        sql`insert or fail into node_row (graph, branch, born, node, ${content})
          select ${graph}, ${branch}, ${seq}, node, ${content} from staged.node where ${step} order by position`,
      );
    }
    // There is one writer, so the rows are numbered one after the other.
    const before = (await selectNumber(executor, sql`select last_insert_rowid() as n`)) - this.#count;
    let last: ValueKey = [0, '', 0];
    for (const next of this.#steps) {
      await executor.all(
        sql`insert or fail into property_value (graph, property, value, row)
          select ${graph}, property, value, ${before} + position from staged.value
          where (property, value, position) > ${keySql(last)} and (property, value, position) <= ${keySql(next)}
          order by property, value, position`,
      );
      last = next;
    }
  }

  close(): Promise<void> {
    return this.#connection.exclusive(async () => this.#connection.detach('staged'));
  }
}

function keySql([property, value, position]: ValueKey) {
  return sql`(${property}, ${value}, ${position})`;
}
