import { withUnseenShown } from './unseen.js';

/** How much of a wrong value a message quotes. */
const shownLength = 60;

/** A value as a message quotes it: short, on one line, and harmless whatever it holds. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return withUnseenShown(JSON.stringify(shortened(value)));
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return shortened(String(value));
}

/** Values that are allowed, the first of them if there are many. */
export function shownChoices(values: readonly string[], most = 30): string {
  const listed = values.slice(0, most).map((value) => shown(value));
  const more = values.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function shortened(text: string): string {
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`;
}
