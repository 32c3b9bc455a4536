import type { Violation } from '../../model/violation.js';
import type { WrittenRows } from './written-rows.js';

/** On a graph with a schema nothing stands for a node that nobody has described: relations to missing nodes are refused. */
export function missingEndpointViolations({ nodes, edges }: WrittenRows): Violation[] {
  const stubs = new Map(
    [...nodes].flatMap(([id, { draft }]) => (draft.stub === true ? [[id, draft.name] as const] : [])),
  );
  if (stubs.size === 0) return [];
  const violations: Violation[] = [];
  const named = new Set<number>();
  for (const { draft } of edges.values()) {
    for (const end of [draft.from, draft.to]) {
      const name = stubs.get(end);
      if (name === undefined) continue;
      named.add(end);
      violations.push({
        ...{ kind: 'value', edge: draft },
        message: `There is no node named ${JSON.stringify(name)}.`,
        hint: `Create ${JSON.stringify(name)} first, then relate it.`,
      });
    }
  }
  for (const [id, name] of stubs) {
    if (named.has(id)) continue;
    violations.push({
      ...{ kind: 'value', node: { type: '', name } },
      message: 'Relations lead to it, and it would not be there.',
      hint: 'Remove those relations too, or keep the node.',
    });
  }
  return violations;
}
