import { limits } from '../model/limits.js';
import { outputLength } from './output-length.js';

/** Tried in this order. */
const lengths = [10_000, 1_000, 100];

/** For the rest of the result. */
const reservedLength = 32_768;

export const shortenedTextsWarning =
  'Texts that are too long for one answer are shortened, and end with "…". open_nodes shows all of them.';

/** Undefined if the result fits as it is, or cannot be shortened enough. */
export async function shortenTexts<T>(result: T): Promise<T | undefined> {
  if ((await outputLength(result)) <= limits.answerLength - reservedLength) return undefined;
  for (const length of lengths) {
    const shortened = shorten(result, length);
    if ((await outputLength(shortened)) <= limits.answerLength - reservedLength) return shortened;
  }
  return undefined;
}

function shorten<T>(value: T, length: number): T;
function shorten(value: unknown, length: number): unknown {
  if (typeof value === 'string') {
    return value.length <= length ? value : `${value.slice(0, length).toWellFormed()}…`;
  }
  if (Array.isArray(value)) return value.map((item) => shorten(item, length));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member, length)]));
}
