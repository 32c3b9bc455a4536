import type { Json, Props } from '../../model/json.js';
import { keyText } from '../../model/key-text.js';
import { limits } from '../../model/limits.js';
import type { EdgeType, NodeType } from '../graph/graph-schema.js';
import { parseValue } from '../graph/values/parse-value.js';

/** The text of a key, or why there is none: the rest of a sentence that begins with the type. */
export type KeyFromProps =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string };

/** What a node with these properties, as somebody gives them, is called; only for types with a key. */
export function nodeKeyFromProps({ key, properties }: NodeType, props: Props): KeyFromProps {
  const [only, ...others] = key ?? [];
  const type = only === undefined ? undefined : properties.get(only)?.type;
  // By far the commonest, and already what it will be.
  if (only !== undefined && others.length === 0 && type?.kind === 'scalar' && type.scalar === 'String') {
    const value = Object.hasOwn(props, only) ? props[only] : undefined;
    if (typeof value === 'string' && value !== '') return checkKeyLength(value);
  }
  return keyFromProps(key ?? [], properties, props);
}

/** The key of an edge with these properties; empty if its type has none. */
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

/** Rows are looked up by it before they are held against the schema, and a database has no index for a longer one. */
function checkKeyLength(text: string): KeyFromProps {
  if (text.length <= limits.nameLength) return { text };
  return { problem: `has a key of ${text.length} characters; at most ${limits.nameLength} are allowed.` };
}
