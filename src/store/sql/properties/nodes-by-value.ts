import type { Node } from '../../../model/node.js';
import type { ScalarProps } from '../../read-requests.js';
import type { GraphContext } from '../dialect.js';
import type { Fragment } from '../executor.js';
import { and, sql } from '../sql.js';
import type { VisibleRows } from '../visible-rows.js';
import {
  candidatesSpelledLike,
  candidatesWithAll,
  candidatesWithAny,
  hasScalars,
} from './node-properties.js';

/** The nodes of a type that have all these values. */
export async function nodesMatching(rows: VisibleRows, type: string, props: ScalarProps): Promise<Node[]> {
  const candidates = await candidatesWithAll(rows.executor, rows.lineage.graph, type, props);
  if (candidates === undefined) return [];
  const nodes = await nodesAmong(rows, type, candidates);
  return nodes.filter((node) => hasScalars(node.props, props));
}

/** The nodes of a type whose property has one of the values. */
export async function nodesWithValues(
  rows: VisibleRows,
  type: string,
  property: string,
  values: readonly (string | number | boolean)[],
): Promise<Node[]> {
  if (values.length === 0) return [];
  const wanted = new Set<unknown>(values);
  const candidates = candidatesWithAny(contextOf(rows), [type], property, [...values]);
  const nodes = await nodesAmong(rows, type, candidates);
  return nodes.filter(({ props }) => Object.hasOwn(props, property) && wanted.has(props[property]));
}

/** The nodes of a type whose name is spelt like this one, at most so many. */
export async function nodesSpelledLike(
  rows: VisibleRows,
  type: string,
  name: string,
  limit: number,
): Promise<Node[]> {
  const ids = await candidatesSpelledLike(contextOf(rows), type, name, limit);
  if (ids.length === 0) return [];
  const nodes = await rows.nodes(rows.dialect.inList('r.node', 'integer', ids));
  return nodes.filter((node) => !node.stub && node.type === type);
}

function contextOf({ executor, dialect, lineage: { graph } }: VisibleRows): GraphContext {
  return { executor, dialect, graph };
}

function nodesAmong(rows: VisibleRows, type: string, candidates: Fragment) {
  const ofType = sql`r.stub = 0 and r.type = ${type}`;
  return rows.nodes(and([ofType, rows.dialect.inSelect('r.node', candidates)]));
}
