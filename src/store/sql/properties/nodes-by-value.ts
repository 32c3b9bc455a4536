import type { Node } from '../../../model/node.js';
import type { ScalarProps } from '../../read-requests.js';
import type { Fragment } from '../executor.js';
import { and, sql } from '../sql.js';
import type { VisibleRows } from '../visible-rows.js';
import {
  candidatesSpelledLike,
  candidatesWithAll,
  candidatesWithAny,
  hasScalars,
} from './node-properties.js';

export async function nodesMatching(rows: VisibleRows, type: string, props: ScalarProps): Promise<Node[]> {
  const candidates = await candidatesWithAll(rows.executor, rows.lineage.graph, type, props);
  if (candidates === undefined) return [];
  const nodes = await nodesAmong(rows, type, candidates);
  return nodes.filter((node) => hasScalars(node.props, props));
}

export async function nodesWithValues(
  rows: VisibleRows,
  type: string,
  property: string,
  values: readonly (string | number | boolean)[],
): Promise<Node[]> {
  if (values.length === 0) return [];
  const wanted = new Set<unknown>(values);
  const candidates = candidatesWithAny(rows.graphContext, [type], property, [...values]);
  const nodes = await nodesAmong(rows, type, candidates);
  return nodes.filter(({ props }) => Object.hasOwn(props, property) && wanted.has(props[property]));
}

export async function nodesSpelledLike(
  rows: VisibleRows,
  type: string,
  name: string,
  limit: number,
): Promise<Node[]> {
  const ids = await candidatesSpelledLike(rows.graphContext, type, name, limit);
  if (ids.length === 0) return [];
  const nodes = await rows.selectNodes(rows.dialect.inList('r.node', 'integer', ids));
  return nodes.filter((node) => !node.stub && node.type === type);
}

function nodesAmong(rows: VisibleRows, type: string, candidates: Fragment) {
  const ofType = sql`r.stub = 0 and r.type = ${type}`;
  return rows.selectNodes(and([ofType, rows.dialect.inSelect('r.node', candidates)]));
}
