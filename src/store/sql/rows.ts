import type { ChangeCounts } from '../../model/commit.js';
import type { EdgeIdentity } from '../../model/edge.js';
import type { Props } from '../../model/json.js';
import type { Node, Observation } from '../../model/node.js';
import type { Provenance } from '../../model/provenance.js';
import type { ObservationText, WrittenEdge } from '../read-results.js';
import type { Executor, Fragment, SqlRow, SqlValue, StatementOptions } from './executor.js';

export interface Versioned {
  readonly row: number;
  readonly branch: number;
}

export type NodeRow = Node & Versioned;
export type ObservationRow = Observation & Versioned;
export type EdgeRow = WrittenEdge & Versioned;

export const nodeColumns =
  'r.row, r.branch, r.node, r.type, r.name, r.stub, r.summary, r.summary_updated_at, r.tags, r.props, r.provenance, r.created_at, r.order_seq, r.order_position';
export const observationColumns = 'r.row, r.branch, r.node, r.ordinal, r.text, r.provenance, r.created_at';
export const observationTextColumns = 'r.node, r.ordinal, r.text';
export const edgeColumns =
  'r.row, r.branch, r.born, r.from_node, r.to_node, r.type, r.key, r.from_name, r.to_name, r.weight, r.props, r.provenance, r.created_at, r.order_seq, r.order_position';

export function readNode(row: SqlRow): NodeRow {
  return {
    row: readNumber(row, 'row'),
    branch: readNumber(row, 'branch'),
    id: readNumber(row, 'node'),
    type: readText(row, 'type'),
    name: readText(row, 'name'),
    stub: readNumber(row, 'stub') === 1,
    summary: readOptionalText(row, 'summary'),
    summaryUpdatedAt: readOptionalNumber(row, 'summary_updated_at'),
    tags: row['tags'] === null ? noTags : (JSON.parse(readText(row, 'tags')) as string[]),
    props: readProps(row),
    provenance: readProvenance(row),
    createdAt: readNumber(row, 'created_at'),
    order: { seq: readNumber(row, 'order_seq'), position: readNumber(row, 'order_position') },
  };
}

export function readObservation(row: SqlRow): ObservationRow {
  return {
    row: readNumber(row, 'row'),
    branch: readNumber(row, 'branch'),
    node: readNumber(row, 'node'),
    ordinal: readNumber(row, 'ordinal'),
    text: readText(row, 'text'),
    provenance: readProvenance(row),
    createdAt: readNumber(row, 'created_at'),
  };
}

export function readObservationText(row: SqlRow): ObservationText {
  return { node: readNumber(row, 'node'), ordinal: readNumber(row, 'ordinal'), text: readText(row, 'text') };
}

export function readEdge(row: SqlRow): EdgeRow {
  return {
    row: readNumber(row, 'row'),
    branch: readNumber(row, 'branch'),
    born: readNumber(row, 'born'),
    ...readEdgeIdentity(row),
    fromName: readText(row, 'from_name'),
    toName: readText(row, 'to_name'),
    weight: readNumber(row, 'weight'),
    props: readProps(row),
    provenance: readProvenance(row),
    createdAt: readNumber(row, 'created_at'),
    order: { seq: readNumber(row, 'order_seq'), position: readNumber(row, 'order_position') },
  };
}

export function readEdgeIdentity(row: SqlRow): EdgeIdentity {
  return {
    from: readNumber(row, 'from_node'),
    to: readNumber(row, 'to_node'),
    type: readText(row, 'type'),
    key: readText(row, 'key'),
  };
}

const noTags: readonly string[] = [];
const noProps: Props = {};

/** Empty lists and objects are stored as null: most rows have none, and null takes no space. */
export function toStoredJson(value: readonly unknown[] | object | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
}

export function readCounts(row: SqlRow): ChangeCounts {
  return JSON.parse(readText(row, 'counts')) as ChangeCounts;
}

export function readProps(row: SqlRow): Props {
  return row['props'] === null ? noProps : (JSON.parse(readText(row, 'props')) as Props);
}

export function readProvenance(row: SqlRow): Provenance | null {
  return row['provenance'] === null ? null : (JSON.parse(readText(row, 'provenance')) as Provenance);
}

export function readNumber(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw columnTypeError(column, value);
  return value;
}

export function readText(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw columnTypeError(column, value);
  return value;
}

export function readOptionalNumber(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : readNumber(row, column);
}

export function readOptionalText(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : readText(row, column);
}

/** Reads rows batch by batch, each after the last `key` of the one before. */
export async function* batches(
  readAfter: (last: number) => Promise<SqlRow[]>,
  key: string,
  size: number,
): AsyncGenerator<SqlRow[]> {
  for (let after = 0; ; ) {
    const rows = await readAfter(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < size) return;
    after = readNumber(last, key);
  }
}

/** Reads rows page by page, each page after the last row of the one before. */
export async function* pages(
  readAfter: (last: SqlRow | undefined) => Promise<SqlRow[]>,
  size: number,
): AsyncGenerator<SqlRow[]> {
  for (let last: SqlRow | undefined; ; ) {
    const rows = await readAfter(last);
    last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < size) return;
  }
}

/** The number that a statement selects as `n`; 0 if it finds no row. */
export async function selectNumber(
  executor: Executor,
  statement: Fragment,
  options?: StatementOptions,
): Promise<number> {
  const [row] = await executor.all(statement, options);
  return row === undefined ? 0 : readNumber(row, 'n');
}

function columnTypeError(column: string, value: SqlValue | undefined): Error {
  return new TypeError(`Column ${column} holds ${value === undefined ? 'nothing' : typeof value}.`);
}
