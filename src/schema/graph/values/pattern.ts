import { RE2JS } from 're2js';
import { graphSchemaLimits } from '../../../model/limits.js';
import { estimatePatternSize } from './pattern-size.js';

interface CompiledPattern {
  readonly re: RE2JS;
  /** Instructions: matching takes up to this many steps for each character. */
  readonly size: number;
}

const patternCache = new Map<string, CompiledPattern>();
let cachedInstructions = 0;

/** The cache is cleared when its patterns exceed this size together. */
const maxCachedInstructions = 100_000;

const { patternInstructions, patternSteps } = graphSchemaLimits;

/** Why a text does not match, as the rest of a sentence. */
export function patternProblem(pattern: string, text: string): string | undefined {
  const tooLarge = patternSizeProblem(pattern);
  if (tooLarge !== undefined) return `cannot be checked: its pattern ${tooLarge}.`;
  const { re, size } = compilePattern(pattern);
  const longest = Math.floor(patternSteps / size);
  if (text.length > longest)
    return `must have at most ${longest} characters: its pattern takes ${size} steps for each.`;
  return re.test(text) ? undefined : `must match ${JSON.stringify(pattern)}.`;
}

/**
 * Why a pattern is too large, if it is. A pattern far above the limit is not compiled; throws if the pattern is not
 * well-formed.
 */
export function patternSizeProblem(pattern: string): string | undefined {
  const about = patternCache.get(pattern)?.size ?? estimatePatternSize(pattern);
  // The estimate may be off: near the limit the compiler decides.
  if (about > 2 * patternInstructions) return tooLargeText(`about ${about}`);
  const { size } = compilePattern(pattern);
  return size > patternInstructions ? tooLargeText(String(size)) : undefined;
}

function tooLargeText(size: string): string {
  return `compiles to ${size} instructions; at most ${patternInstructions} are allowed`;
}

function compilePattern(pattern: string): CompiledPattern {
  const known = patternCache.get(pattern);
  if (known !== undefined) return known;
  const re = RE2JS.compile(pattern);
  const made = { re, size: re.programSize() };
  if (cachedInstructions + made.size > maxCachedInstructions) {
    patternCache.clear();
    cachedInstructions = 0;
  }
  patternCache.set(pattern, made);
  cachedInstructions += made.size;
  return made;
}
