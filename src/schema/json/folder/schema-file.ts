import { reasonOf } from '../../../model/error.js';
import { schemaLimits } from '../../../model/limits.js';
import { decodeUtf8 } from '../../../model/text.js';
import type { SchemaFile } from '../catalog.js';

const ending = '.schema.json';

/** Which of these names are schema files: not those that editors hide while they work. In a fixed order. */
export function schemaFileNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.endsWith(ending) && !name.startsWith('.')).sort();
}

/** The name of the file that holds the schema of a type. */
export function schemaFileName(type: string): string {
  return `${type}${ending}`;
}

/** Why a file of this kind and size is not read, or undefined if it is. */
export function refusal(stats: { isFile(): boolean; readonly size: number | bigint }): string | undefined {
  if (!stats.isFile()) return 'is no ordinary file';
  if (stats.size <= schemaLimits.fileBytes) return undefined;
  return `has ${stats.size} bytes; at most ${schemaLimits.fileBytes} are allowed`;
}

/** The text that a file's bytes stand for. */
export function decode(file: string, bytes: Uint8Array): SchemaFile {
  const text = decodeUtf8(bytes);
  return text === undefined ? { file, unreadable: 'is not UTF-8 text' } : { file, text };
}

/** What is said of a file that the system does not let us read. */
export function unreadable(file: string, error: unknown): SchemaFile {
  return { file, unreadable: `cannot be read: ${reasonOf(error)}` };
}
