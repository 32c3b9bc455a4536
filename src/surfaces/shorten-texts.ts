import { limits } from '../model/limits.js';
import { outputLength } from './output-length.js';

/** How long the texts of an answer are that is too long even with one item; the first length that is short enough is taken. */
const lengths = [10_000, 1_000, 100];

/** Left free in an answer for what is said beside it. */
const reservedLength = 32_768;

/** What an agent is told where texts were shortened. */
export const shortenedTextsWarning =
  'Texts that are too long for one answer are shortened, and end with "…". open_nodes shows all of them.';

/** An answer whose texts are too long for it, with shortened ones; undefined if it fits as it is. */
export async function shortenTexts<T>(answer: T): Promise<T | undefined> {
  if ((await outputLength(answer)) <= limits.answerLength - reservedLength) return undefined;
  for (const length of lengths) {
    const shortened = shorten(answer, length);
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
