import type { Diagnostics } from '../../../language/diagnostics.js';
import { reasonOf } from '../../../model/error.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type { PatternConstraint, Property, RangeConstraint } from '../graph-schema.js';
import type { ConstraintClause, RangeExpression } from '../graph-schema-ast.js';
import { patternProblem, patternSizeProblem } from '../values/pattern.js';
import { estimatePatternSize } from '../values/pattern-size.js';
import { rangeProblem } from '../values/range-problem.js';
import type { ConstrainedType } from './check-constraints.js';
import { checkMember } from './check-members.js';

const numeric = ['I32', 'I64', 'U32', 'U64', 'F32', 'F64'];

/** `@range(property, 1..600)`; empty if it is invalid. */
export function checkRangeConstraint(
  tree: ConstraintClause,
  type: ConstrainedType,
  diagnostics: Diagnostics,
): RangeConstraint[] {
  const [name, bounds, ...more] = tree.args;
  if (type.owner === 'edge')
    diagnostics.add(tree.at, 'misplaced_constraint', '@range is only allowed on nodes, not on edges.');
  if (name === undefined || bounds?.kind !== 'range' || more.length > 0) {
    diagnostics.add(tree.at, 'bad_range', '@range takes a property and its bounds: @range(minutes, 1..600).');
    return [];
  }
  const property = constrainedProperty(tree, name, type, diagnostics);
  if (property === undefined) return [];
  if (property.type.kind !== 'scalar' || !numeric.includes(property.type.scalar))
    diagnostics.add(
      tree.at,
      'bad_range',
      `@range requires a numeric property; ${property.name} is not one.`,
      { expected: numeric },
    );
  const range = { property: property.name, min: parseBound(bounds.min), max: parseBound(bounds.max) };
  checkBounds(range, bounds, diagnostics);
  const { default: defaultValue } = property;
  const problem = defaultValue === undefined ? undefined : rangeProblem(range, defaultValue);
  if (problem !== undefined)
    diagnostics.add(tree.at, 'bad_default', `The default of ${property.name} ${problem}.`);
  return [range];
}

function parseBound(text: string | null): number | bigint | null {
  if (text === null) return null;
  const number = Number(text) + 0;
  // No type has integers of more than 21 characters.
  const isBig = text.length <= 21 && /^-?\d+$/.test(text) && !Number.isSafeInteger(number);
  return isBig ? BigInt(text) : number;
}

function checkBounds({ min, max }: RangeConstraint, { at }: RangeExpression, diagnostics: Diagnostics): void {
  if (min === null && max === null)
    diagnostics.add(at, 'bad_range', 'A range needs at least one bound: 1.., ..600 or 1..600.');
  if (min !== null && max !== null && min > max)
    diagnostics.add(at, 'bad_range', `The range ${min}..${max} is empty.`);
  if ([min, max].some((value) => typeof value === 'number' && !Number.isFinite(value)))
    diagnostics.add(at, 'bad_range', 'A bound must fit into F64.');
}

/** `@check(property, "pattern")`; empty if it is invalid. */
export function checkPatternConstraint(
  tree: ConstraintClause,
  type: ConstrainedType,
  diagnostics: Diagnostics,
): PatternConstraint[] {
  const [name, pattern, ...more] = tree.args;
  if (name === undefined || pattern?.kind !== 'string' || more.length > 0) {
    diagnostics.add(tree.at, 'bad_check', '@check takes a property and a pattern: @check(code, "^[a-z]+$").');
    return [];
  }
  const property = constrainedProperty(tree, name, type, diagnostics);
  if (property === undefined) return [];
  if (property.type.kind !== 'scalar' || property.type.scalar !== 'String')
    diagnostics.add(tree.at, 'bad_check', `@check requires a String property; ${property.name} is not one.`, {
      expected: ['String'],
    });
  if (pattern.text.length > graphSchemaLimits.patternLength) {
    diagnostics.add(
      pattern.at,
      'bad_check',
      `This pattern has ${pattern.text.length} characters; at most ${graphSchemaLimits.patternLength} are allowed.`,
    );
    return [];
  }
  const check = { property: property.name, pattern: pattern.text };
  try {
    const tooLarge = totalSizeProblem(pattern.text, diagnostics) ?? patternSizeProblem(pattern.text);
    if (tooLarge !== undefined) {
      const hint = 'Repeat less: {0,1000} compiles to a thousand copies.';
      diagnostics.add(pattern.at, largePatternCode, `This pattern ${tooLarge}. ${hint}`);
      return [check];
    }
  } catch (thrown) {
    diagnostics.add(pattern.at, 'bad_check', `This pattern cannot be used: ${reasonOf(thrown)}.`);
    return [];
  }
  const { default: defaultValue } = property;
  if (typeof defaultValue === 'string' && patternProblem(pattern.text, defaultValue) !== undefined)
    diagnostics.add(tree.at, 'bad_default', `The default of ${property.name} does not match this pattern.`);
  return [check];
}

export const largePatternCode = 'large_pattern';

/** The estimated instructions of the patterns so far, for each schema that is being checked. */
const patternSizes = new WeakMap<Diagnostics, number>();

/** Checked before compiling, since thousands of small patterns would take long as well. */
function totalSizeProblem(pattern: string, diagnostics: Diagnostics): string | undefined {
  const { patternInstructions, schemaPatternInstructions: most } = graphSchemaLimits;
  const own = estimatePatternSize(pattern);
  // Too large by itself: refused elsewhere, and never compiled.
  if (own > 2 * patternInstructions) return undefined;
  const size = (patternSizes.get(diagnostics) ?? 0) + own;
  patternSizes.set(diagnostics, size);
  if (size <= most) return undefined;
  return `and those before it compile to about ${size} instructions; a schema may have at most ${most}`;
}

function constrainedProperty(
  tree: ConstraintClause,
  argument: ConstraintClause['args'][number],
  type: ConstrainedType,
  diagnostics: Diagnostics,
): Property | undefined {
  const name = checkMember(argument, tree.name, type, diagnostics);
  if (name === 'src' || name === 'dst')
    diagnostics.add(
      argument.at,
      'bad_member',
      `@${tree.name} cannot use ${name}: it is an endpoint of the edge.`,
    );
  return name === undefined ? undefined : type.properties.get(name)?.property;
}
