import type { z } from 'zod';
import { suggest } from './suggest.js';

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a block of keys',
  record: 'a block of keys',
  array: 'a list',
};

/** What is wrong with a value, in words that say what is allowed. */
export function issueWords(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? issue.expected}, not ${shown(value)}`;
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      return `must be ${allowed.length === 1 ? '' : 'one of '}${allowed.join(', ')}, not ${shown(value)}${didYouMean(value, allowed)}`;
    }
    case 'too_small':
      return issue.origin === 'string'
        ? 'must not be empty'
        : `must be at least ${issue.minimum}, not ${shown(value)}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}, not ${shown(value)}`;
    case 'custom': {
      const words: unknown = issue.params?.['words'];
      return `${issue.message}${Array.isArray(words) ? didYouMean(value, words) : ''}`;
    }
    default:
      return issue.message;
  }
}

/** What is wrong with a key that the schema does not have. */
export function unknownKeyWords(key: string, known: readonly string[]): string {
  const meant = suggest(key, known);
  const way = meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`;
  return `is not known in this version; ${way}`;
}

/** A value as a message quotes it; a text that might hold a secret is never quoted, since only words are compared. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a block of keys';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

function didYouMean(value: unknown, known: readonly string[]): string {
  const meant = typeof value === 'string' ? suggest(value, known) : undefined;
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
