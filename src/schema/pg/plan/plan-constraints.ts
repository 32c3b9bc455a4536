import { isDeepStrictEqual } from 'node:util';
import type { EdgeType, NodeType } from '../graph-schema.js';
import type { Steps } from './steps.js';

type Type = NodeType | EdgeType;
type NewName = (name: string) => string;

/** What of the constraints of a type is new or tighter, and has to be kept by its rows, and what is looser. */
export function planConstraints(steps: Steps, before: Type, after: Type, newName: NewName): void {
  planKey(steps, before, after, newName);
  planLists(steps, 'unique', before, after, newName);
  planLists(steps, 'index', before, after, newName);
  planRanges(steps, before, after, newName);
  planChecks(steps, before, after, newName);
  if ('cardinality' in before && 'cardinality' in after) planCardinality(steps, before, after);
}

/** The key is what rows are known by, so it stays as long as there are any. */
function planKey(steps: Steps, before: Type, after: Type, newName: NewName): void {
  const old = before.key?.map(newName) ?? null;
  if (isDeepStrictEqual(old, after.key)) return;
  const change = `The key of ${after.name} becomes ${listed(after.key)} instead of ${listed(old)}.`;
  if (after.key === null || steps.hasRows)
    steps.onlyWithoutRows(null, change, 'its rows are known by the key they have');
  else steps.addConstraint({ kind: 'key', properties: after.key }, change);
}

function planLists(
  steps: Steps,
  kind: 'unique' | 'index',
  before: Type,
  after: Type,
  newName: NewName,
): void {
  const old = before[kind].map((properties) => properties.map(newName));
  const has = (lists: readonly (readonly string[])[], list: readonly string[]) =>
    lists.some((other) => isDeepStrictEqual(other, list));
  for (const properties of after[kind])
    if (!has(old, properties))
      steps.addConstraint(
        { kind, properties },
        `@${kind}(${properties.join(', ')}) is added to ${after.name}.`,
      );
  for (const properties of old)
    if (!has(after[kind], properties))
      steps.metadata(null, `@${kind}(${properties.join(', ')}) of ${after.name} is dropped.`);
}

function planRanges(steps: Steps, before: Type, after: Type, newName: NewName): void {
  const old = boundsByProperty(
    before.ranges.map((range) => ({ ...range, property: newName(range.property) })),
  );
  const next = boundsByProperty(after.ranges);
  for (const [property, { min, max }] of next) {
    const known = old.get(property) ?? { min: -Infinity, max: Infinity };
    const text = `@range(${property}, ${bound(min)}..${bound(max)}) of ${after.name}`;
    if (min > known.min || max < known.max)
      steps.addConstraint(
        { kind: 'range', property, min: stated(min), max: stated(max) },
        `${text} is added.`,
      );
    else if (min !== known.min || max !== known.max) steps.metadata(property, `${text} is wider now.`);
  }
  for (const property of old.keys())
    if (!next.has(property)) steps.metadata(property, `@range(${property}) of ${after.name} is dropped.`);
}

type Bound = number | bigint;

interface Bounds {
  readonly min: Bound;
  readonly max: Bound;
}

/** Several ranges of one property hold together. */
function boundsByProperty(ranges: Type['ranges']): ReadonlyMap<string, Bounds> {
  const bounds = new Map<string, Bounds>();
  for (const { property, min, max } of ranges) {
    const known = bounds.get(property) ?? { min: -Infinity, max: Infinity };
    bounds.set(property, {
      min: min !== null && min > known.min ? min : known.min,
      max: max !== null && max < known.max ? max : known.max,
    });
  }
  return bounds;
}

/** A bound as JSON has it: as elsewhere, digits where a number would not be exact. */
function stated(value: Bound): number | string | null {
  if (typeof value === 'bigint') return String(value);
  return Number.isFinite(value) ? value : null;
}

function bound(value: Bound): string {
  return String(stated(value) ?? '');
}

function planChecks(steps: Steps, before: Type, after: Type, newName: NewName): void {
  const old = before.checks.map(({ property, pattern }) => ({ property: newName(property), pattern }));
  const has = (checks: Type['checks'], { property, pattern }: Type['checks'][number]) =>
    checks.some((other) => other.property === property && other.pattern === pattern);
  for (const check of after.checks)
    if (!has(old, check))
      steps.addConstraint({ kind: 'check', ...check }, `${checkText(check)} is added to ${after.name}.`);
  for (const check of old)
    if (!has(after.checks, check))
      steps.metadata(check.property, `${checkText(check)} of ${after.name} is dropped.`);
}

function checkText({ property, pattern }: Type['checks'][number]): string {
  return `@check(${property}, ${JSON.stringify(pattern)})`;
}

function planCardinality(steps: Steps, before: EdgeType, after: EdgeType): void {
  const { min, max } = after.cardinality;
  if (isDeepStrictEqual(before.cardinality, after.cardinality)) return;
  const text = `@card(${min}..${max ?? ''}) of ${after.name}`;
  const isTighter = min > before.cardinality.min || (max ?? Infinity) < (before.cardinality.max ?? Infinity);
  if (isTighter) steps.addConstraint({ kind: 'cardinality', min, max }, `${text} is added.`);
  else steps.metadata(null, `${text} is wider now.`);
}

function listed(key: readonly string[] | null): string {
  return key === null ? 'none' : key.join(', ');
}
