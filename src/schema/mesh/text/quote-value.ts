import { escapeInvisible } from './invisible-characters.js';

const maxQuotedLength = 60;

/** Quotes a value in a message: short, on one line, without invisible characters. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return escapeInvisible(JSON.stringify(shorten(value)));
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return shorten(String(value));
}

export function listChoices(values: readonly string[], most = 30): string {
  const listed = values.slice(0, most).map((value) => quoteValue(value));
  const more = values.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function shorten(text: string): string {
  return text.length <= maxQuotedLength ? text : `${text.slice(0, maxQuotedLength)}…`;
}
