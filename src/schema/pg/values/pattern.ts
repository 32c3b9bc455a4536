import { RE2JS } from 're2js';
import { graphSchemaLimits } from '../../../model/limits.js';
import { estimatedSize } from './pattern-size.js';

/** A pattern, ready to be tried. */
interface CompiledPattern {
  readonly re: RE2JS;
  /** Its instructions: trying it takes up to so many steps for each character of a text. */
  readonly size: number;
}

const compiled = new Map<string, CompiledPattern>();
let keptInstructions = 0;

/** Schemas come and go; of the patterns that were compiled once, as many are kept as have these instructions together. */
const mostKept = 100_000;

const { patternInstructions, patternSteps } = graphSchemaLimits;

/** Why a text does not pass a check, or undefined if it does. */
export function checkProblem(pattern: string, text: string): string | undefined {
  const tooLarge = sizeProblem(pattern);
  if (tooLarge !== undefined) return `cannot be checked: its pattern ${tooLarge}.`;
  const { re, size } = compiledPattern(pattern);
  const longest = Math.floor(patternSteps / size);
  if (text.length > longest)
    return `must have at most ${longest} characters, since its pattern takes ${size} steps for each.`;
  return re.test(text) ? undefined : `must match ${JSON.stringify(pattern)}.`;
}

/**
 * How a pattern is larger than it may be, or undefined if it is not. One that cannot be small enough is not compiled;
 * throws if it is not well-formed.
 */
export function sizeProblem(pattern: string): string | undefined {
  const about = compiled.get(pattern)?.size ?? estimatedSize(pattern);
  // An estimate may be off, and then the compiler decides.
  if (about > 2 * patternInstructions) return tooLarge(`about ${about}`);
  const { size } = compiledPattern(pattern);
  return size > patternInstructions ? tooLarge(String(size)) : undefined;
}

function tooLarge(size: string): string {
  return `compiles to ${size} instructions, and at most ${patternInstructions} are allowed`;
}

function compiledPattern(pattern: string): CompiledPattern {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const re = RE2JS.compile(pattern);
  const made = { re, size: re.programSize() };
  if (keptInstructions + made.size > mostKept) {
    compiled.clear();
    keptInstructions = 0;
  }
  compiled.set(pattern, made);
  keptInstructions += made.size;
  return made;
}
