import { nearest } from '../../../model/nearest.js';
import type { RowProblem } from './row-problem.js';

/** That the schema has no such type, and which one was probably meant. */
export function unknownTypeProblem(kind: 'node' | 'edge', type: string, names: Iterable<string>): RowProblem {
  const suggestion = nearest(type, names);
  const question = suggestion === undefined ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`;
  return {
    code: 'unknown_type',
    property: null,
    message: `The schema has no ${kind} ${JSON.stringify(type)}.${question}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
