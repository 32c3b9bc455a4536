import { formatValueType } from '../language/format-value-type.js';
import { TrellisError } from '../model/error.js';
import type { Json } from '../model/json.js';
import { didYouMean } from '../model/nearest.js';
import { parseValue } from '../schema/graph/values/parse-value.js';
import type { CheckedQuery } from './check/checked-query.js';

/** Values of the wrong type are refused, never converted; a nullable parameter that is not given is null. */
export function parseParameters(query: CheckedQuery, given: unknown): ReadonlyMap<string, Json> {
  const members = membersOf(given, query);
  const problems: string[] = [];
  for (const name of members.keys()) {
    if (!query.parameters.has(name)) problems.push(unknownParameter(query, name));
  }
  const values = new Map<string, Json>();
  for (const [name, type] of query.parameters) {
    const value = members.get(name);
    if (value === undefined && !type.nullable) {
      problems.push(`The parameter ${name} (${formatValueType(type)}) is missing.`);
      continue;
    }
    const parsed = parseValue(type, value, { plainBase64: true });
    if ('reason' in parsed) problems.push(`The parameter ${name} ${parsed.reason}`);
    else values.set(name, parsed.value);
  }
  if (problems.length > 0) throw parametersInvalid(query, problems);
  return values;
}

function membersOf(given: unknown, query: CheckedQuery): ReadonlyMap<string, unknown> {
  if (given === undefined || given === null) return new Map();
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw parametersInvalid(query, ['Parameters are given as an object: {"name": value}.']);
  }
  return new Map(Object.entries(given));
}

function unknownParameter(query: CheckedQuery, name: string): string {
  const shown = name.length > 60 ? `${name.slice(0, 57).toWellFormed()}…` : name;
  const bare = name.startsWith('$') ? name.slice(1) : name;
  return `There is no parameter ${JSON.stringify(shown)}.${didYouMean(bare, query.parameters.keys())}`;
}

function parametersInvalid(query: CheckedQuery, problems: readonly string[]): TrellisError {
  const shown = problems.slice(0, 20);
  const declared = [...query.parameters].map(([name, type]) => `${name}: ${formatValueType(type)}`);
  const hint =
    declared.length === 0
      ? `The query ${query.name} takes no parameters.`
      : `The query ${query.name} takes ${declared.join(', ')}; a ? marks those that may be left out.`;
  return new TrellisError('INVALID_ARGUMENT', shown.join(' '), {
    hint,
    details: { query: query.name, problems: shown },
  });
}
