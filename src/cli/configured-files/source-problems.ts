import type { GraphSettings } from '../../config/graph-settings.js';
import { readStoredQueries } from '../../query/stored/load-stored-queries.js';
import { parseStoredQueries } from '../../query/stored/parse-stored-queries.js';
import { readGraphSchemaFile } from '../../schema/apply/initialise-graph-schema.js';
import { parseGraphSchema } from '../../schema/graph/parse-graph-schema.js';
import { builtInTools } from '../../surfaces/graph/graph-surface.js';
import { toolNameHint, toolNameProblems } from '../../surfaces/graph/stored/tool-name-problems.js';
import { isReachable, readProblems } from './read-problems.js';

type Sources = Pick<GraphSettings, 'schema' | 'queries'>;

export async function schemaFileProblems({ schema: { value: file } }: Sources): Promise<readonly string[]> {
  if (file === undefined || !(await isReachable(file))) return [];
  return readProblems(async () => parseGraphSchema(await readGraphSchemaFile(file), file));
}

/** Names that cannot become tools keep a server from starting. */
export async function queryNameProblems({ queries }: Sources): Promise<readonly string[]> {
  const { exposed } = await parseStoredQueries(queries);
  return toolNameProblems(exposed, builtInTools).map((problem) => `${problem} ${toolNameHint}`);
}

/** Without a valid schema file, reports only what is wrong under every schema. */
export async function queryFileProblems(sources: Sources): Promise<readonly string[]> {
  const queries = [];
  for (const query of sources.queries) if (await isReachable(query.file)) queries.push(query);
  const { value: schema } = sources.schema;
  const isUsable =
    schema !== undefined && (await isReachable(schema)) && (await schemaFileProblems(sources)).length === 0;
  const { problems } = isUsable
    ? await readStoredQueries(queries, await readGraphSchemaFile(schema))
    : await parseStoredQueries(queries);
  return problems;
}
