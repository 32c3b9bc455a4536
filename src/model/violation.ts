import { TrellisError } from './error.js';

interface ViolatingNode {
  readonly type: string;
  readonly name: string;
}

export interface ViolatingEdge {
  readonly fromName: string;
  readonly type: string;
  readonly toName: string;
  readonly key: string;
}

/** One reason why a write violates the graph schema. */
export interface Violation {
  readonly kind: 'unique' | 'cardinality' | 'value';
  readonly node?: ViolatingNode;
  readonly edge?: ViolatingEdge;
  /** Left out if the node or edge as a whole is wrong. */
  readonly property?: string | undefined;
  /** The line of the batch. */
  readonly line?: number | undefined;
  readonly message: string;
  readonly hint: string;
}

const maxListedViolations = 20;

/** A name may be wrong because it has a million characters. */
const maxNameLength = 200;

function truncateName(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength).toWellFormed()}…` : name;
}

/** `Recipe/carbonara.minutes`, `Wrote(carbonara -> ada)`. */
function violationPath({ node, edge, property }: Violation): string {
  const what =
    node !== undefined
      ? `${node.type}/${truncateName(node.name)}`
      : edge !== undefined
        ? `${edge.type}(${truncateName(edge.fromName)} -> ${truncateName(edge.toName)})`
        : '';
  return property === undefined ? what : `${what}.${property}`;
}

/** All violations are in the message, because agents read nothing else. */
export function schemaViolation(
  violations: readonly Violation[],
  headline = 'The write violates the graph schema',
): TrellisError {
  const listed = violations.slice(0, maxListedViolations);
  const more = violations.length - listed.length;
  const [only] = violations;
  const isOne = only !== undefined && violations.length === 1;
  const lines = [
    ...listed.map((violation) => `- ${formatViolation(violation)} ${violation.hint}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
  return new TrellisError(
    'SCHEMA_VIOLATION',
    isOne ? `${headline}: ${formatViolation(only)}` : `${headline}:\n${lines.join('\n')}\n`,
    {
      hint: isOne ? `Nothing was written. ${only.hint}` : 'Nothing was written.',
      details: { problems: listed.map(violationToJson), count: violations.length },
      withoutRead: {
        message: `${headline}: ${summarizeViolations(violations)}.`,
        hint: 'Nothing was written. You need read access to the graph to see which rows these are.',
      },
    },
  );
}

/** `Person.email (unique) 2 times; line 3, Person.age (value)`: no names and no values of rows. */
function summarizeViolations(violations: readonly Violation[]): string {
  const counts = new Map<string, number>();
  for (const { kind, node, edge, property, line } of violations) {
    const type = node?.type ?? edge?.type ?? 'a row';
    const what = `${line === undefined ? '' : `line ${line}, `}${type}${property === undefined ? '' : `.${property}`} (${kind})`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const listed = [...counts].map(([what, count]) => (count === 1 ? what : `${what} ${count} times`));
  const more = listed.length - maxListedViolations;
  return [...listed.slice(0, maxListedViolations), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function formatViolation(violation: Violation): string {
  const line = violation.line === undefined ? '' : `line ${violation.line}, `;
  return `${line}${violationPath(violation)}: ${violation.message}`;
}

function violationToJson(violation: Violation): object {
  const { line, kind, message, hint } = violation;
  return {
    path: violationPath(violation),
    ...(line === undefined ? {} : { line }),
    ...{ kind, message, hint },
  };
}
