import type { Json, Props } from '../../../model/json.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { EmbeddedProperty } from '../../../schema/graph/embedded-properties.js';

/** A vector to be made: of which text, and where it goes. */
export interface VectorTask extends EmbeddedProperty {
  readonly node: NodeId;
  readonly text: string;
}

/** Which vectors are to be made: those that are missing, or all, whoever made the ones that are there. */
export type VectorScope = 'missing' | 'all';

/** The vectors of these nodes that are to be made. */
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

/** Whether a node still says what a vector was made of, and still wants it. */
export function isStillNeeded(node: Node, gap: VectorTask, wanted: VectorScope): boolean {
  return textOf(node, gap) === gap.text && (wanted === 'all' || own(node.props, gap.property) === undefined);
}

/** A text without a word means nothing. */
function textOf({ type, stub, props }: Node, { type: of, from }: EmbeddedProperty): string | undefined {
  if (stub || type !== of) return undefined;
  const text = own(props, from);
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function own(props: Props, name: string): Json | undefined {
  return Object.hasOwn(props, name) ? props[name] : undefined;
}
