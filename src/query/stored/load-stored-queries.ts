import { type Source, sourcePosition } from '../../language/source.js';
import { formatSourceProblem, sourceErrorLines } from '../../language/source-problem.js';
import { TrellisError } from '../../model/error.js';
import { didYouMean } from '../../model/nearest.js';
import type { CheckedQuery } from '../check/checked-query.js';
import { checkQueriesCached } from '../checked-query-cache.js';
import { isMutation } from '../parameter-descriptors.js';
import { queryMetadata } from '../query-metadata.js';
import { readQueryFile } from './read-query-file.js';
import { StoredQueries } from './stored-queries.js';
import type { StoredQuery, StoredQuerySettings } from './stored-query.js';

/** Reads and checks the configured queries. Throws `STORED_QUERY_INVALID` with all problems, by file and line. */
export async function loadStoredQueries(
  settings: readonly StoredQuerySettings[],
  schema: string | null,
): Promise<StoredQueries> {
  const { queries, problems } = await readStoredQueries(settings, schema);
  if (problems.length === 0) return queries;
  throw new TrellisError('STORED_QUERY_INVALID', problems.join('\n'), {
    hint: 'Fix the file, or remove the query from the configuration. Check files with trellis lint FOLDER.',
    details: { problems },
  });
}

/** Returns the queries that can be used, and what is wrong with the others. */
export async function readStoredQueries(
  settings: readonly StoredQuerySettings[],
  schema: string | null,
): Promise<{ readonly queries: StoredQueries; readonly problems: readonly string[] }> {
  const problems: string[] = [];
  const files = new Map<string, FileQueries | undefined>();
  for (const { file, source } of settings) {
    if (files.has(file)) continue;
    try {
      const text = await readQueryFile(file);
      files.set(file, { source: text, queries: checkQueriesCached(text, schema) });
    } catch (error) {
      if (!(error instanceof TrellisError)) throw error;
      files.set(file, undefined);
      problems.push(
        ...(error.code === 'QUERY_INVALID' ? sourceErrorLines(error) : [`${source}: ${error.message}`]),
      );
    }
  }
  const stored = settings.flatMap((one): StoredQuery[] => {
    const file = files.get(one.file);
    if (file === undefined) return [];
    const query = file.queries.find(({ name }) => name === one.name);
    const problem =
      query === undefined ? missingQueryProblem(one, file) : parameterProblem(query, file.source);
    if (problem !== undefined) problems.push(problem);
    return query === undefined || problem !== undefined ? [] : [storedQuery(one, file.source, query)];
  });
  return { queries: new StoredQueries(stored), problems };
}

interface FileQueries {
  readonly source: Source;
  readonly queries: readonly CheckedQuery[];
}

function storedQuery(settings: StoredQuerySettings, source: Source, checked: CheckedQuery): StoredQuery {
  const { name } = checked;
  const { description, instruction, expose, toolName } = queryMetadata(checked.declaration);
  return {
    ...{ name, description, instruction, source, checked },
    toolName: settings.toolName ?? toolName ?? name,
    isExposed: settings.expose ?? expose ?? true,
    namedAt: settings.source,
  };
}

export function missingQueryProblem(
  { name, source, file }: StoredQuerySettings,
  { queries }: { readonly queries: readonly { readonly name: string }[] },
): string {
  const names = queries.map((query) => query.name);
  return `${source}: ${file} has no query ${name}.${didYouMean(name, names)} Use the name of a query in the file.`;
}

/** The caller's arguments are the parameters, and where to run the query. */
function parameterProblem(query: CheckedQuery, source: Source): string | undefined {
  const taken = isMutation(query) ? ['branch', 'if_commit'] : ['branch', 'snapshot'];
  const parameter = query.declaration.parameters.find(({ name }) => taken.includes(name));
  if (parameter === undefined) return undefined;
  return formatSourceProblem(source, {
    code: 'reserved_name',
    ...sourcePosition(source.text, parameter.at),
    message: `A stored query cannot have a parameter $${parameter.name}: callers use ${parameter.name} to say where it runs.`,
  });
}
