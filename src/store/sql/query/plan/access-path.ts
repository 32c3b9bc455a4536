import type { Json } from '../../../../model/json.js';
import type { Condition, NodeVariable, PropertyOperand } from '../../../row-query.js';
import { isLookupScalar } from '../../properties/node-properties.js';
import type { IndexedProperty } from '../../properties/property-index.js';
import { type Bound, type Bounds, boundsOf, intersectBounds } from '../../properties/sortable-text.js';
import { param } from '../../sql.js';
import {
  type Comparable,
  comparableOf,
  fitsComparable,
  integerOf,
  isNumericComparable,
  memberComparable,
} from '../comparable.js';
import { type GivenValue, givenSql, type QueryFragment } from '../parameter-slots.js';
import { conjuncts, isTextCondition } from '../query-variables.js';
import type { SqlScope } from '../sql-scope.js';

export type AccessPath =
  | { readonly kind: 'scan' }
  | {
      readonly kind: 'names';
      readonly names: readonly string[];
      readonly parameter: number | undefined;
    }
  | {
      readonly kind: 'values';
      readonly types: readonly string[];
      readonly property: string;
      readonly values: readonly Json[];
      /** Set if the only value is a parameter. */
      readonly parameter: number | undefined;
    }
  | {
      readonly kind: 'range';
      readonly property: string;
      readonly indexes: readonly number[];
      readonly bounds: Bounds<RangeBound>;
      /** Whether the values of the call decide which bounds count. */
      readonly isDecided: boolean;
      /** Conditions that hold for everything found, and are not checked again. */
      readonly settles: readonly Condition[];
    }
  | { readonly kind: 'rows'; readonly rows: readonly number[] };

export interface RangeBound extends Bound {
  readonly given: GivenValue;
  readonly sql: QueryFragment;
}

/** More values of one property are not looked up one by one. */
const maxValues = 64;

export function accessPathsOf(
  variable: NodeVariable,
  conditions: readonly Condition[],
  scope: SqlScope,
  indexes: readonly IndexedProperty[],
): AccessPath[] {
  const accesses: AccessPath[] = [];
  const ranges = new Map<string, Range>();
  for (const condition of conjuncts(conditions)) {
    const rows =
      'operand' in condition && refersTo(condition.operand, variable) && isTextCondition(condition)
        ? scope.matches.texts.get(condition)
        : undefined;
    if (rows !== undefined) accesses.push({ kind: 'rows', rows });
    if (condition.kind !== 'compare') continue;
    const equal = equalityOf(scope, variable, condition);
    if (equal !== undefined) accesses.push(...byEquality(variable, equal));
    const range = rangeOf(scope, variable, condition);
    if (range === undefined) continue;
    const known = ranges.get(range.operand.property);
    ranges.set(range.operand.property, {
      operand: range.operand,
      bounds: known === undefined ? range.bounds : intersectBounds(known.bounds, range.bounds),
      isDecided: known !== undefined && (known.isDecided || isDecided(known.bounds, range.bounds)),
      conditions: [...(known?.conditions ?? []), condition],
    });
  }
  for (const { operand, bounds, isDecided, conditions: ranged } of ranges.values()) {
    const comparable = comparableOf(operand.type);
    const ids = (variable.types ?? []).map(
      (type) =>
        indexes.find(
          (index) =>
            index.type === type && index.property === operand.property && index.comparable === comparable,
        )?.id,
    );
    const complete = ids.filter((id) => id !== undefined);
    if (complete.length > 0 && complete.length === ids.length)
      accesses.push({
        ...{ kind: 'range', property: operand.property, indexes: complete, bounds, isDecided },
        settles: bounds.exact ? ranged : [],
      });
  }
  const indexed = new Set(accesses.flatMap((access) => (access.kind === 'range' ? [access.property] : [])));
  // An index is exact.
  return accesses.filter((access) => access.kind !== 'values' || !indexed.has(access.property));
}

export function mayUseIndex(
  scope: SqlScope,
  variable: NodeVariable,
  conditions: readonly Condition[],
): boolean {
  if (variable.types === null) return false;
  for (const condition of conjuncts(conditions))
    if (condition.kind === 'compare' && rangeOf(scope, variable, condition) !== undefined) return true;
  return false;
}

interface Range {
  readonly operand: PropertyOperand;
  readonly bounds: Bounds<RangeBound>;
  readonly isDecided: boolean;
  readonly conditions: readonly Condition[];
}

