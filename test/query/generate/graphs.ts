import type { Json, Props } from '../../../src/model/json.js';
import { keyText } from '../../../src/model/key-text.js';
import type { EdgeType, GraphSchema, NodeType } from '../../../src/schema/graph/graph-schema.js';
import type { Choices } from './choices.js';
import { value } from './values.js';

/** A node to be written: its id is its name. */
export interface GeneratedNode {
  readonly type: string;
  readonly name: string;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly observations: readonly string[];
  readonly props: Props;
}

/** An edge to be written, between nodes by their places in the list. */
export interface GeneratedEdge {
  readonly type: string;
  readonly from: number;
  readonly to: number;
  readonly key: string;
  readonly props: Props;
}

export interface GeneratedGraph {
  readonly nodes: readonly GeneratedNode[];
  readonly edges: readonly GeneratedEdge[];
}

const texts = ['fox', 'a quick red fox', 'the slow snail', 'quick'];

/** A small graph that a schema allows; names of different types may be the same. */
export function graph(choose: Choices, schema: GraphSchema): GeneratedGraph {
  const nodes = [...schema.nodes.values()].flatMap((type) =>
    choose.times(0, 5, (index) => node(choose, type, `n${index}`)),
  );
  const edges = [...schema.edges.values()].flatMap((type) => {
    const from = places(nodes, type.from);
    const to = places(nodes, type.to);
    if (from.length === 0 || to.length === 0) return [];
    return choose.times(0, 8, () => edge(choose, type, choose.one(from), choose.one(to)));
  });
  const identities = new Map(
    edges.map((one) => [JSON.stringify([one.type, one.from, one.to, one.key]), one]),
  );
  return { nodes, edges: [...identities.values()] };
}

function places(nodes: readonly GeneratedNode[], type: string): number[] {
  return nodes.flatMap((node, index) => (node.type === type ? [index] : []));
}

function node(choose: Choices, type: NodeType, name: string): GeneratedNode {
  return {
    type: type.name,
    name,
    summary: choose.chance(50) ? choose.one(texts) : null,
    tags: choose.some(['new', 'old'], 40),
    observations: choose.times(0, 2, () => choose.one(texts)),
    props: { ...props(choose, type), slug: name },
  };
}

function edge(choose: Choices, type: EdgeType, from: number, to: number): GeneratedEdge {
  const made = props(choose, type);
  return { type: type.name, from, to, key: type.key === null ? '' : keyText(type.key, made), props: made };
}

function props(choose: Choices, type: NodeType | EdgeType): Props {
  const given = [...type.properties.values()].map((property): [string, Json] => [
    property.name,
    value(choose, property.type),
  ]);
  return Object.fromEntries(given.filter(([, json]) => json !== null));
}
