import { TrellisError } from '../../model/error.js';

export interface ConfigProblem {
  /** Missing if the file cannot be read at all. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** More would hide the first ones. */
const maxProblems = 50;

export function configInvalid(file: string, problems: readonly ConfigProblem[]): TrellisError {
  const sorted = [...problems].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
  const listed = sorted.slice(0, maxProblems);
  const lines = listed.map(
    ({ line, column, message }) => `${file}${line === undefined ? '' : `:${line}:${column}`}: ${message}`,
  );
  if (sorted.length > listed.length) lines.push(`and ${sorted.length - listed.length} more problems`);
  const [only] = lines;
  return new TrellisError(
    'CONFIG_INVALID',
    lines.length === 1 && only !== undefined
      ? only
      : `${file} has ${sorted.length} problems:\n${lines.map((text) => `  ${text}`).join('\n')}`,
    {
      hint: 'Fix the file and check it with trellis config check; see docs/configuration.md.',
      details: { file, problems: listed },
    },
  );
}
