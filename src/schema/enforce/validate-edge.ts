import type { Props } from '../../model/json.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import { checkEdgeRow } from '../graph/rows/check-edge-row.js';
import { rowHint } from './row-hint.js';
import type { PutEdge } from './written-rows.js';

/** Validates all but the ends. The properties make the key, if the type declares one; otherwise it stays. */
export function validateEdge(schema: GraphSchema, given: EdgeDraft): PutEdge {
  const { type, props, problems, ...checked } = checkEdgeRow(schema, given.type, given.props ?? {});
  const key = checked.key ?? given.key;
  if (problems.length === 0 && type === given.type) {
    const isSame = key === given.key && (props === given.props || areEmpty(props, given.props));
    return { draft: isSame ? given : { ...given, key, props }, violations: [] };
  }
  const edge = { fromName: given.fromName, type: given.type, toName: given.toName, key: given.key };
  const violations = problems.map(
    (problem): Violation => ({
      ...{ kind: 'value', edge, property: problem.property ?? undefined },
      ...{ message: problem.message, hint: rowHint(schema, 'edge', given.type, problem) },
    }),
  );
  if (violations.length === 0) {
    // An edge is looked up by the type it was written with, so the case must match.
    violations.push({
      ...{ kind: 'value', edge },
      ...{ message: `The schema calls it ${type}.`, hint: `Write ${type} instead of ${given.type}.` },
    });
  }
  return { draft: given, violations };
}

function areEmpty(...all: readonly (Props | undefined)[]): boolean {
  return all.every((props) => props === undefined || Object.keys(props).length === 0);
}
