import type { z } from 'zod';
import { nearest } from '../../model/nearest.js';
import { quoteValue } from '../../schema/mesh/text/quote-value.js';

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a block of keys',
  record: 'a block of keys',
  array: 'a list',
};

export function configIssueText(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${quoted(value)}`;
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      return `must be ${allowed.length === 1 ? '' : 'one of '}${allowed.join(', ')}, not ${quoted(value)}${didYouMean(value, allowed)}`;
    }
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty';
      if (issue.origin === 'array') return `must have at least ${countOf(issue.minimum)}`;
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}, not ${quoted(value)}`;
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      if (issue.origin === 'array')
        return `must have at most ${countOf(issue.maximum)}, not ${lengthOf(value)}`;
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}, not ${quoted(value)}`;
    case 'custom': {
      const words: unknown = issue.params?.['words'];
      return `${issue.message}${Array.isArray(words) ? didYouMean(value, words) : ''}`;
    }
    default:
      return issue.message;
  }
}

function countOf(items: number | bigint): string {
  return `${items} ${Number(items) === 1 ? 'item' : 'items'}`;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

export function unknownKeyText(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  const way = meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`;
  return `is not known in this version; ${way}`;
}

/** A key without a value is null in YAML, which its writer never wrote. */
const quoted = (value: unknown) => quoteValue(value ?? undefined);

function didYouMean(value: unknown, known: readonly string[]): string {
  const meant = typeof value === 'string' ? nearest(value, known) : undefined;
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
