import { TrellisError } from './error.js';
import type { Props } from './json.js';

/** The type of the nodes that the gate keeps its registry in, on a graph without a schema of its own. */
export const registryType = 'Schema';

/** The property that makes such a node an entry of the registry: true while it is in force. */
export const registryMark = 'allowed';

/** Whether a node is an entry of the gate's registry, in force or not; another surface may use the type for its own things. */
export function isRegistryNode({
  type,
  props = {},
}: {
  readonly type: string;
  readonly props?: Props | undefined;
}): boolean {
  return (
    type === registryType && Object.hasOwn(props, registryMark) && typeof props[registryMark] === 'boolean'
  );
}

/** Says that the registry is not changed this way. */
export function registryProtected(name: string): TrellisError {
  const hint = `Nothing was changed. Whoever may schema_apply changes the registry, with trellis gate schema add; for something else, use another type than ${registryType}.`;
  return new TrellisError('FORBIDDEN', `The ${registryType} node ${name} belongs to the gate's registry.`, {
    hint,
    details: { type: registryType, name },
    // A condition may have met it without naming it.
    withoutRead: { message: `A ${registryType} node belongs to the gate's registry.`, hint },
  });
}
