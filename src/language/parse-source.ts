import type { ErrorCode } from '../model/error.js';
import { nearest } from '../model/nearest.js';
import { checkSourceLimits } from './check-source-limits.js';
import type { Source } from './source.js';
import { type Diagnostic, sourceError } from './source-problem.js';

/** What a parser that peggy made exports. */
export interface GeneratedParser<Tree> {
  readonly parse: (text: string, options?: { readonly startRule?: string }) => Tree;
}

/** How errors in a language are told. */
export interface Language {
  /** The code of its errors. */
  readonly code: ErrorCode;
  /** What to do about them, in one sentence. */
  readonly hint: string;
}

/** The tree of a source, frozen; throws where the text first leaves the grammar. */
export function parseSource<Tree>(
  parser: GeneratedParser<Tree>,
  source: Source,
  language: Language,
  startRule?: string,
): Tree {
  const refusal = checkSourceLimits(source.text);
  if (refusal !== undefined) throw sourceError(source, [refusal], language);
  try {
    return deepFreeze(parser.parse(source.text, startRule === undefined ? {} : { startRule }));
  } catch (thrown) {
    const finding = toDiagnostic(thrown, source.text);
    if (finding === undefined) throw thrown;
    throw sourceError(source, [finding], language);
  }
}

/** What peggy expected at a place. */
interface Expectation {
  readonly type: 'literal' | 'class' | 'any' | 'end' | 'other';
  readonly text?: string;
  readonly description?: string;
  /** Of a class: characters, or the first and the last of several. */
  readonly parts?: readonly (string | readonly [string, string])[];
}

/** What peggy throws; `expected` is null if a rule said itself what is wrong. */
interface PeggySyntaxError extends SyntaxError {
  readonly expected: readonly Expectation[] | null;
  readonly location: { readonly start: { readonly offset: number } };
}

function isPeggySyntaxError(thrown: unknown): thrown is PeggySyntaxError {
  return thrown instanceof SyntaxError && 'expected' in thrown && 'location' in thrown;
}

function toDiagnostic(thrown: unknown, text: string): Diagnostic | undefined {
  // The guard leaves no brackets that could do this; a grammar may nest by other means.
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

/** White space may stand anywhere, and letters and digits only occur in things that have names: neither helps anybody. */
function expectedWords(expected: readonly Expectation[]): string[] {
  const words = expected.flatMap(({ type, text = '', description = '', parts = [] }) => {
    if (type === 'literal') return [JSON.stringify(text)];
    if (type === 'class') return parts.flatMap(operatorsIn);
    if (type === 'end') return ['the end of the text'];
    return type === 'other' && description !== 'white space' ? [description] : [];
  });
  return [...new Set(words)].sort();
}

/** The operators of a class: peggy makes one of those that have a single character. */
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
