import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolvePath } from '../../config/paths.js';
import { TrellisError } from '../../model/error.js';

export const isGraphSchemaFile = (file: string) => /\.pg$/i.test(file);

/** The only schema in the folder of the file or the nearest parent folder; if there are several, the named ones count. */
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

/** A relative path ends where it starts from. */
function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder;
    // The parent of `..` is not `.`, whatever dirname says.
    if (dirname(folder) === folder || /(^|[\\/])\.\.$/.test(folder)) return;
  }
}

async function schemasIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(resolvePath(folder), { withFileTypes: true });
    const schemas = entries.filter((entry) => entry.isFile() && isGraphSchemaFile(entry.name));
    return schemas.map(({ name }) => join(folder, name)).sort();
  } catch {
    // A parent folder that cannot be listed has no say.
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
