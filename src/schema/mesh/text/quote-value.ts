import { escapeInvisible } from './invisible-characters.js';

/** How much of a wrong value a message quotes. */
const maxQuotedLength = 60;

/** A value as a message quotes it: short, on one line, and harmless whatever it holds. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return escapeInvisible(JSON.stringify(shorten(value)));
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return shorten(String(value));
}

/** Values that are allowed, the first of them if there are many. */
export function listChoices(values: readonly string[], most = 30): string {
  const listed = values.slice(0, most).map((value) => quoteValue(value));
  const more = values.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function shorten(text: string): string {
  return text.length <= maxQuotedLength ? text : `${text.slice(0, maxQuotedLength)}…`;
}
