import type { Json, Props } from '../../../model/json.js';
import type { EdgeType, NodeType, Property } from '../graph-schema.js';
import { parseValue } from '../values/parse-value.js';
import { patternProblem } from '../values/pattern.js';
import { rangeProblem } from '../values/range-problem.js';
import { type CheckedRowProps, type RowProblem, withSuggestion } from './row-problem.js';

/**
 * Validates properties against a type. Null values are left out, a missing required property gets its default, one that
 * the embedder fills may be missing, and names that begin with `_` are accepted: they do not belong to the schema.
 */
export function checkRowProps(type: NodeType | EdgeType, given: Props): CheckedRowProps {
  const problems: RowProblem[] = [];
  const kept: [string, Json][] = [];
  let isAsGiven = true;
  for (const [name, value] of Object.entries(given)) {
    const property = type.properties.get(name);
    if (name.startsWith('_')) kept.push([name, value]);
    else if (property === undefined) problems.push(unknownProperty(type, name));
    else if (value === null) isAsGiven = false;
    else {
      const parsed = parseValue(property.type, value);
      if ('value' in parsed) {
        kept.push([name, parsed.value]);
        isAsGiven &&= parsed.value === value;
      } else problems.push(propertyProblem(type, name, 'wrong_type', parsed.reason));
    }
  }
  for (const property of type.properties.values()) {
    // The embedder fills its properties after the write.
    if (property.type.nullable || property.embedFrom !== null || hasValue(given, property)) continue;
    if (property.default !== undefined && !Object.hasOwn(given, property.name)) {
      kept.push([property.name, property.default]);
      isAsGiven = false;
    } else problems.push(propertyProblem(type, property.name, 'missing_property', 'is required.'));
  }
  // Most rows of a large batch are already canonical and need no copy.
  const props = isAsGiven && problems.length === 0 ? given : Object.fromEntries(kept);
  problems.push(...constraintProblems(type, props));
  return { props, problems };
}

function hasValue(given: Props, { name }: Property): boolean {
  return Object.hasOwn(given, name) && given[name] !== null && given[name] !== undefined;
}

function constraintProblems(type: NodeType | EdgeType, props: Props): RowProblem[] {
  const problems: RowProblem[] = [];
  for (const range of type.ranges) {
    const value = Object.hasOwn(props, range.property) ? props[range.property] : undefined;
    const problem = value === undefined ? undefined : rangeProblem(range, value);
    if (problem !== undefined)
      problems.push(propertyProblem(type, range.property, 'out_of_range', `${problem}.`));
  }
  for (const { property, pattern } of type.checks) {
    const value = Object.hasOwn(props, property) ? props[property] : undefined;
    const problem = typeof value === 'string' ? patternProblem(pattern, value) : undefined;
    if (problem !== undefined) problems.push(propertyProblem(type, property, 'check_failed', problem));
  }
  return problems;
}

function propertyProblem(
  type: NodeType | EdgeType,
  property: string,
  code: RowProblem['code'],
  rest: string,
): RowProblem {
  return { code, property, message: `${type.name}.${property} ${rest}` };
}

function unknownProperty(type: NodeType | EdgeType, name: string): RowProblem {
  const message = `${type.name} has no property ${JSON.stringify(name)}.`;
  return {
    code: 'unknown_property',
    property: name,
    ...withSuggestion(message, name, type.properties.keys()),
  };
}
