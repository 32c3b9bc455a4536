import type { Props } from '../../model/json.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import { checkEdgeRow } from '../graph/rows/check-edge-row.js';
import { rowHint } from './row-hint.js';

/** An edge as a schema wants it kept, and what is wrong with it by itself. */
export interface ValidatedEdge {
  /** The one given, if nothing about it changes. */
  readonly draft: EdgeDraft;
  readonly violations: readonly Violation[];
}

/** Holds an edge against a schema, but for its ends. Its key is made of its properties, if its type has one. */
export function validateEdge(schema: GraphSchema, given: EdgeDraft): ValidatedEdge {
  const { type, props, key, problems } = checkEdgeRow(schema, given.type, given.props ?? {});
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
    // An edge is found again by the name it was written under, so that has to be the one.
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
