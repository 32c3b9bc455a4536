import { queryLimits } from '../../model/limits.js';
import type {
  ComparisonCondition,
  Condition,
  Operand,
  RowQueryBlock,
  TextCondition,
} from '../../store/row-query.js';
import type {
  CheckedBlock,
  CheckedCondition,
  CheckedOperand,
  CheckedTextCondition,
} from '../check/checked-query.js';
import { type BoundValues, isConstant } from './bound-values.js';
import { constantComparison, isConstantComparison } from './constant-truth.js';

const always: Condition = { kind: 'and', conditions: [] };
const never: Condition = { kind: 'or', conditions: [] };
const nothing: Operand = { kind: 'value', value: null, type: null };
const unknown: Condition = { kind: 'compare', operator: '=', left: nothing, right: nothing };

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
      // So that a flag decides before anything is read.
      if (isConstantComparison(condition))
        return constantComparison(condition, values) !== negated ? always : never;
      const bound: ComparisonCondition = {
        kind,
        operator,
        left: bindOperand(left, values),
        right: bindOperand(right, values),
      };
      return negatedIf(negated, bound);
    }
    case 'same':
      return negatedIf(negated, condition);
    case 'is-null': {
      const { operand } = condition;
      const isNegated = condition.negated !== negated;
      if (isConstant(operand)) return values.isNull(operand) !== isNegated ? always : never;
      return { kind: 'is-null', operand: bindOperand(operand, values), negated: isNegated };
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

export function bindOperand(operand: CheckedOperand, values: BoundValues): Operand {
  switch (operand.kind) {
    case 'property':
      return operand;
    case 'truth':
      return { ...operand, condition: bindTruth(operand.condition, values) };
    case 'block-aggregate': {
      const of = operand.of && bindOperand(operand.of, values);
      return { ...operand, of, block: bindBlock(operand.block, values) };
    }
    default:
      return { kind: 'value', value: values.resolve(operand), type: operand.type };
  }
}

/** Unlike `bindCondition`, keeps what is unknown apart from what is false: as a value, it is null. */
function bindTruth(condition: CheckedCondition, values: BoundValues): Condition {
  switch (condition.kind) {
    case 'compare':
      return {
        ...condition,
        left: bindOperand(condition.left, values),
        right: bindOperand(condition.right, values),
      };
    case 'and':
    case 'or':
      return { ...condition, conditions: condition.conditions.map((part) => bindTruth(part, values)) };
    case 'not':
      return { ...condition, condition: bindTruth(condition.condition, values) };
    case 'search':
    case 'match_text':
    case 'fuzzy':
      return bindTextCondition(condition, values) ?? unknown;
    default:
      return bindCondition(condition, values);
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
function bindTextCondition(
  { kind, operand, text, edits }: CheckedTextCondition,
  values: BoundValues,
): TextCondition | null {
  const words = values.text(text);
  if (words === null) return null;
  const allowed = edits && values.integerInRange(edits, 0, queryLimits.edits, 'The edits of fuzzy');
  return { kind, operand, text: words, edits: allowed };
}
