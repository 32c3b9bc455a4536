import { stat } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { resolvePath } from '../../config/paths.js';
import type { Source } from '../../language/source.js';
import { TrellisError } from '../../model/error.js';
import { didYouMean } from '../../model/nearest.js';
import { readQueryFile } from '../../query/stored/read-query-file.js';
import type { StoredQuerySettings } from '../../query/stored/stored-query.js';

export interface ResolvedQuerySource {
  readonly source: Source;
  readonly name?: string;
}

/** Standard input, a file, the name of a stored query, or the query itself. */
export async function resolveQuerySource(
  given: string,
  stored: readonly StoredQuerySettings[],
): Promise<ResolvedQuerySource> {
  const query = stored.find(({ name }) => name === given);
  if (query !== undefined) return { source: await readQueryFile(query.file), name: query.name };
  const source = await readQueryText(given);
  if (source !== undefined) return { source };
  const names = stored.map(({ name }) => name);
  throw new TrellisError(
    'USAGE',
    `There is neither a file nor a stored query ${JSON.stringify(given)}.${didYouMean(given, names)}`,
    {
      hint: 'Give a .gq file, the name of a stored query of the graph, the text of a query, or - for standard input.',
    },
  );
}

/** Standard input, a file, or the query itself; undefined for any other word. */
export async function readQueryText(given: string): Promise<Source | undefined> {
  if (given === '-') return { text: await textOf(process.stdin) };
  if (/\.gq$/i.test(given) || (await isFile(given)))
    return { ...(await readQueryFile(resolvePath(given))), file: given };
  return /[\s({]/.test(given) ? { text: given } : undefined;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(resolvePath(path))).isFile();
  } catch {
    return false;
  }
}
