import type { Edge } from '../../model/edge.js';
import type { Node, NodeId } from '../../model/node.js';
import { renderProps } from '../../model/render-props.js';
import type { Reader } from '../../store/reader.js';

/** A fact by its ordinal; a property, which has none, is shown at 0. */
export interface NumberedFact {
  readonly ordinal: number;
  readonly text: string;
}

export interface OpenedNode {
  readonly node: Node;
  readonly facts: readonly NumberedFact[];
  readonly updatedAt: number;
}

export interface OpenedNodes {
  readonly nodes: readonly OpenedNode[];
  /** Those with at least one end among the nodes. */
  readonly edges: readonly Edge[];
  readonly notFound: readonly string[];
}

/** Nodes by exact name with all there is about them. */
export async function openNumbered(reader: Reader, names: readonly string[]): Promise<OpenedNodes> {
  const asked = [...new Set(names)];
  const nodes = (await reader.nodesNamed(asked)).filter((node) => !node.stub);
  const ids = nodes.map(({ id }) => id);
  const [observations, edges, updated] = await Promise.all([
    reader.observationsOf(ids),
    reader.edgesOf(ids),
    reader.updatedAt(ids),
  ]);
  const facts = new Map<NodeId, NumberedFact[]>(ids.map((id) => [id, []]));
  for (const { node, ordinal, text } of observations) facts.get(node)?.push({ ordinal, text });
  const found = new Set(nodes.map(({ name }) => name));
  return {
    nodes: nodes.map((node) => ({
      node,
      facts: [...(facts.get(node.id) ?? []), ...renderProps(node).map((text) => ({ ordinal: 0, text }))],
      updatedAt: updated.get(node.id) ?? node.createdAt,
    })),
    edges,
    notFound: asked.filter((name) => !found.has(name)),
  };
}
