import type { Diagnostics } from '../../../language/diagnostics.js';
import { reasonOf } from '../../../model/error.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type { ConstraintTree, RangeTree } from '../ast.js';
import type { Check, Property, Range } from '../graph-schema.js';
import { checkProblem, sizeProblem } from '../values/pattern.js';
import { estimatedSize } from '../values/pattern-size.js';
import { rangeProblem } from '../values/range.js';
import type { Constrained } from './constraints.js';
import { checkMember } from './members.js';

const numeric = ['I32', 'I64', 'U32', 'U64', 'F32', 'F64'];

/** `@range(property, 1..600)`: one range, or none if it is wrong. */
export function checkRange(tree: ConstraintTree, type: Constrained, findings: Diagnostics): Range[] {
  const [name, bounds, ...more] = tree.args;
  if (type.owner === 'edge')
    findings.add(tree.at, 'misplaced_constraint', '@range is for properties of nodes, and this is an edge.');
  if (name === undefined || bounds?.kind !== 'range' || more.length > 0) {
    findings.add(tree.at, 'bad_range', '@range takes a property and its bounds: @range(minutes, 1..600).');
    return [];
  }
  const property = memberOf(tree, name, type, findings);
  if (property === undefined) return [];
  if (property.type.kind !== 'scalar' || !numeric.includes(property.type.scalar))
    findings.add(tree.at, 'bad_range', `@range is for numbers, and ${property.name} is none.`, {
      expected: numeric,
    });
  const range = { property: property.name, min: bound(bounds.min), max: bound(bounds.max) };
  checkBounds(range, bounds, findings);
  const { default: standard } = property;
  const problem = standard === undefined ? undefined : rangeProblem(range, standard);
  if (problem !== undefined)
    findings.add(tree.at, 'bad_default', `The default of ${property.name} ${problem}.`);
  return [range];
}

function bound(text: string | null): number | bigint | null {
  if (text === null) return null;
  const number = Number(text) + 0;
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? wholeBound(text, number) : number;
}

/** More digits than any type has are not worth reading. */
function wholeBound(text: string, number: number): number | bigint {
  return text.length > 21 ? number : BigInt(text);
}

function checkBounds({ min, max }: Range, { at }: RangeTree, findings: Diagnostics): void {
  if (min === null && max === null)
    findings.add(at, 'bad_range', 'A range has at least one bound: 1.., ..600 or 1..600.');
  if (min !== null && max !== null && min > max)
    findings.add(at, 'bad_range', `No number lies in ${min}..${max}.`);
  if ([min, max].some((value) => typeof value === 'number' && !Number.isFinite(value)))
    findings.add(at, 'bad_range', 'A bound is a number that F64 can hold.');
}

/** `@check(property, "pattern")`: one check, or none if it is wrong. */
export function checkPattern(tree: ConstraintTree, type: Constrained, findings: Diagnostics): Check[] {
  const [name, pattern, ...more] = tree.args;
  if (name === undefined || pattern?.kind !== 'string' || more.length > 0) {
    findings.add(tree.at, 'bad_check', '@check takes a property and a pattern: @check(code, "^[a-z]+$").');
    return [];
  }
  const property = memberOf(tree, name, type, findings);
  if (property === undefined) return [];
  if (property.type.kind !== 'scalar' || property.type.scalar !== 'String')
    findings.add(tree.at, 'bad_check', `@check is for strings, and ${property.name} is none.`, {
      expected: ['String'],
    });
  if (pattern.text.length > graphSchemaLimits.patternLength) {
    findings.add(
      pattern.at,
      'bad_check',
      `This pattern has ${pattern.text.length} characters; at most ${graphSchemaLimits.patternLength} are allowed.`,
    );
    return [];
  }
  const check = { property: property.name, pattern: pattern.text };
  try {
    const tooLarge = totalProblem(pattern.text, findings) ?? sizeProblem(pattern.text);
    if (tooLarge !== undefined) {
      const hint = 'Repeat less, or fewer times: {0,1000} is a thousand copies.';
      findings.add(pattern.at, largePattern, `This pattern ${tooLarge}. ${hint}`);
      return [check];
    }
  } catch (thrown) {
    findings.add(pattern.at, 'bad_check', `This pattern cannot be used: ${reasonOf(thrown)}.`);
    return [];
  }
  const { default: standard } = property;
  if (typeof standard === 'string' && checkProblem(pattern.text, standard) !== undefined)
    findings.add(tree.at, 'bad_default', `The default of ${property.name} does not match this pattern.`);
  return [check];
}

/** The code of a pattern that would take too long to try. */
export const largePattern = 'large_pattern';

/** About how many instructions the patterns so far have, for each schema that is being checked. */
const total = new WeakMap<Diagnostics, number>();

/** Before it is compiled, since thousands of patterns would take long as well. */
function totalProblem(pattern: string, findings: Diagnostics): string | undefined {
  const { patternInstructions, schemaPatternInstructions: most } = graphSchemaLimits;
  const own = estimatedSize(pattern);
  // Refused for itself, and not compiled either.
  if (own > 2 * patternInstructions) return undefined;
  const size = (total.get(findings) ?? 0) + own;
  total.set(findings, size);
  if (size <= most) return undefined;
  return `and those before it compile to about ${size} instructions, and all of a schema may have ${most}`;
}

function memberOf(
  tree: ConstraintTree,
  argument: ConstraintTree['args'][number],
  type: Constrained,
  findings: Diagnostics,
): Property | undefined {
  const name = checkMember(argument, tree.name, type, findings);
  if (name === 'src' || name === 'dst')
    findings.add(
      argument.at,
      'bad_member',
      `${name} is an end of the edge, and @${tree.name} is not for those.`,
    );
  return name === undefined ? undefined : type.properties.get(name)?.property;
}
