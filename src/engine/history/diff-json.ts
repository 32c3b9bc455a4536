import { mapYielding } from '../../bounds/yielding-loops.js';
import type { Edge } from '../../model/edge.js';
import type { Json } from '../../model/json.js';
import { equalJson } from '../../model/json.js';
import type { Provenance } from '../../model/provenance.js';
import type { EdgeChange, GraphDiff, NodeChange, NodeState } from './graph-diff.js';

/** A missing side is left out. */
export type ValueChange = { before?: Json; after?: Json };

/** Empty fields are left out. Contains no ids of a store, only ordinals. */
export type DiffNodeJson = {
  type: string;
  name: string;
  summary?: string;
  tags?: string[];
  props?: Record<string, Json>;
  provenance?: Record<string, Json>;
  observations: { ordinal: number; text: string }[];
};

export type DiffEdgeJson = {
  from: string;
  type: string;
  to: string;
  key?: string;
  weight: number;
  props?: Record<string, Json>;
  provenance?: Record<string, Json>;
};

/** What was added or removed as a whole, or each property that changed. */
type ChangeJson<T, K extends keyof T> =
  | (T & { change: 'added' | 'removed' })
  | (Pick<T, K> & { change: 'changed'; properties: Record<string, ValueChange> });

export type NodeChangeJson = ChangeJson<DiffNodeJson, 'type' | 'name'>;
export type EdgeChangeJson = ChangeJson<DiffEdgeJson, 'from' | 'type' | 'to' | 'key'>;

export interface DiffJson {
  readonly nodes: NodeChangeJson[];
  readonly edges: EdgeChangeJson[];
}

export async function diffToJson({ nodes, edges }: GraphDiff): Promise<DiffJson> {
  return {
    nodes: (await mapYielding(nodes, nodeChangeToJson)).flat(),
    edges: (await mapYielding(edges, edgeChangeToJson)).flat(),
  };
}

function nodeChangeToJson({ before, after }: NodeChange): NodeChangeJson[] {
  const there = after ?? before;
  if (there === null) return [];
  if (before === null || after === null) {
    return [{ change: before === null ? 'added' : 'removed', ...nodeToJson(there) }];
  }
  const { type, name } = after.node;
  const properties = changedProperties(nodeValues(before), nodeValues(after));
  return [{ change: 'changed', type, name, properties }];
}

function edgeChangeToJson({ before, after }: EdgeChange): EdgeChangeJson[] {
  const there = after ?? before;
  if (there === null) return [];
  if (before === null || after === null) {
    return [{ change: before === null ? 'added' : 'removed', ...edgeToJson(there) }];
  }
  const { fromName, type, toName, key } = after;
  const properties = changedProperties(edgeValues(before), edgeValues(after));
  return [
    { change: 'changed', from: fromName, type, to: toName, ...(key === '' ? {} : { key }), properties },
  ];
}

export function nodeToJson(state: NodeState): DiffNodeJson {
  const { type, name, summary, tags, props, provenance } = state.node;
  return {
    type,
    name,
    ...(summary === null ? {} : { summary }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(Object.keys(props).length === 0 ? {} : { props: { ...props } }),
    ...(provenance === null ? {} : { provenance: provenanceJson(provenance) }),
    observations: state.observations.map(({ ordinal, text }) => ({ ordinal, text })),
  };
}

export function edgeToJson(edge: Edge): DiffEdgeJson {
  const { fromName, type, toName, key, weight, props, provenance } = edge;
  return {
    ...{ from: fromName, type, to: toName, ...(key === '' ? {} : { key }), weight },
    ...(Object.keys(props).length === 0 ? {} : { props: { ...props } }),
    ...(provenance === null ? {} : { provenance: provenanceJson(provenance) }),
  };
}

/** Properties by the names that conflicts and resolutions use. */
function nodeValues({ node, observations }: NodeState): Map<string, Json> {
  const values = new Map<string, Json>([
    ['type', node.type],
    ['name', node.name],
  ]);
  if (node.summary !== null) values.set('summary', node.summary);
  if (node.tags.length > 0) values.set('tags', node.tags);
  if (node.provenance !== null) values.set('provenance', provenanceJson(node.provenance));
  for (const [key, value] of Object.entries(node.props)) values.set(`props.${key}`, value);
  for (const { ordinal, text } of observations) values.set(`observations.${ordinal}`, text);
  return values;
}

function edgeValues({ weight, props, provenance }: Edge): Map<string, Json> {
  const values = new Map<string, Json>([['weight', weight]]);
  if (provenance !== null) values.set('provenance', provenanceJson(provenance));
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
    if (equalJson(old, now)) continue;
    changed.push([
      property,
      { ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) },
    ]);
  }
  return Object.fromEntries(changed);
}

function provenanceJson({ properties, ...stamp }: Provenance): Record<string, Json> {
  if (properties === undefined) return stamp;
  const each = Object.entries(properties).map(([key, of]) => [key, provenanceJson(of)] as const);
  return { ...stamp, properties: Object.fromEntries(each) };
}
