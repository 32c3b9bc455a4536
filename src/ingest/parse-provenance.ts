import { isRecord } from '../model/is-record.js';
import { gateLimits } from '../model/limits.js';
import { didYouMean } from '../model/nearest.js';
import { isStampField, type Provenance, stampFieldNames } from '../model/provenance.js';
import { checkName, checkText } from '../model/text.js';
import { parseDateTime } from '../schema/graph/values/parse-date.js';
import { lineError } from './line-error.js';

const hint =
  'An export writes provenance for data that passed the write gate: {"source":"…","extraction_method":"api","confidence":0.9}.';
const suspiciousKey = 'suspicious';
const confirmedKey = 'confirmed_by';
const extraKeys: readonly string[] = ['properties', 'merge_keys', suspiciousKey];

/** Properties must be in `data`. */
export function parseProvenance(
  line: number,
  given: unknown,
  data: Readonly<Record<string, unknown>>,
): Provenance | undefined {
  if (given === undefined || given === null) return undefined;
  const { properties, merge_keys: keys, ...stamp } = recordOf(line, given, 'provenance', extraKeys);
  return {
    ...stampOf(line, stamp, 'provenance'),
    ...(keys === undefined ? {} : { merge_keys: keysOf(line, keys) }),
    ...(properties === undefined ? {} : { properties: propertiesOf(line, properties, data) }),
  };
}

function propertiesOf(
  line: number,
  given: unknown,
  data: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Provenance>> {
  if (!isRecord(given))
    throw provenanceError(line, 'provenance.properties', 'an object of provenance by property');
  return Object.fromEntries(
    Object.entries(given).map(([property, stamp]) => {
      const path = `provenance.properties.${property}`;
      if (!Object.hasOwn(data, property)) {
        throw lineError(line, `"${path}" names a property that is not in data.`, hint);
      }
      return [property, stampOf(line, recordOf(line, stamp, path, [suspiciousKey, confirmedKey]), path)];
    }),
  );
}

function stampOf(line: number, given: Readonly<Record<string, unknown>>, path: string): Provenance {
  const fields = Object.entries(given).map(([field, value]): [string, string | number | string[]] => {
    const where = `${path}.${field}`;
    if (field === suspiciousKey) return [field, patternsOf(line, value, where)];
    if (field === 'derived_from')
      return [field, namesOf(line, value, where, 'names of nodes or ids of commits')];
    if (field === confirmedKey) return [field, namesOf(line, value, where, 'sources')];
    if (field === 'confidence') {
      if (typeof value === 'number' && value >= 0 && value <= 1) return [field, value];
      throw provenanceError(line, where, 'a number between 0 and 1');
    }
    if (typeof value !== 'string') throw provenanceError(line, where, 'a string');
    checkText(value, where);
    if (field !== 'last_updated') return [field, value];
    const moment = parseDateTime(value);
    if ('reason' in moment) throw provenanceError(line, where, 'a time such as "2026-01-31T12:00:00.000Z"');
    return [field, String(moment.value)];
  });
  return Object.fromEntries(fields);
}

function patternsOf(line: number, given: unknown, path: string): string[] {
  const isList = Array.isArray(given) && given.length <= gateLimits.sources;
  if (!isList || !given.every((name): name is string => typeof name === 'string'))
    throw provenanceError(line, path, 'a list of the names of patterns');
  for (const name of given) checkName(name, 'The name of a pattern');
  return given;
}

function namesOf(line: number, given: unknown, path: string, what: string): string[] {
  const isList = Array.isArray(given) && given.length <= gateLimits.sources;
  if (!isList || !given.every((source): source is string => typeof source === 'string'))
    throw provenanceError(line, path, `a list of at most ${gateLimits.sources} ${what}`);
  for (const name of given) checkName(name, `A name in ${path}`);
  return given;
}

function keysOf(line: number, given: unknown): string[] {
  const isList = Array.isArray(given) && given.length <= gateLimits.properties;
  if (!isList || !given.every((key): key is string => typeof key === 'string'))
    throw provenanceError(line, 'provenance.merge_keys', 'a list of property names');
  for (const key of given) checkName(key, 'A merge key');
  return given;
}

/** An object whose keys are stamp fields or `others`. */
function recordOf(
  line: number,
  given: unknown,
  path: string,
  others: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(given)) throw provenanceError(line, path, 'an object');
  const known = [...stampFieldNames, ...others];
  const unknown = Object.keys(given).find((key) => !isStampField(key) && !others.includes(key));
  if (unknown === undefined) return given;
  throw lineError(line, `unknown key "${path}.${unknown}".${didYouMean(unknown, known)}`, hint);
}

function provenanceError(line: number, path: string, wanted: string): Error {
  return lineError(line, `"${path}" must be ${wanted}.`, hint);
}
