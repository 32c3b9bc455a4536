import type { Props } from '../../../model/json.js';
import { nearest } from '../../../model/nearest.js';
import type { EdgeType, NodeType } from '../graph-schema.js';

/** One reason why a node or an edge does not match the graph schema. */
export interface RowProblem {
  readonly code:
    | 'unknown_type'
    | 'unknown_property'
    | 'missing_property'
    | 'wrong_type'
    | 'out_of_range'
    | 'check_failed'
    | 'bad_key';
  /** Null if it is about the row as a whole. */
  readonly property: string | null;
  readonly message: string;
  /** The name that was probably meant. */
  readonly suggestion?: string;
}

/** Properties in canonical form; only valid if there are no problems. */
export interface CheckedRowProps {
  readonly props: Props;
  readonly problems: readonly RowProblem[];
}

export function unknownTypeProblem(kind: 'node' | 'edge', type: string, names: Iterable<string>): RowProblem {
  const message = `The schema has no ${kind} ${JSON.stringify(type)}.`;
  return { code: 'unknown_type', property: null, ...withSuggestion(message, type, names) };
}

/** The message with the nearest of these names, if one is near. */
export function withSuggestion(
  message: string,
  given: string,
  names: Iterable<string>,
): Pick<RowProblem, 'message' | 'suggestion'> {
  const suggestion = nearest(given, names);
  if (suggestion === undefined) return { message };
  return { message: `${message} Did you mean ${JSON.stringify(suggestion)}?`, suggestion };
}

export function keyLengthProblem(
  { name, key }: NodeType | EdgeType,
  allowed: string,
  text: string,
): RowProblem {
  const message = `The key of ${name} must have ${allowed} characters, but has ${text.length}.`;
  return { code: 'bad_key', property: key?.[0] ?? null, message };
}
