import type { Json, Props } from '../../model/json.js';
import { keyText } from '../../model/key-text.js';
import { limits } from '../../model/limits.js';
import type { EdgeType, NodeType } from '../graph/graph-schema.js';
import { parseValue } from '../graph/values/parse-value.js';

/** The text of a key, or why there is none: the rest of a sentence that begins with the type. */
export type KeyFromProps =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string };

/** The name of a node with these properties, which may not be canonical; only for types with a key. */
export function nodeKeyFromProps({ key, properties }: NodeType, props: Props): KeyFromProps {
  const [only, ...others] = key ?? [];
  const type = only === undefined ? undefined : properties.get(only)?.type;
  // By far the most common case, and already canonical.
  if (only !== undefined && others.length === 0 && type?.kind === 'scalar' && type.scalar === 'String') {
    const value = Object.hasOwn(props, only) ? props[only] : undefined;
    if (typeof value === 'string' && value !== '') return checkKeyLength(value);
  }
  return keyFromProps(key ?? [], properties, props);
}

/** Empty if the type has no key. */
export function edgeKeyFromProps({ key, properties }: EdgeType, props: Props): KeyFromProps {
  return key === null ? { text: '' } : keyFromProps(key, properties, props);
}

function keyFromProps(
  key: readonly string[],
  properties: NodeType['properties'],
  props: Props,
): KeyFromProps {
  const canonical: Record<string, Json> = Object.create(null);
  for (const member of key) {
    const property = properties.get(member);
    const value = Object.hasOwn(props, member) ? props[member] : (property?.default ?? null);
    const parsed = property === undefined ? undefined : parseValue(property.type, value);
    if (parsed === undefined || 'reason' in parsed) {
      return { problem: `lacks ${member}: it ${parsed?.reason ?? 'is not declared.'}` };
    }
    canonical[member] = parsed.value;
  }
  const text = keyText(key, canonical);
  return text === '' ? { problem: `has an empty ${key.join(', ')}.` } : checkKeyLength(text);
}

/** Rows are looked up by key before they are validated, and databases cannot index a longer one. */
function checkKeyLength(text: string): KeyFromProps {
  if (text.length <= limits.nameLength) return { text };
  return { problem: `has a key of ${text.length} characters; at most ${limits.nameLength} are allowed.` };
}
