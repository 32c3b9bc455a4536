import { isDeepStrictEqual } from 'node:util';
import type { Json, Props } from '../../model/json.js';
import type { Node } from '../../model/node.js';
import type { NodeDraft } from '../../store/drafts.js';
import { embeddedPropertiesOf } from '../graph/embedded-properties.js';
import type { NodeType } from '../graph/graph-schema.js';

/** Drops vectors whose source text has changed: the embedder fills them again. A vector that the write sets stays. */
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

/** Perhaps under the property's earlier name. */
function previousText({ properties }: NodeType, before: Node | undefined, from: string): Json | undefined {
  const earlier = properties.get(from)?.renamedFrom ?? from;
  return own(before?.props, from) ?? own(before?.props, earlier);
}

function own(props: Props = {}, name: string): Json | undefined {
  return Object.hasOwn(props, name) ? props[name] : undefined;
}
