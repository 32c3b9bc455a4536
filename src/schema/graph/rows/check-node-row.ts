import type { Props } from '../../../model/json.js';
import { keyText } from '../../../model/key-text.js';
import { limits } from '../../../model/limits.js';
import type { GraphSchema } from '../graph-schema.js';
import { checkRowProps } from './check-row-props.js';
import { type CheckedRowProps, keyLengthProblem, unknownTypeProblem } from './row-problem.js';

interface CheckedNodeRow extends CheckedRowProps {
  /** The text of its key; null if its type has none, or if the properties are invalid. */
  readonly id: string | null;
}

/** Validates a node against the schema. */
export function checkNodeRow(schema: GraphSchema, type: string, given: Props): CheckedNodeRow {
  const nodeType = schema.nodes.get(type);
  if (nodeType === undefined)
    return { props: given, id: null, problems: [unknownTypeProblem('node', type, schema.nodes.keys())] };
  const { props, problems } = checkRowProps(nodeType, given);
  if (problems.length > 0 || nodeType.key === null) return { props, problems, id: null };
  const id = keyText(nodeType.key, props);
  // The id becomes the name of the node.
  const isName = id !== '' && id.length <= limits.nameLength;
  return {
    props,
    id,
    problems: isName ? [] : [keyLengthProblem(nodeType, `1 to ${limits.nameLength}`, id)],
  };
}
