import { isDeepStrictEqual } from 'node:util';
import type { EdgeType, NodeType } from '../graph-schema.js';
import type { StepCollector } from './step-collector.js';

type Type = NodeType | EdgeType;
type NewName = (name: string) => string;

export function planConstraints(steps: StepCollector, before: Type, after: Type, newName: NewName): void {
  planKey(steps, before, after, newName);
  planLists(steps, 'unique', before, after, newName);
  planLists(steps, 'index', before, after, newName);
  planRanges(steps, before, after, newName);
  planChecks(steps, before, after, newName);
  if ('cardinality' in before && 'cardinality' in after) planCardinality(steps, before, after);
}

/** The key identifies rows, so it cannot change while there are any. */
function planKey(steps: StepCollector, before: Type, after: Type, newName: NewName): void {
  const old = before.key?.map(newName) ?? null;
  if (isDeepStrictEqual(old, after.key)) return;
  const change = `The key of ${after.name} becomes ${keyText(after.key)} instead of ${keyText(old)}.`;
  if (after.key === null || steps.hasRows)
    steps.unsupportedWithRows(null, change, 'its rows are identified by their current key');
  else steps.addConstraint({ kind: 'key', properties: after.key }, change);
}

function planLists(
  steps: StepCollector,
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
      steps.updateMetadata(null, `@${kind}(${properties.join(', ')}) of ${after.name} is dropped.`);
}

function planRanges(steps: StepCollector, before: Type, after: Type, newName: NewName): void {
  const old = boundsByProperty(
    before.ranges.map((range) => ({ ...range, property: newName(range.property) })),
  );
  const next = boundsByProperty(after.ranges);
  for (const [property, { min, max }] of next) {
    const known = old.get(property) ?? { min: -Infinity, max: Infinity };
    const text = `@range(${property}, ${boundText(min)}..${boundText(max)}) of ${after.name}`;
    if (min > known.min || max < known.max)
      steps.addConstraint(
        { kind: 'range', property, min: jsonBound(min), max: jsonBound(max) },
        `${text} is added.`,
      );
    else if (min !== known.min || max !== known.max) steps.updateMetadata(property, `${text} is widened.`);
  }
  for (const property of old.keys())
    if (!next.has(property))
      steps.updateMetadata(property, `@range(${property}) of ${after.name} is dropped.`);
}

type Bound = number | bigint;

interface Bounds {
  readonly min: Bound;
  readonly max: Bound;
}

/** Several ranges of one property are combined. */
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

/** Digits where a JSON number would not be exact. */
function jsonBound(value: Bound): number | string | null {
  if (typeof value === 'bigint') return String(value);
  return Number.isFinite(value) ? value : null;
}

function boundText(value: Bound): string {
  return String(jsonBound(value) ?? '');
}

function planChecks(steps: StepCollector, before: Type, after: Type, newName: NewName): void {
  const old = before.checks.map(({ property, pattern }) => ({ property: newName(property), pattern }));
  const has = (checks: Type['checks'], { property, pattern }: Type['checks'][number]) =>
    checks.some((other) => other.property === property && other.pattern === pattern);
  for (const check of after.checks)
    if (!has(old, check))
      steps.addConstraint({ kind: 'check', ...check }, `${checkText(check)} is added to ${after.name}.`);
  for (const check of old)
    if (!has(after.checks, check))
      steps.updateMetadata(check.property, `${checkText(check)} of ${after.name} is dropped.`);
}

function checkText({ property, pattern }: Type['checks'][number]): string {
  return `@check(${property}, ${JSON.stringify(pattern)})`;
}

function planCardinality(steps: StepCollector, before: EdgeType, after: EdgeType): void {
  const { min, max } = after.cardinality;
  if (isDeepStrictEqual(before.cardinality, after.cardinality)) return;
  const text = `@card(${min}..${max ?? ''}) of ${after.name}`;
  const isTighter = min > before.cardinality.min || (max ?? Infinity) < (before.cardinality.max ?? Infinity);
  if (isTighter) steps.addConstraint({ kind: 'cardinality', min, max }, `${text} is added.`);
  else steps.updateMetadata(null, `${text} is widened.`);
}

function keyText(key: readonly string[] | null): string {
  return key === null ? 'none' : key.join(', ');
}
