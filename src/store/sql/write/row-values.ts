import { defaultWeight } from '../../../model/edge.js';
import type { Observation } from '../../../model/node.js';
import type { Order } from '../../../model/order.js';
import type { EdgeDraft, NodeDraft } from '../../drafts.js';
import { nodeText } from '../../text/node-text.js';
import type { Dialect } from '../dialect.js';
import type { SqlParam, SqlValue } from '../executor.js';
import { toStoredJson } from '../rows.js';

export interface WriteStamp {
  readonly graph: number;
  readonly branch: number;
  readonly seq: number;
  readonly now: number;
}

// Each list is one object, so that a connection recognizes its statement.
export const identityColumns = ['graph', 'name', 'type', 'node', 'next_ordinal'];
export const nodeContentColumns =
  'type,name,stub,summary,summary_updated_at,tags,props,provenance,created_at,order_seq,order_position'.split(
    ',',
  );
export const nodeRowColumns = ['graph', 'node', 'branch', 'born', ...nodeContentColumns];
export const observationRowColumns = 'graph,node,ordinal,branch,born,text,provenance,created_at'.split(',');
export const edgeRowColumns =
  'graph,from_node,to_node,type,key,branch,born,from_name,to_name,weight,props,provenance,created_at,order_seq,order_position'.split(
    ',',
  );

/** Returns the same object if there are no further columns. */
export function appendColumns(columns: readonly string[], further: readonly string[]): readonly string[] {
  return further.length === 0 ? columns : [...columns, ...further];
}

export function nodeRowValues(
  dialect: Dialect,
  { graph, branch, seq, now }: WriteStamp,
  draft: NodeDraft,
  order: Order,
): SqlParam[] {
  const { name, type, summary = null, props = {}, provenance = null } = draft;
  const values: SqlParam[] = [graph, draft.id, branch, seq, ...nodeContentValues(draft, now, order)];
  if (dialect.documentColumns.length === 0) return values;
  return [...values, ...dialect.documentValues(graph, nodeText({ name, type, summary, props, provenance }))];
}

/** What a new version of a node holds, whichever write stores it. */
export function nodeContentValues(draft: NodeDraft, now: number, order: Order): SqlValue[] {
  return [
    draft.type,
    draft.name,
    draft.stub === true ? 1 : 0,
    draft.summary ?? null,
    draft.summaryUpdatedAt ?? null,
    toStoredJson(draft.tags),
    toStoredJson(draft.props),
    toStoredJson(draft.provenance),
    draft.createdAt ?? now,
    order.seq,
    order.position,
  ];
}

export function observationRowValues(
  dialect: Dialect,
  { graph, branch, seq }: WriteStamp,
  { node, ordinal, text, provenance, createdAt }: Observation,
): SqlParam[] {
  const document = dialect.documentValues(graph, text);
  return [graph, node, ordinal, branch, seq, text, toStoredJson(provenance), createdAt, ...document];
}

export function edgeRowValues(
  { graph, branch, seq, now }: WriteStamp,
  draft: EdgeDraft,
  order: Order,
): SqlParam[] {
  return [
    graph,
    draft.from,
    draft.to,
    draft.type,
    draft.key,
    branch,
    seq,
    draft.fromName,
    draft.toName,
    // As text: one of the SQLite bindings takes a number that is almost an integer for one.
    String(draft.weight ?? defaultWeight),
    toStoredJson(draft.props),
    toStoredJson(draft.provenance),
    draft.createdAt ?? now,
    order.seq,
    order.position,
  ];
}
