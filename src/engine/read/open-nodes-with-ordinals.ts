import { mapYielding } from '../../bounds/yielding-loops.js';
import type { Edge } from '../../model/edge.js';
import { groupEntries } from '../../model/group-entries.js';
import type { Node } from '../../model/node.js';
import { renderProps } from '../../model/render-props.js';
import type { Reader } from '../../store/reader.js';
import { isOfType } from '../specs.js';
import { type OpenRequest, openPage } from './open-nodes.js';

/** A property has no ordinal and is shown at 0. */
export interface NumberedFact {
  readonly ordinal: number;
  readonly text: string;
}

export interface OpenedNode {
  readonly node: Node;
  readonly facts: readonly NumberedFact[];
  readonly updatedAt: number;
}

interface OpenedNodes {
  readonly nodes: readonly OpenedNode[];
  /** With at least one end among the nodes. */
  readonly edges: readonly Edge[];
  readonly nextCursor?: string;
}

export async function openNodesWithOrdinals(
  reader: Reader,
  names: readonly string[],
  request: OpenRequest = {},
): Promise<OpenedNodes> {
  const { page, ...next } = openPage(reader, await reader.nodesNamed([...new Set(names)]), request);
  const ids = page.map(({ id }) => id);
  const [observations, edges, updated] = await Promise.all([
    reader.observationsOf(ids),
    reader.edgesOf(ids),
    reader.updatedAt(ids),
  ]);
  const facts = groupEntries(observations.map(({ node, ordinal, text }) => [node, { ordinal, text }]));
  return {
    nodes: await mapYielding(page, (node) => ({
      node,
      facts: [...(facts.get(node.id) ?? []), ...renderProps(node).map((text) => ({ ordinal: 0, text }))],
      updatedAt: updated.get(node.id) ?? node.createdAt,
    })),
    edges,
    ...next,
  };
}

export async function findMissingNames(
  reader: Reader,
  names: readonly string[],
  type?: string,
): Promise<readonly string[]> {
  const asked = [...new Set(names)];
  const nodes = (await reader.nodesNamed(asked)).filter((node) => !node.stub && isOfType(node, type));
  const found = new Set(nodes.map(({ name }) => name));
  return asked.filter((name) => !found.has(name));
}
