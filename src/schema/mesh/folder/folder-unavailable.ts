import { reasonOf, TrellisError } from '../../../model/error.js';

/** The error for a folder of schemas that cannot be read. */
export function schemaFolderUnavailable(dir: string, error: unknown): TrellisError {
  const reason = reasonOf(error);
  return new TrellisError(
    'SCHEMA_SOURCE_UNAVAILABLE',
    `The folder of schemas ${dir} cannot be read: ${reason}`,
    {
      hint: 'Name a folder of .schema.json files; trellis init --schemas work makes one to start from.',
      details: { folder: dir },
      cause: error,
    },
  );
}