type Compare = Extract<Condition, { kind: 'compare' }>;

function refersTo(operand: { kind: string }, variable: NodeVariable): operand is PropertyOperand {
  return operand.kind === 'property' && 'variable' in operand && operand.variable === variable.id;
}

interface Equality {
  readonly operand: PropertyOperand;
  readonly values: readonly Json[];
  readonly parameter: number | undefined;
  /** How they are compared; `any`: each by its own kind. */
  readonly comparable: Comparable;
}

function equalityOf(
  scope: SqlScope,
  variable: NodeVariable,
  { operator, left, right }: Compare,
): Equality | undefined {
  if (operator === 'in' && refersTo(left, variable) && right.kind === 'value') {
    const { value, type } = right;
    return Array.isArray(value)
      ? { operand: left, values: value, parameter: undefined, comparable: memberComparable(type) }
      : undefined;
  }
  if (operator !== '=') return undefined;
  const [operand, given] = refersTo(left, variable) ? [left, right] : [right, left];
  return refersTo(operand, variable) && given.kind === 'value'
    ? {
        operand,
        values: [given.value],
        parameter: scope.given(given).parameter,
        comparable: comparableOf(given.type),
      }
    : undefined;
}

function byEquality(
  { types }: NodeVariable,
  { operand, values: given, parameter, comparable }: Equality,
): AccessPath[] {
  const values = [...new Set(given.flatMap((value) => storedForm(value, operand, comparable)))];
  if (operand.place === 'row') {
    const names = values.filter((value) => typeof value === 'string');
    return operand.property === 'id' || operand.property === 'name'
      ? [{ kind: 'names', names, parameter }]
      : [];
  }
  // Stamps are not indexed.
  if (operand.place === 'provenance') return [];
  if (types === null || values.length * types.length > maxValues) return [];
  return [{ kind: 'values', types, property: operand.property, values, parameter }];
}

/** A given value as rows store it; none if no row can. */
function storedForm(value: Json, { place, type }: PropertyOperand, given: Comparable): Json[] {
  if (!isLookupScalar(value)) return [];
  if (place === 'row') return [value];
  // Without a schema there are only JSON numbers.
  const comparable = type === null && isNumericComparable(given) ? 'number' : comparableOf(type);
  if (comparable === 'any') return [value];
  if (!fitsComparable(value, comparable)) return [];
  if (comparable === 'number') return [Number(value)];
  const integer = comparable === 'i64' || comparable === 'u64' ? integerOf(value) : null;
  if (integer === null) return [value];
  return [Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer)];
}

const flippedOperators: Readonly<Record<string, '<' | '<=' | '>' | '>='>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function rangeOf(
  scope: SqlScope,
  variable: NodeVariable,
  { operator, left, right }: Compare,
): { operand: PropertyOperand; bounds: Bounds<RangeBound> } | undefined {
  const [operand, value, how] =
    refersTo(left, variable) && right.kind === 'value'
      ? [left, right, operator]
      : refersTo(right, variable) && left.kind === 'value'
        ? [right, left, flippedOperators[operator]]
        : [];
  if (operand === undefined || how === undefined || operand.place !== 'props') return undefined;
  const given = scope.given(value);
  const boundsFor = (each: Json) => boundsOf(how, each, comparableOf(operand.type));
  const bounds = boundsFor(given.value);
  if (bounds === undefined) return undefined;
  const bound = (side: 'low' | 'high'): RangeBound | null => {
    const own = bounds[side];
    const text = givenSql(given, (each) => param(boundsFor(each)?.[side]?.text ?? null));
    return own === null ? null : { ...own, given, sql: text };
  };
  return { operand, bounds: { low: bound('low'), high: bound('high'), exact: bounds.exact } };
}

/** Whether the values of a call decide which of two bounds on the same side counts. */
function isDecided(a: Bounds<RangeBound>, b: Bounds<RangeBound>): boolean {
  const decides = (one: RangeBound | null, other: RangeBound | null) =>
    one !== null && other !== null && [one, other].some(({ given }) => given.parameter !== undefined);
  return decides(a.low, b.low) || decides(a.high, b.high);
}

export function isParameterized(access: AccessPath): boolean {
  if (access.kind === 'range')
    return [access.bounds.low, access.bounds.high].some((bound) => bound?.given.parameter !== undefined);
  return 'parameter' in access && access.parameter !== undefined;
}
