import { queryLimits } from '../../model/limits.js';
import type { Condition, RowQueryBlock, TextCondition } from '../../store/row-query.js';
import type { CheckedBlock, CheckedCondition, CheckedTextCondition } from '../check/checked-query.js';
import type { BoundValues } from './bound-values.js';

const always: Condition = { kind: 'and', conditions: [] };
const never: Condition = { kind: 'or', conditions: [] };

function isNever(condition: Condition): boolean {
  return condition.kind === 'or' && condition.conditions.length === 0;
}

function isAlways(condition: Condition): boolean {
  return condition.kind === 'and' && condition.conditions.length === 0;
}

export function bindBlock({ nodes, hops, conditions }: CheckedBlock, values: BoundValues): RowQueryBlock {
  const all = allOf(conditions.map((condition) => bindCondition(condition, values)));
  return { nodes, hops, conditions: all.kind === 'and' ? all.conditions : [all] };
}

/**
 * A comparison with null is neither true nor false, and so is its negation. Negations are therefore moved inwards:
 * `not (a = null)` becomes "never", as `a = null` does.
 */
function bindCondition(condition: CheckedCondition, values: BoundValues, negated = false): Condition {
  switch (condition.kind) {
    case 'compare': {
      const { kind, operator, left, right } = condition;
      if (values.isNull(left) || values.isNull(right)) return never;
      const bound: Condition = {
        kind,
        operator,
        left: values.operand(left),
        right: values.operand(right),
      };
      return negatedIf(negated, bound);
    }
    case 'same':
      return negatedIf(negated, condition);
    case 'is-null': {
      const isNegated = condition.negated !== negated;
      if (condition.operand.kind === 'property')
        return { kind: 'is-null', operand: condition.operand, negated: isNegated };
      return values.isNull(condition.operand) !== isNegated ? always : never;
    }
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => bindCondition(part, values, negated));
      return (condition.kind === 'and') !== negated ? allOf(parts) : anyOf(parts);
    }
    case 'not':
      return bindCondition(condition.condition, values, !negated);
    case 'exists': {
      const block = bindBlock(condition.block, values);
      const isNegated = condition.negated !== negated;
      if (block.conditions.some(isNever)) return isNegated ? always : never;
      return { kind: 'exists', block, negated: isNegated };
    }
    default: {
      const bound = bindTextCondition(condition, values);
      return bound === null ? never : negatedIf(negated, bound);
    }
  }
}

function negatedIf(negated: boolean, condition: Condition): Condition {
  return negated ? { kind: 'not', condition } : condition;
}

function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.some(isNever)) return never;
  const parts = conditions
    .filter((condition) => !isAlways(condition))
    .flatMap((condition) => (condition.kind === 'and' ? condition.conditions : [condition]));
  const [only, another] = parts;
  return only !== undefined && another === undefined ? only : { kind: 'and', conditions: parts };
}

function anyOf(conditions: readonly Condition[]): Condition {
  if (conditions.some(isAlways)) return always;
  const parts = conditions
    .filter((condition) => !isNever(condition))
    .flatMap((condition) => (condition.kind === 'or' ? condition.conditions : [condition]));
  const [only, another] = parts;
  return only !== undefined && another === undefined ? only : { kind: 'or', conditions: parts };
}

/** A search function with its values; null if it searches for null, which never matches. */
export function bindTextCondition(
  { kind, operand, text, edits }: CheckedTextCondition,
  values: BoundValues,
): TextCondition | null {
  const words = values.text(text);
  if (words === null) return null;
  const allowed = edits && values.integerInRange(edits, 0, queryLimits.edits, 'The edits of fuzzy');
  return { kind, operand, text: words, edits: allowed };
}
