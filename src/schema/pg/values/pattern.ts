import { RE2JS } from 're2js';
import { reasonOf } from '../../../model/error.js';

const compiled = new Map<string, RE2JS>();

/** Schemas come and go; patterns that were compiled once are kept up to this many. */
const most = 1_000;

/** Whether a pattern is found in a text, in time that grows with the text alone. */
export function patternMatches(pattern: string, text: string): boolean {
  return compiledPattern(pattern).test(text);
}

/** Why a pattern cannot be used, or undefined if it can. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compiledPattern(pattern);
    return undefined;
  } catch (thrown) {
    return reasonOf(thrown);
  }
}

function compiledPattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = RE2JS.compile(pattern);
  if (compiled.size >= most) compiled.clear();
  compiled.set(pattern, made);
  return made;
}
