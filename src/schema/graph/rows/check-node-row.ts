import type { Props } from '../../../model/json.js';
import { keyText } from '../../../model/key-text.js';
import { limits } from '../../../model/limits.js';
import type { GraphSchema, NodeType } from '../graph-schema.js';
import { checkRowProps } from './check-row-props.js';
import type { CheckedRowProps, RowProblem } from './row-problem.js';
import { unknownTypeProblem } from './unknown-type-problem.js';

export interface CheckedNodeRow extends CheckedRowProps {
  /** The text of its key; null if its type has none, or if it cannot be told. */
  readonly id: string | null;
}

/** Holds a node against a schema: what is wrong with it, its properties as they are kept, and its id. */
export function checkNodeRow(schema: GraphSchema, type: string, given: Props): CheckedNodeRow {
  const nodeType = schema.nodes.get(type);
  if (nodeType === undefined)
    return { props: given, id: null, problems: [unknownTypeProblem('node', type, schema.nodes.keys())] };
  const { props, problems } = checkRowProps(nodeType, given);
  if (problems.length > 0) return { props, problems, id: null };
  const id = idOf(nodeType, props);
  return { props, id, problems: id === null ? [] : idProblems(nodeType, id) };
}

/** The id that the key of a node makes, from its properties in canonical form; null if its type has no key. */
function idOf({ key }: NodeType, props: Props): string | null {
  return key === null ? null : keyText(key, props);
}

/** An id is kept as the name of its node, so it has the bounds of names. */
function idProblems({ name, key }: NodeType, id: string): RowProblem[] {
  const isNameable = id !== '' && id.length <= limits.nameLength;
  if (isNameable) return [];
  const [property = null] = key ?? [];
  const message = `The key of ${name} must have 1 to ${limits.nameLength} characters, but has ${id.length}.`;
  return [{ code: 'bad_key', property, message }];
}
