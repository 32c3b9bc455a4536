import { TrellisError } from './error.js';
import type { Json, Props } from './json.js';
import { gateLimits } from './limits.js';
import { checkName, checkText } from './text.js';

/** Parsed JSON as properties that every store can hold. */
export function checkProps(given: Readonly<Record<string, unknown>>): Props {
  const props: [string, Json][] = [];
  for (const [key, value] of Object.entries(given)) {
    checkName(key, 'The name of a property');
    checkValue(key, value, gateLimits.propertyDepth);
    props.push([key, value]);
  }
  return Object.fromEntries(props);
}

function checkValue(property: string, value: unknown, depth: number): asserts value is Json {
  if (typeof value === 'string') checkText(value, property);
  // JSON.parse reads 1e400 as Infinity, which JSON.stringify writes as null.
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TrellisError('INVALID_ARGUMENT', `${property} is too large for a number.`, {
      hint: 'Send it as a string.',
    });
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0)
    throw new TrellisError('INVALID_ARGUMENT', `${property} is nested too deeply.`, {
      hint: 'Send flatter values.',
    });
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) checkText(key, property);
    checkValue(property, member, depth - 1);
  }
}
