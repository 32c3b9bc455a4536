import type { ChangeCounts } from '../../model/commit.js';
import type { Edge, EdgeIdentity } from '../../model/edge.js';
import type { Props } from '../../model/json.js';
import type { Node, Observation } from '../../model/node.js';
import type { Provenance } from '../../model/provenance.js';
import type { ObservationText } from '../answers.js';
import type { SqlRow, SqlValue } from './executor.js';

/** Where a version of something is stored. */
export interface Versioned {
  readonly row: number;
  readonly branch: number;
}

export const nodeColumns =
  'r.row, r.branch, r.node, r.type, r.name, r.stub, r.summary, r.summary_updated_at, r.tags, r.props, r.provenance, r.created_at, r.order_seq, r.order_position';
export const observationColumns = 'r.row, r.branch, r.node, r.ordinal, r.text, r.provenance, r.created_at';
export const observationTextColumns = 'r.node, r.ordinal, r.text';
export const edgeColumns =
  'r.row, r.branch, r.from_node, r.to_node, r.type, r.key, r.from_name, r.to_name, r.weight, r.props, r.provenance, r.created_at, r.order_seq, r.order_position';

export function readNode(row: SqlRow): Node & Versioned {
  return {
    row: integer(row, 'row'),
    branch: integer(row, 'branch'),
    id: integer(row, 'node'),
    type: text(row, 'type'),
    name: text(row, 'name'),
    stub: integer(row, 'stub') === 1,
    summary: optionalText(row, 'summary'),
    summaryUpdatedAt: optionalInteger(row, 'summary_updated_at'),
    tags: row['tags'] === null ? noTags : (JSON.parse(text(row, 'tags')) as string[]),
    props: readProps(row),
    provenance: readProvenance(row),
    createdAt: integer(row, 'created_at'),
    order: { seq: integer(row, 'order_seq'), position: integer(row, 'order_position') },
  };
}

export function readObservation(row: SqlRow): Observation & Versioned {
  return {
    row: integer(row, 'row'),
    branch: integer(row, 'branch'),
    node: integer(row, 'node'),
    ordinal: integer(row, 'ordinal'),
    text: text(row, 'text'),
    provenance: readProvenance(row),
    createdAt: integer(row, 'created_at'),
  };
}

export function readObservationText(row: SqlRow): ObservationText {
  return { node: integer(row, 'node'), ordinal: integer(row, 'ordinal'), text: text(row, 'text') };
}

export function readEdge(row: SqlRow): Edge & Versioned {
  return {
    row: integer(row, 'row'),
    branch: integer(row, 'branch'),
    ...readEdgeIdentity(row),
    fromName: text(row, 'from_name'),
    toName: text(row, 'to_name'),
    weight: integer(row, 'weight'),
    props: readProps(row),
    provenance: readProvenance(row),
    createdAt: integer(row, 'created_at'),
    order: { seq: integer(row, 'order_seq'), position: integer(row, 'order_position') },
  };
}

export function readEdgeIdentity(row: SqlRow): EdgeIdentity {
  return {
    from: integer(row, 'from_node'),
    to: integer(row, 'to_node'),
    type: text(row, 'type'),
    key: text(row, 'key'),
  };
}

const noTags: readonly string[] = [];
const noProps: Props = {};

/** Empty lists and objects are stored as null: most rows have none, and null takes no room. */
export function storedJson(value: readonly unknown[] | object | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
}

/** What a commit says it changed. */
export function readCounts(row: SqlRow): ChangeCounts {
  return JSON.parse(text(row, 'counts')) as ChangeCounts;
}

export function readProps(row: SqlRow): Props {
  return row['props'] === null ? noProps : (JSON.parse(text(row, 'props')) as Props);
}

export function readProvenance(row: SqlRow): Provenance | null {
  return row['provenance'] === null ? null : (JSON.parse(text(row, 'provenance')) as Provenance);
}

export function integer(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unexpected(column, value);
  return value;
}

export function text(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpected(column, value);
  return value;
}

export function optionalInteger(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

export function optionalText(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

function unexpected(column: string, value: SqlValue | undefined): Error {
  return new TypeError(`Column ${column} holds ${value === undefined ? 'nothing' : typeof value}.`);
}
