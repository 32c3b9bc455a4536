import { RE2JS } from 're2js';
import { graphSchemaLimits } from '../../../model/limits.js';
import { estimatePatternSize } from './pattern-size.js';

/** A pattern, ready to be tried. */
interface CompiledPattern {
  readonly re: RE2JS;
  /** Its instructions: trying it takes up to so many steps for each character of a text. */
  readonly size: number;
}

const patternCache = new Map<string, CompiledPattern>();
let cachedInstructions = 0;

/** Schemas come and go; of the patterns that were compiled once, as many are kept as have these instructions together. */
const maxCachedInstructions = 100_000;

const { patternInstructions, patternSteps } = graphSchemaLimits;

/** Why a text does not pass a check, or undefined if it does. */
export function patternProblem(pattern: string, text: string): string | undefined {
  const tooLarge = patternSizeProblem(pattern);
  if (tooLarge !== undefined) return `cannot be checked: its pattern ${tooLarge}.`;
  const { re, size } = compilePattern(pattern);
  const longest = Math.floor(patternSteps / size);
  if (text.length > longest)
    return `must have at most ${longest} characters, since its pattern takes ${size} steps for each.`;
  return re.test(text) ? undefined : `must match ${JSON.stringify(pattern)}.`;
}

/**
 * How a pattern is larger than it may be, or undefined if it is not. One that cannot be small enough is not compiled;
 * throws if it is not well-formed.
 */
export function patternSizeProblem(pattern: string): string | undefined {
  const about = patternCache.get(pattern)?.size ?? estimatePatternSize(pattern);
  // An estimate may be off, and then the compiler decides.
  if (about > 2 * patternInstructions) return tooLargeText(`about ${about}`);
  const { size } = compilePattern(pattern);
  return size > patternInstructions ? tooLargeText(String(size)) : undefined;
}

function tooLargeText(size: string): string {
  return `compiles to ${size} instructions, and at most ${patternInstructions} are allowed`;
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
