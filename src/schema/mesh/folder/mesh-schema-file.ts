import { readFailureReason } from '../../../file/file-errors.js';
import { TrellisError } from '../../../model/error.js';
import { meshSchemaLimits } from '../../../model/limits.js';
import { decodeUtf8 } from '../../../model/text.js';

/** A schema file, or why it could not be read. */
export type MeshSchemaFile =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly unreadable: string };

const extension = '.schema.json';

/** The schema files among these names, sorted, without the hidden files of editors. */
export function meshSchemaFileNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.endsWith(extension) && !name.startsWith('.')).sort();
}

export function meshSchemaFileName(type: string): string {
  return `${type}${extension}`;
}

export function unreadableReason(stats: {
  isFile(): boolean;
  readonly size: number | bigint;
}): string | undefined {
  if (!stats.isFile()) return 'is not a regular file';
  if (stats.size <= meshSchemaLimits.fileBytes) return undefined;
  return `has ${stats.size} bytes; at most ${meshSchemaLimits.fileBytes} are allowed`;
}

export function decodeSchemaFile(file: string, bytes: Uint8Array): MeshSchemaFile {
  const text = decodeUtf8(bytes);
  return text === undefined ? { file, unreadable: 'is not UTF-8 text' } : { file, text };
}

export function unreadableFile(file: string, error: unknown): MeshSchemaFile {
  return { file, unreadable: `cannot be read: ${readFailureReason(error)}` };
}

export function schemaFolderUnavailable(dir: string, error: unknown): TrellisError {
  return new TrellisError(
    'SCHEMA_SOURCE_UNAVAILABLE',
    `The folder of mesh schemas ${dir} cannot be read: ${readFailureReason(error)}`,
    {
      hint: 'Name a folder of .schema.json files, or create one with: trellis init --schemas work',
      details: { folder: dir },
      cause: error,
    },
  );
}
