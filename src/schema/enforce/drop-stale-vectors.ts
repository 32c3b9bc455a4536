import { isDeepStrictEqual } from 'node:util';
import type { Json, Props } from '../../model/json.js';
import type { Node } from '../../model/node.js';
import type { NodeDraft } from '../../store/drafts.js';
import { embeddedPropertiesOf } from '../graph/embedded-properties.js';
import type { NodeType } from '../graph/graph-schema.js';

/**
 * A node without the vectors that were made of a text it no longer has: the embedder fills them again. A vector that is
 * another than before was given with the write, and stays.
 */
export function dropStaleVectors(type: NodeType, draft: NodeDraft, before: Node | undefined): NodeDraft {
  const { props = {} } = draft;
  const stale = new Set(
    embeddedPropertiesOf(type)
      .filter(
        ({ property, from }) =>
          own(props, property) !== undefined &&
          isDeepStrictEqual(own(props, property), own(before?.props, property)) &&
          own(props, from) !== previousText(type, before, from),
      )
      .map(({ property }) => property),
  );
  if (stale.size === 0) return draft;
  return { ...draft, props: Object.fromEntries(Object.entries(props).filter(([name]) => !stale.has(name))) };
}

/** What it said, maybe under the name that the property had then. */
function previousText({ properties }: NodeType, before: Node | undefined, from: string): Json | undefined {
  const earlier = properties.get(from)?.renamedFrom ?? from;
  return own(before?.props, from) ?? own(before?.props, earlier);
}

function own(props: Props = {}, name: string): Json | undefined {
  return Object.hasOwn(props, name) ? props[name] : undefined;
}
