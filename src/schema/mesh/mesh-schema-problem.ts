import { errorCodes, TrellisError } from '../../model/error.js';
import { escapeInvisible } from './text/invisible-characters.js';

export interface MeshSchemaProblem {
  /** Without the folder. */
  readonly file: string;
  /** `properties.role.enum`; empty for the file itself. */
  readonly path: string;
  /** The rest of a sentence: `is missing; it must be a string`. */
  readonly reason: string;
}

export function formatMeshSchemaProblem({ file, path, reason }: MeshSchemaProblem): string {
  return `${escapeInvisible(file)}${path === '' ? '' : `: ${path}`} ${reason}`;
}

export function meshSchemaError(problems: readonly MeshSchemaProblem[]): TrellisError {
  const lines = problems.map(formatMeshSchemaProblem);
  const message =
    lines.length === 1
      ? `${lines[0]}.`
      : `Schema files have ${lines.length} problems:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  return new TrellisError('SCHEMA_INVALID', message, {
    hint: 'Fix the files, then run trellis lint DIR. docs/schemas.md explains every key.',
    publicMessage: errorCodes.SCHEMA_INVALID,
    details: { problems },
  });
}
