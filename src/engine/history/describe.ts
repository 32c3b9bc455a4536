import type { Edge } from '../../model/edge.js';
import type { Json } from '../../model/json.js';
import { type EdgeChange, type GraphDiff, type NodeChange, type NodeState, saysSame } from './graph-diff.js';

/** A value before and after; a side on which there is none is left out. */
export interface ValueChange {
  readonly before?: Json;
  readonly after?: Json;
}

/** A change in words every surface has: names, and no number that a store gave out, but for ordinals. */
export type DescribedChange = Readonly<Record<string, unknown>> & {
  readonly change: 'added' | 'changed' | 'removed';
};

export interface DescribedDiff {
  readonly nodes: readonly DescribedChange[];
  readonly edges: readonly DescribedChange[];
}

/** A diff as programs print and send it. */
export function describeDiff({ nodes, edges }: GraphDiff): DescribedDiff {
  return { nodes: nodes.map(describeNodeChange), edges: edges.map(describeEdgeChange) };
}

function describeNodeChange({ before, after }: NodeChange): DescribedChange {
  if (before === null || after === null) {
    return { change: before === null ? 'added' : 'removed', ...nodeProperties(after ?? before) };
  }
  const { type, name } = after.node;
  return {
    change: 'changed',
    type,
    name,
    properties: changedProperties(nodeValues(before), nodeValues(after)),
  };
}

function describeEdgeChange({ before, after }: EdgeChange): DescribedChange {
  if (before === null || after === null) {
    return { change: before === null ? 'added' : 'removed', ...edgeProperties(after ?? before) };
  }
  const { fromName, type, toName, key } = after;
  return {
    change: 'changed',
    ...{ from: fromName, type, to: toName, ...(key === '' ? {} : { key }) },
    properties: changedProperties(edgeValues(before), edgeValues(after)),
  };
}

/** What a state says of a node; what is empty is left out. */
export function nodeProperties(state: NodeState | null): Readonly<Record<string, Json>> {
  if (state === null) return {};
  const { type, name, summary, tags, props, provenance } = state.node;
  return {
    type,
    name,
    ...(summary === null ? {} : { summary }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(Object.keys(props).length === 0 ? {} : { props }),
    ...(provenance === null ? {} : { provenance: { ...provenance } }),
    observations: state.observations.map(({ ordinal, text }) => ({ ordinal, text })),
  };
}

/** What a state says of an edge. */
export function edgeProperties(edge: Edge | null): Readonly<Record<string, Json>> {
  if (edge === null) return {};
  const { fromName, type, toName, key, weight, props, provenance } = edge;
  return {
    ...{ from: fromName, type, to: toName, ...(key === '' ? {} : { key }), weight },
    ...(Object.keys(props).length === 0 ? {} : { props }),
    ...(provenance === null ? {} : { provenance: { ...provenance } }),
  };
}

/** Each property by the name that conflicts and resolutions use. */
function nodeValues({ node, observations }: NodeState): Map<string, Json> {
  const values = new Map<string, Json>([
    ['type', node.type],
    ['name', node.name],
  ]);
  if (node.summary !== null) values.set('summary', node.summary);
  if (node.tags.length > 0) values.set('tags', node.tags);
  if (node.provenance !== null) values.set('provenance', { ...node.provenance });
  for (const [key, value] of Object.entries(node.props)) values.set(`props.${key}`, value);
  for (const { ordinal, text } of observations) values.set(`observations.${ordinal}`, text);
  return values;
}

function edgeValues({ weight, props, provenance }: Edge): Map<string, Json> {
  const values = new Map<string, Json>([['weight', weight]]);
  if (provenance !== null) values.set('provenance', { ...provenance });
  for (const [key, value] of Object.entries(props)) values.set(`props.${key}`, value);
  return values;
}

function changedProperties(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
): Record<string, ValueChange> {
  const changed: [string, ValueChange][] = [];
  for (const property of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(property), after.get(property)];
    if (saysSame(old, now)) continue;
    changed.push([
      property,
      { ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) },
    ]);
  }
  return Object.fromEntries(changed);
}
