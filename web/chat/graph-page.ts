import { isRecord, type Params } from './host-link.js';

/** One fact of a node. Properties have no ordinal and cannot be corrected one by one on every surface. */
export interface Fact {
  readonly text: string;
  readonly ordinal?: number;
}

export interface PageNode {
  readonly name: string;
  readonly type: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  /** Missing where the tool does not return them. */
  readonly facts?: readonly Fact[];
  /** The text that a search found. */
  readonly match?: string;
}

export interface PageEdge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

/** Nodes and relations, whichever surface they come from. */
export interface GraphPage {
  readonly nodes: readonly PageNode[];
  readonly edges: readonly PageEdge[];
  readonly warnings: readonly string[];
  readonly nextCursor?: string;
}

/** Reads the lists of a result; each surface has its own names for the same things. */
export function toGraphPage(result: Params, nodes: unknown, edges: unknown): GraphPage {
  const { nextCursor, warnings } = result;
  return {
    nodes: records(nodes).map(toNode),
    edges: records(edges).map(toEdge),
    warnings: strings(warnings),
    ...(typeof nextCursor === 'string' ? { nextCursor } : {}),
  };
}

/** A later page after an earlier one. */
export function joinPages(first: GraphPage, second: GraphPage): GraphPage {
  const known = new Set(first.nodes.map(keyOf));
  return {
    ...second,
    nodes: [...first.nodes, ...second.nodes.filter((node) => !known.has(keyOf(node)))],
    edges: [...first.edges, ...second.edges],
  };
}

export function keyOf({ type, name }: Pick<PageNode, 'type' | 'name'>): string {
  return JSON.stringify([type, name]);
}

function toNode(node: Params): PageNode {
  const { name, summary, tags, observations, metadata, matched_observation: match } = node;
  const facts = observations ?? metadata;
  return {
    name: String(name),
    type: String(node['entityType'] ?? node['nodeType'] ?? node['entity_type'] ?? ''),
    ...(typeof summary === 'string' ? { summary } : {}),
    tags: strings(tags),
    ...(Array.isArray(facts) ? { facts: facts.map(toFact) } : {}),
    ...(typeof match === 'string' ? { match } : {}),
  };
}

function toFact(fact: unknown): Fact {
  if (!isRecord(fact)) return { text: String(fact) };
  return { text: String(fact['content']), ordinal: Number(fact['ordinal']) };
}

function toEdge(edge: Params): PageEdge {
  const type = edge['relationType'] ?? edge['edgeType'] ?? edge['relation_type'];
  return { from: String(edge['from']), to: String(edge['to']), type: String(type) };
}

function records(list: unknown): readonly Params[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

export function strings(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}
