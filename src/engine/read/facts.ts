import { TimeSlice } from '../../bounds/time-slice.js';
import type { Node, NodeId, Observation } from '../../model/node.js';
import { renderProps } from '../../model/render-props.js';
import type { Reader } from '../../store/reader.js';
import type { NodeWithFacts } from '../specs.js';

/** Observations in ordinal order, then the properties. */
export async function withFacts(reader: Reader, nodes: readonly Node[]): Promise<NodeWithFacts[]> {
  return joinFacts(nodes, await reader.observationsOf(nodes.map((node) => node.id)));
}

export async function joinFacts(
  nodes: readonly Node[],
  observations: readonly Observation[],
): Promise<NodeWithFacts[]> {
  const slice = new TimeSlice();
  const byNode = new Map<NodeId, string[]>();
  for (const { node, text } of observations) {
    if (slice.isOver) await slice.yieldToOthers();
    const texts = byNode.get(node);
    if (texts) texts.push(text);
    else byNode.set(node, [text]);
  }
  const joined: NodeWithFacts[] = [];
  for (const node of nodes) {
    if (slice.isOver) await slice.yieldToOthers();
    joined.push({ node, facts: [...(byNode.get(node.id) ?? []), ...renderProps(node)] });
  }
  return joined;
}
