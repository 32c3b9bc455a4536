import type { Node, NodeId, Observation } from '../../model/node.js';
import { renderProps } from '../../model/render-props.js';
import type { Reader } from '../../store/contract.js';
import type { NodeWithFacts } from '../specs.js';

/** Gives nodes their facts: observations in ordinal order, then the properties. */
export async function withFacts(reader: Reader, nodes: readonly Node[]): Promise<NodeWithFacts[]> {
  return joinFacts(nodes, await reader.observationsOf(nodes.map((node) => node.id)));
}

export function joinFacts(nodes: readonly Node[], observations: readonly Observation[]): NodeWithFacts[] {
  const byNode = new Map<NodeId, string[]>();
  for (const { node, text } of observations) {
    const texts = byNode.get(node);
    if (texts) texts.push(text);
    else byNode.set(node, [text]);
  }
  return nodes.map((node) => ({ node, facts: [...(byNode.get(node.id) ?? []), ...renderProps(node)] }));
}
