import type { ErrorCode } from '../model/error.js';
import { nearest } from '../model/nearest.js';
import { checkSourceLimits } from './check-source-limits.js';
import type { Source } from './source.js';
import { type Diagnostic, sourceError } from './source-problem.js';

/** How errors in a language are reported. */
export interface Language {
  readonly code: ErrorCode;
  /** How to fix them, in one sentence. */
  readonly hint: string;
}

/** Parses a source with a parser that peggy generated; throws at the first syntax error. The tree is frozen. */
export function parseSource<Tree>(
  parser: { readonly parse: (text: string) => Tree },
  source: Source,
  language: Language,
): Tree {
  const refusal = checkSourceLimits(source.text);
  if (refusal !== undefined) throw sourceError(source, [refusal], language);
  try {
    return deepFreeze(parser.parse(source.text));
  } catch (thrown) {
    const diagnostic = toDiagnostic(thrown, source.text);
    if (diagnostic === undefined) throw thrown;
    throw sourceError(source, [diagnostic], language);
  }
}

/** What peggy expected at a position. */
interface Expectation {
  readonly type: 'literal' | 'class' | 'any' | 'end' | 'other';
  readonly text?: string;
  readonly description?: string;
  /** For a class: single characters, or the first and the last of a range. */
  readonly parts?: readonly (string | readonly [string, string])[];
}

/** What peggy throws; `expected` is null if a rule called `error()`. */
interface PeggySyntaxError extends SyntaxError {
  readonly expected: readonly Expectation[] | null;
  readonly location: { readonly start: { readonly offset: number } };
}

function isPeggySyntaxError(thrown: unknown): thrown is PeggySyntaxError {
  return thrown instanceof SyntaxError && 'expected' in thrown && 'location' in thrown;
}

function toDiagnostic(thrown: unknown, text: string): Diagnostic | undefined {
  // Brackets were limited before; a grammar may nest by other means.
  if (thrown instanceof RangeError)
    return { code: 'too_deep', at: 0, message: 'The text is nested too deeply.' };
  if (!isPeggySyntaxError(thrown)) return undefined;
  const at = thrown.location.start.offset;
  if (thrown.expected === null) return { code: 'syntax', at, message: thrown.message };
  const expected = expectedWords(thrown.expected);
  const word = wordAt(text, at);
  return {
    code: 'syntax',
    at,
    message: `Expected ${joinWithOr(expected)}, but found ${foundAt(text, at, word)}.`,
    expected,
    suggestion: word === undefined ? undefined : nearest(word, expectedKeywords(thrown.expected)),
  };
}

/** Leaves out white space, which is allowed everywhere, and letters and digits, which only occur in named rules. */
function expectedWords(expected: readonly Expectation[]): string[] {
  const words = expected.flatMap(({ type, text = '', description = '', parts = [] }) => {
    if (type === 'literal') return [JSON.stringify(text)];
    if (type === 'class') return parts.flatMap(operatorsIn);
    if (type === 'end') return ['the end of the text'];
    return type === 'other' && description !== 'white space' ? [description] : [];
  });
  return [...new Set(words)].sort();
}

/** The operators of a class: peggy merges alternatives of a single character into one. */
function operatorsIn(part: string | readonly [string, string]): string[] {
  const [first, last] = typeof part === 'string' ? [part, part] : part;
  return [...'<=>:'].filter((sign) => sign >= first && sign <= last).map((sign) => JSON.stringify(sign));
}

function expectedKeywords(expected: readonly Expectation[]): string[] {
  return expected.flatMap(({ type, text = '' }) =>
    type === 'literal' && /^@?\w{2,}$/.test(text) ? [text] : [],
  );
}

function wordAt(text: string, at: number): string | undefined {
  const word = /[@$]?[\p{L}\p{N}_]+/uy;
  word.lastIndex = at;
  return word.exec(text)?.[0];
}

function foundAt(text: string, at: number, word: string | undefined): string {
  const character = text.codePointAt(at);
  if (character === undefined) return 'the end of the text';
  return JSON.stringify((word ?? String.fromCodePoint(character)).slice(0, 64));
}

function joinWithOr(words: readonly string[]): string {
  if (words.length === 0) return 'something else';
  return words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function deepFreeze<Tree>(tree: Tree): Tree {
  if (typeof tree === 'object' && tree !== null && !Object.isFrozen(tree)) {
    Object.freeze(tree);
    for (const member of Object.values(tree)) deepFreeze(member);
  }
  return tree;
}
