import { type ErrorCode, TrellisError } from '../model/error.js';
import { type Source, type SourcePosition, sourcePosition } from './source.js';

/** One mistake in a source. */
export interface Diagnostic {
  /** For programs: `unknown_type`. */
  readonly code: string;
  /** The offset in the source. */
  readonly at: number;
  readonly message: string;
  /** What is allowed there: words of the language, or types. */
  readonly expected?: readonly string[] | undefined;
  /** The name that was probably meant. */
  readonly suggestion?: string | undefined;
}

/** A diagnostic with line and column, as clients get it. */
export interface SourceProblem extends SourcePosition {
  readonly code: string;
  readonly message: string;
  readonly expected?: readonly string[];
  readonly suggestion?: string;
}

const maxListed = 20;

export function toSourceProblem({ text }: Source, diagnostic: Diagnostic): SourceProblem {
  const { code, at, message, expected, suggestion } = diagnostic;
  return {
    code,
    ...sourcePosition(text, at),
    message,
    ...(expected === undefined ? {} : { expected }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** `work.pg:3:12: There is no node type Cok. Did you mean "Cook"?` */
export function formatSourceProblem({ file }: Pick<Source, 'file'>, problem: SourceProblem): string {
  const { line, column, message, suggestion } = problem;
  const position = file === undefined ? `line ${line}, column ${column}` : `${file}:${line}:${column}`;
  const didYouMean = suggestion === undefined ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`;
  return `${position}: ${message}${didYouMean}`;
}

/** Lists the diagnostics in the order of the source. */
export function sourceError(
  source: Source,
  diagnostics: readonly Diagnostic[],
  { code, hint }: { readonly code: ErrorCode; readonly hint: string },
): TrellisError {
  const problems = [...diagnostics]
    .sort((a, b) => a.at - b.at)
    .map((diagnostic) => toSourceProblem(source, diagnostic));
  const messageNaming = (file: string | undefined) => {
    const lines = problems.slice(0, maxListed).map((problem) => formatSourceProblem({ file }, problem));
    const [only] = lines;
    if (problems.length === 1 && only !== undefined) return only;
    const more = problems.length > lines.length ? `\n  and ${problems.length - lines.length} more` : '';
    return `${problems.length} problems:\n${lines.map((line) => `  ${line}`).join('\n')}${more}`;
  };
  return new TrellisError(code, messageNaming(source.file), {
    hint,
    publicMessage: messageNaming(source.file?.split(/[\\/]/).at(-1)),
    details: { ...(source.file === undefined ? {} : { file: source.file }), problems },
  });
}

/** A line for each problem of the source, or else the message. */
export function sourceErrorLines({ message, details }: TrellisError): readonly string[] {
  const problems: unknown = details?.['problems'];
  if (!Array.isArray(problems) || !problems.every(isSourceProblem)) return [message];
  const file = typeof details?.['file'] === 'string' ? details['file'] : undefined;
  return problems.map((problem) => formatSourceProblem({ file }, problem));
}

function isSourceProblem(value: unknown): value is SourceProblem {
  return (
    typeof value === 'object' && value !== null && 'line' in value && 'column' in value && 'message' in value
  );
}
