import type { Json } from '../../../../model/json.js';
import type { Condition, NodeVariable, PropertyOperand } from '../../../row-query.js';
import { isScalar } from '../../properties/node-properties.js';
import type { IndexedProperty } from '../../properties/property-index.js';
import { type Bounds, boundsOf, tighter } from '../../properties/value-text.js';
import { comparableOf, fits, integerOf } from '../comparable.js';
import { conjuncts } from '../variables.js';

/** A way to find the nodes that a variable may mean. */
export type Access =
  /** All of its types. */
  | { readonly kind: 'scan' }
  /** By name. */
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** By the values a property may have. */
  | {
      readonly kind: 'values';
      readonly types: readonly string[];
      readonly property: string;
      readonly values: readonly Json[];
    }
  /** By where the value of an indexed property lies. */
  | {
      readonly kind: 'range';
      readonly property: string;
      readonly indexes: readonly number[];
      readonly bounds: Bounds;
      /** What holds of all that is found, and need not be asked again. */
      readonly settles: readonly Condition[];
    }
  /** By rows that were found before. */
  | { readonly kind: 'rows'; readonly rows: readonly number[] };

/** Values of one property beyond these are not looked up one by one. */
const mostValues = 64;

/** The ways that the conditions of a block offer to find a variable, but for looking at all. */
export function accessesOf(
  variable: NodeVariable,
  conditions: readonly Condition[],
  found: (condition: Condition) => readonly number[] | undefined,
  indexes: readonly IndexedProperty[],
): Access[] {
  const accesses: Access[] = [];
  const ranges = new Map<string, Range>();
  for (const condition of conjuncts(conditions)) {
    const rows =
      'operand' in condition && concerns(condition.operand, variable) ? found(condition) : undefined;
    if (rows !== undefined) accesses.push({ kind: 'rows', rows });
    if (condition.kind !== 'compare') continue;
    const equal = equalityOf(variable, condition);
    if (equal !== undefined) accesses.push(...byEquality(variable, equal.operand, equal.values));
    const range = rangeOf(variable, condition);
    if (range === undefined) continue;
    const known = ranges.get(range.operand.property);
    ranges.set(range.operand.property, {
      operand: range.operand,
      bounds: known === undefined ? range.bounds : tighter(known.bounds, range.bounds),
      conditions: [...(known?.conditions ?? []), condition],
    });
  }
  for (const { operand, bounds, conditions: ranged } of ranges.values()) {
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
        ...{ kind: 'range', property: operand.property, indexes: complete, bounds },
        settles: bounds.exact ? ranged : [],
      });
  }
  const indexed = new Set(accesses.flatMap((access) => (access.kind === 'range' ? [access.property] : [])));
  // What an index finds, it finds exactly.
  return accesses.filter((access) => access.kind !== 'values' || !indexed.has(access.property));
}

/** Whether some variable could be found by an index, if there is one. */
export function mayUseIndex(variable: NodeVariable, conditions: readonly Condition[]): boolean {
  if (variable.types === null) return false;
  for (const condition of conjuncts(conditions))
    if (condition.kind === 'compare' && rangeOf(variable, condition) !== undefined) return true;
  return false;
}

/** Conditions on one property that an index may find the nodes of. */
interface Range {
  readonly operand: PropertyOperand;
  readonly bounds: Bounds;
  readonly conditions: readonly Condition[];
}

type Compare = Extract<Condition, { kind: 'compare' }>;

function concerns(operand: { kind: string }, variable: NodeVariable): operand is PropertyOperand {
  return operand.kind === 'property' && 'variable' in operand && operand.variable === variable.id;
}

/** That a property of the variable is one of these values. */
function equalityOf(
  variable: NodeVariable,
  { operator, left, right }: Compare,
): { operand: PropertyOperand; values: readonly Json[] } | undefined {
  if (operator === 'in' && concerns(left, variable) && right.kind === 'value')
    return Array.isArray(right.value) ? { operand: left, values: right.value } : undefined;
  if (operator !== '=') return undefined;
  if (concerns(left, variable) && right.kind === 'value') return { operand: left, values: [right.value] };
  if (concerns(right, variable) && left.kind === 'value') return { operand: right, values: [left.value] };
  return undefined;
}

function byEquality({ types }: NodeVariable, operand: PropertyOperand, given: readonly Json[]): Access[] {
  const values = [...new Set(given.flatMap((value) => storedForm(value, operand)))];
  if (operand.place === 'row') {
    const names = values.filter((value) => typeof value === 'string');
    return operand.property === 'id' || operand.property === 'name' ? [{ kind: 'names', names }] : [];
  }
  if (types === null || values.length * types.length > mostValues) return [];
  return [{ kind: 'values', types, property: operand.property, values }];
}

/** A given value as a row would hold it; none if no row can. */
function storedForm(value: Json, { place, type }: PropertyOperand): Json[] {
  if (!isScalar(value)) return [];
  if (place === 'row') return [value];
  const comparable = comparableOf(type);
  if (comparable === 'any') return [value];
  if (!fits(value, comparable)) return [];
  if (comparable !== 'i64' && comparable !== 'u64' && comparable !== 'number') return [value];
  if (typeof value === 'number') return [value];
  const integer = integerOf(value);
  if (integer === null) return [];
  return [
    Number.isSafeInteger(Number(integer)) || comparable === 'number' ? Number(integer) : String(integer),
  ];
}

const turned: Readonly<Record<string, '<' | '<=' | '>' | '>='>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function rangeOf(
  variable: NodeVariable,
  { operator, left, right }: Compare,
): { operand: PropertyOperand; bounds: Bounds } | undefined {
  const [operand, value, how] =
    concerns(left, variable) && right.kind === 'value'
      ? [left, right.value, operator]
      : concerns(right, variable) && left.kind === 'value'
        ? [right, left.value, turned[operator]]
        : [undefined, null, undefined];
  if (operand === undefined || how === undefined || operand.place === 'row') return undefined;
  const bounds = boundsOf(how, value, comparableOf(operand.type));
  return bounds === undefined ? undefined : { operand, bounds };
}
