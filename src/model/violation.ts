import { TrellisError } from './error.js';

/** A node, as a message and a merge name it. */
export interface ViolatingNode {
  readonly type: string;
  readonly name: string;
}

/** An edge, likewise. */
export interface ViolatingEdge {
  readonly fromName: string;
  readonly type: string;
  readonly toName: string;
  readonly key: string;
}

/** One thing that a graph's schema has against a write. */
export interface Violation {
  readonly kind: 'unique' | 'cardinality' | 'value';
  readonly node?: ViolatingNode;
  readonly edge?: ViolatingEdge;
  /** The property that is wrong; left out, the node or edge as a whole is. */
  readonly property?: string | undefined;
  /** The line of the batch it is about. */
  readonly line?: number | undefined;
  readonly message: string;
  /** How to mend it. */
  readonly hint: string;
}

/** So many are listed; the rest is counted. */
export const listedViolations = 20;

/** Where a violation is: `Recipe/carbonara.minutes`, `Wrote(carbonara -> ada)`. */
export function violationPath({ node, edge, property }: Violation): string {
  const what =
    node !== undefined
      ? `${node.type}/${node.name}`
      : edge !== undefined
        ? `${edge.type}(${edge.fromName} -> ${edge.toName})`
        : '';
  return property === undefined ? what : `${what}.${property}`;
}

/** Refuses a write for what the graph's schema has against it; `headline` says what was tried. */
export function schemaViolation(
  violations: readonly Violation[],
  headline = 'The schema of the graph does not allow this',
): TrellisError {
  const [first] = violations;
  const more = violations.length - 1;
  const line = first?.line === undefined ? '' : `line ${first.line}, `;
  const path = first === undefined ? '' : `${line}${violationPath(first)}`;
  return new TrellisError(
    'SCHEMA_VIOLATION',
    `${headline}: ${path}: ${first?.message ?? ''}${more > 0 ? ` (and ${more} more)` : ''}`,
    {
      hint: `Nothing was written. ${first?.hint ?? ''}`.trim(),
      details: {
        problems: violations.slice(0, listedViolations).map((violation) => ({
          path: violationPath(violation),
          ...(violation.line === undefined ? {} : { line: violation.line }),
          kind: violation.kind,
          message: violation.message,
          hint: violation.hint,
        })),
        count: violations.length,
      },
    },
  );
}
