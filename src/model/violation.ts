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
const listedViolations = 20;

/** So much of a name is repeated: what is wrong with one may be that it is a million characters long. */
const shownLength = 200;

function shown(name: string): string {
  return name.length > shownLength ? `${name.slice(0, shownLength).toWellFormed()}…` : name;
}

/** Where a violation is: `Recipe/carbonara.minutes`, `Wrote(carbonara -> ada)`. */
function violationPath({ node, edge, property }: Violation): string {
  const what =
    node !== undefined
      ? `${node.type}/${shown(node.name)}`
      : edge !== undefined
        ? `${edge.type}(${shown(edge.fromName)} -> ${shown(edge.toName)})`
        : '';
  return property === undefined ? what : `${what}.${property}`;
}

/**
 * Refuses a write for what the graph's schema has against it; `headline` says what was tried. All of it is in the message,
 * since that is what an agent reads.
 */
export function schemaViolation(
  violations: readonly Violation[],
  headline = 'The schema of the graph does not allow this',
): TrellisError {
  const listed = violations.slice(0, listedViolations);
  const more = violations.length - listed.length;
  const [only] = violations;
  const isOne = only !== undefined && violations.length === 1;
  const lines = [
    ...listed.map((violation) => `- ${sentence(violation)} ${violation.hint}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
  return new TrellisError(
    'SCHEMA_VIOLATION',
    isOne ? `${headline}: ${sentence(only)}` : `${headline}:\n${lines.join('\n')}\n`,
    {
      hint: isOne ? `Nothing was written. ${only.hint}` : 'Nothing was written.',
      details: { problems: listed.map(problemOf), count: violations.length },
      withoutRead: {
        message: `${headline}: ${countedViolations(violations)}.`,
        hint: 'Nothing was written. Which rows these are is only told to whoever may read the graph.',
      },
    },
  );
}

/** `Person.email (unique) 2 times; line 3, Person.age (value)`: the same, without names and values of rows. */
function countedViolations(violations: readonly Violation[]): string {
  const counts = new Map<string, number>();
  for (const { kind, node, edge, property, line } of violations) {
    const type = node?.type ?? edge?.type ?? 'a row';
    const what = `${line === undefined ? '' : `line ${line}, `}${type}${property === undefined ? '' : `.${property}`} (${kind})`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const told = [...counts].map(([what, count]) => (count === 1 ? what : `${what} ${count} times`));
  const more = told.length - listedViolations;
  return [...told.slice(0, listedViolations), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function sentence(violation: Violation): string {
  const line = violation.line === undefined ? '' : `line ${violation.line}, `;
  return `${line}${violationPath(violation)}: ${violation.message}`;
}

function problemOf(violation: Violation): object {
  const { line, kind, message, hint } = violation;
  return {
    path: violationPath(violation),
    ...(line === undefined ? {} : { line }),
    ...{ kind, message, hint },
  };
}
