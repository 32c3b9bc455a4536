import { languageLimits } from '../model/limits.js';
import { textProblem } from '../model/text.js';
import type { Diagnostic } from './source-problem.js';

/**
 * Why a text must not reach a parser. Parsers recurse for every level of brackets, so brackets alone would exhaust the
 * stack.
 */
export function checkSourceLimits(text: string): Diagnostic | undefined {
  if (text.length > languageLimits.sourceLength)
    return {
      code: 'too_long',
      at: 0,
      message: `The text has ${text.length} characters; at most ${languageLimits.sourceLength} are allowed.`,
    };
  const problem = textProblem(text);
  if (problem !== undefined)
    return { code: 'not_text', at: firstBadCharacter(text), message: `The text ${problem}.` };
  const at = firstTooDeep(text);
  if (at === undefined) return undefined;
  return {
    code: 'too_deep',
    at,
    message: `Brackets are nested more than ${languageLimits.depth} levels deep.`,
  };
}

function firstBadCharacter(text: string): number {
  const nul = text.indexOf('\0');
  const half = text.search(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
  return [nul, half].filter((at) => at !== -1).sort((a, b) => a - b)[0] ?? 0;
}

/** Strings and comments, in which brackets do not count, and brackets, by the rules of lexical.peggy. */
const parts = /"(?:[^"\\]+|\\[\s\S])*"?|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|[([{]|[)\]}]/g;

function firstTooDeep(text: string): number | undefined {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(parts)) {
    if ('([{'.includes(part)) depth += 1;
    else if (')]}'.includes(part)) depth = Math.max(0, depth - 1);
    if (depth > languageLimits.depth) return index;
  }
  return undefined;
}
