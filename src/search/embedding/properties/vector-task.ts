import type { Json, Props } from '../../../model/json.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';

/** A vector to make: its text and where it goes. */
export interface VectorTask extends EmbeddedProperty {
  readonly node: NodeId;
  readonly text: string;
}

/** Only missing vectors, or all. */
export type VectorScope = 'missing' | 'all';

export function vectorTasksOf(
  nodes: readonly Node[],
  properties: readonly EmbeddedProperty[],
  wanted: VectorScope,
): VectorTask[] {
  return nodes.flatMap((node) =>
    properties.flatMap((property): VectorTask[] => {
      const text = textOf(node, property);
      const isWanted = wanted === 'all' || own(node.props, property.property) === undefined;
      return text !== undefined && isWanted ? [{ ...property, node: node.id, text }] : [];
    }),
  );
}

/** Whether a node still has the text that a vector was made from. */
export function isStillNeeded(node: Node, gap: VectorTask, wanted: VectorScope): boolean {
  return textOf(node, gap) === gap.text && (wanted === 'all' || own(node.props, gap.property) === undefined);
}

/** Undefined for a text without words. */
function textOf({ type, stub, props }: Node, { type: of, from }: EmbeddedProperty): string | undefined {
  if (stub || type !== of) return undefined;
  const text = own(props, from);
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function own(props: Props, name: string): Json | undefined {
  return Object.hasOwn(props, name) ? props[name] : undefined;
}
