import { TrellisError } from './error.js';
import type { Props } from './json.js';

/** The type of nodes that hold the gate registry, in a graph without a graph schema. */
export const registryType = 'Schema';

/** The property that marks an entry of the registry: true while it is in force. */
export const registryMark = 'allowed';

/** Other surfaces may use the type for nodes of their own, without the mark. */
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

export function registryProtected(name: string): TrellisError {
  const hint = `Nothing was changed. Change the gate registry with trellis gate schema add (needs schema_apply), or use another type than ${registryType}.`;
  return new TrellisError('FORBIDDEN', `The ${registryType} node ${name} belongs to the gate's registry.`, {
    hint,
    details: { type: registryType, name },
    // A query may have matched it without knowing its name.
    withoutRead: { message: `A ${registryType} node belongs to the gate's registry.`, hint },
  });
}
