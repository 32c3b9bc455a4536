import { setImmediate as turn } from 'node:timers/promises';
import type { Node, NodeId } from '../../model/node.js';
import { compareText } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';
import { decodeOffsetCursor, encodeOffsetCursor } from '../read/cursors.js';
import type { ListPage, ListRequest } from '../read/list-nodes.js';
import { NameMatcher } from './name-matcher.js';

type NodeRef = Pick<Node, 'name' | 'type'>;

/** A node that names another without an edge between them. */
interface UnlinkedMention {
  readonly node: NodeRef;
  readonly referenced: NodeRef;
  /** In how many of its observations. */
  readonly count: number;
}

const list = 'get_relation_gaps';

/** Nodes whose observations are in memory at a time. */
const batchSize = 500;

/** Most often named first. Keeps no more mentions in memory than requested. */
export async function unlinkedMentions(
  reader: Reader,
  { limit, cursor }: ListRequest,
): Promise<ListPage<UnlinkedMention>> {
  const offset = decodeOffsetCursor(list, cursor);
  const wanted = offset + limit + 1;
  const { matcher, names } = await loadNames(reader);
  let gaps: UnlinkedMention[] = [];
  for await (const nodes of nodeBatches(reader)) {
    gaps.push(...(await mentionsOf(reader, nodes, matcher, names)));
    if (gaps.length >= 2 * wanted) gaps = mostFrequent(gaps, wanted);
  }
  const found = mostFrequent(gaps, wanted);
  return {
    items: found.slice(offset, offset + limit),
    ...(found.length === wanted ? { nextCursor: encodeOffsetCursor(list, offset + limit) } : {}),
  };
}

async function loadNames(reader: Reader) {
  const matcher = new NameMatcher();
  const names = new Map<NodeId, NodeRef>();
  for await (const nodes of nodeBatches(reader)) {
    for (const { id, name, type } of nodes) {
      matcher.add(name, id);
      names.set(id, { name, type });
    }
  }
  return { matcher, names };
}

async function* nodeBatches(reader: Reader): AsyncGenerator<readonly Node[]> {
  for (let last: Node | undefined; ; ) {
    const nodes = await reader.nodes({ after: last?.order, limit: batchSize });
    if (nodes.length > 0) yield nodes;
    last = nodes.at(-1);
    if (nodes.length < batchSize) return;
    await turn();
  }
}

async function mentionsOf(
  reader: Reader,
  nodes: readonly Node[],
  matcher: NameMatcher,
  names: ReadonlyMap<NodeId, NodeRef>,
): Promise<UnlinkedMention[]> {
  const ids = nodes.map(({ id }) => id);
  const counts = new Map<NodeId, Map<NodeId, number>>(ids.map((id) => [id, new Map()]));
  for (const { node, text } of await reader.observationsOf(ids)) {
    const named = new Set<NodeId>();
    for (const meant of matcher.matches(text)) {
      // A node that names itself does not mean another whose name differs in case.
      if (!meant.includes(node)) for (const id of meant) named.add(id);
    }
    const ofNode = counts.get(node);
    for (const id of named) ofNode?.set(id, (ofNode.get(id) ?? 0) + 1);
  }
  const naming = ids.filter((id) => (counts.get(id)?.size ?? 0) > 0);
  for (const { from, to } of await reader.linksOf(naming)) {
    counts.get(from)?.delete(to);
    counts.get(to)?.delete(from);
  }
  return nodes.flatMap(({ id, name, type }) =>
    [...(counts.get(id) ?? [])].flatMap(([other, count]) => {
      const referenced = names.get(other);
      return referenced === undefined ? [] : [{ node: { name, type }, referenced, count }];
    }),
  );
}

function mostFrequent(gaps: UnlinkedMention[], count: number): UnlinkedMention[] {
  return gaps.sort(compareMentions).slice(0, count);
}

function compareMentions(a: UnlinkedMention, b: UnlinkedMention): number {
  return (
    b.count - a.count ||
    compareText(a.node.name, b.node.name) ||
    compareText(a.referenced.name, b.referenced.name)
  );
}
