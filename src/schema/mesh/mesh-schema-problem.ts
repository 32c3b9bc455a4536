import { errorCodes, TrellisError } from '../../model/error.js';
import { escapeInvisible } from './text/invisible-characters.js';

/** One thing that is wrong with a schema file. */
export interface MeshSchemaProblem {
  /** The name of the file, without its folder. */
  readonly file: string;
  /** Where in the file: `properties.role.enum`; empty for the file itself. */
  readonly path: string;
  /** What is wrong there and what is allowed, as the rest of a sentence: `is missing; it must be a text`. */
  readonly reason: string;
}

/** A problem as one line. */
export function formatMeshSchemaProblem({ file, path, reason }: MeshSchemaProblem): string {
  return `${escapeInvisible(file)}${path === '' ? '' : `: ${path}`} ${reason}`;
}

/** The one error for schema files that cannot be used; it lists every problem. */
export function meshSchemaError(problems: readonly MeshSchemaProblem[]): TrellisError {
  const lines = problems.map(formatMeshSchemaProblem);
  const message =
    lines.length === 1
      ? `${lines[0]}.`
      : `Schema files have ${lines.length} problems:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  return new TrellisError('SCHEMA_INVALID', message, {
    hint: 'Mend the files; docs/schemas.md explains every key, and trellis lint DIR looks again.',
    publicMessage: errorCodes.SCHEMA_INVALID,
    details: { problems },
  });
}
