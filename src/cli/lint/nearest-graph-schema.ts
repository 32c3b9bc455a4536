import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolvePath } from '../../config/paths.js';
import { TrellisError } from '../../model/error.js';

export const isGraphSchemaFile = (file: string) => /\.pg$/i.test(file);

/**
 * The only schema of the folder of a file, or of the nearest one above it that has one, up to the working directory. Of
 * a folder with several, those that were named count.
 */
export async function nearestGraphSchema(
  file: string,
  named: readonly string[],
): Promise<string | undefined> {
  for (const folder of foldersAbove(file)) {
    const chosen = named.filter((schema) => dirname(schema) === folder);
    const here = chosen.length > 0 ? chosen : await schemasIn(folder);
    if (here.length > 1) throw severalSchemas(folder, here);
    if (here[0] !== undefined) return here[0];
  }
  return undefined;
}

/** The folder of a file and those above it, as far as its path says: a relative one ends where it starts from. */
function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder;
    // What lies above `..` is not `.`, whatever dirname says.
    if (dirname(folder) === folder || /(^|[\\/])\.\.$/.test(folder)) return;
  }
}

async function schemasIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(resolvePath(folder), { withFileTypes: true });
    const schemas = entries.filter((entry) => entry.isFile() && isGraphSchemaFile(entry.name));
    return schemas.map(({ name }) => join(folder, name)).sort();
  } catch {
    // A folder above that may not be listed has nothing to say about the queries below it.
    return [];
  }
}

function severalSchemas(folder: string, schemas: readonly string[]): TrellisError {
  return new TrellisError(
    'USAGE',
    `${folder} holds several schemas, so it is not clear which one its queries are for.`,
    { hint: `Name it with --schema: ${schemas.slice(0, 5).join(', ')}.` },
  );
}
