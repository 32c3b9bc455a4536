import type { Node } from '../../../model/node.js';
import type { Scalars } from '../../questions.js';
import type { Fragment } from '../executor.js';
import { and } from '../fragments.js';
import type { SeenRows } from '../seen-rows.js';
import { hasScalars, nodesSpelt, nodesThatHad, nodesThatHadOne } from './node-properties.js';

/** The nodes of a type that have all these values. */
export async function nodesMatching(rows: SeenRows, type: string, props: Scalars): Promise<Node[]> {
  const candidates = await nodesThatHad(rows.executor, rows.lineage.graph, type, props);
  if (candidates === undefined) return [];
  const nodes = await nodesAmong(rows, type, candidates);
  return nodes.filter((node) => hasScalars(node.props, props));
}

/** The nodes of a type whose property has one of the values. */
export async function nodesWithValues(
  rows: SeenRows,
  type: string,
  property: string,
  values: readonly (string | number | boolean)[],
): Promise<Node[]> {
  if (values.length === 0) return [];
  const wanted = new Set<unknown>(values);
  const candidates = nodesThatHadOne(rows.dialect, rows.lineage.graph, [type], property, [...values]);
  const nodes = await nodesAmong(rows, type, candidates);
  return nodes.filter(({ props }) => Object.hasOwn(props, property) && wanted.has(props[property]));
}

/** The nodes of a type whose name is spelt like this one, at most so many. */
export async function nodesSpeltLike(
  rows: SeenRows,
  type: string,
  name: string,
  limit: number,
): Promise<Node[]> {
  const { executor, dialect, lineage } = rows;
  const ids = await nodesSpelt(executor, dialect, lineage.graph, type, name, limit);
  if (ids.length === 0) return [];
  const nodes = await rows.nodes(dialect.inList('r.node', 'integer', ids));
  return nodes.filter((node) => !node.stub && node.type === type);
}

function nodesAmong(rows: SeenRows, type: string, candidates: Fragment) {
  const ofType = { sql: 'r.stub = 0 and r.type = ?', params: [type] };
  return rows.nodes(and([ofType, rows.dialect.inSelect('r.node', candidates)]));
}
