import type { Props } from '../../../model/json.js';
import { keyText } from '../../../model/key-text.js';
import { limits } from '../../../model/limits.js';
import { findEdgeType, type GraphSchema } from '../graph-schema.js';
import { checkRowProps } from './check-row-props.js';
import { type CheckedRowProps, keyLengthProblem, unknownTypeProblem } from './row-problem.js';

interface CheckedEdgeRow extends CheckedRowProps {
  /** As the schema spells it. */
  readonly type: string;
  /** Distinguishes edges of one type between the same nodes; null if the type does not say how. */
  readonly key: string | null;
}

/** Validates an edge against the schema; its endpoints are checked elsewhere. */
export function checkEdgeRow(schema: GraphSchema, type: string, given: Props): CheckedEdgeRow {
  const edgeType = findEdgeType(schema, type);
  if (edgeType === undefined) {
    const names = [...schema.edges.values()].map(({ name }) => name);
    return { type, props: given, key: null, problems: [unknownTypeProblem('edge', type, names)] };
  }
  const { props, problems } = checkRowProps(edgeType, given);
  const key = problems.length > 0 || edgeType.key === null ? null : keyText(edgeType.key, props);
  const isTooLong = key !== null && key.length > limits.nameLength;
  return {
    type: edgeType.name,
    props,
    key,
    problems: isTooLong ? [keyLengthProblem(edgeType, `at most ${limits.nameLength}`, key)] : problems,
  };
}
