import { resolvePath } from '../../config/paths.js';
import { type Source, sourcePosition } from '../../language/source.js';
import type { SourceProblem } from '../../language/source-problem.js';
import { TrellisError } from '../../model/error.js';
import { checkQueries } from '../../query/check/check-query.js';
import type { CheckedQuery } from '../../query/check/checked-query.js';
import { describeQuery, type QueryDescription } from '../../query/describe/describe-query.js';
import { queryMetadata } from '../../query/query-metadata.js';
import { readQueryFile } from '../../query/stored/read-query-file.js';
import type { GraphSchema } from '../../schema/graph/graph-schema.js';
import { lintGraphSchema } from '../../schema/graph/lint-graph-schema.js';
import { parseGraphSchema } from '../../schema/graph/parse-graph-schema.js';
import { isGraphSchemaFile, nearestGraphSchema } from './nearest-graph-schema.js';

export interface FileProblem extends SourceProblem {
  readonly file: string;
  readonly severity: 'error' | 'warning';
}

export interface LintedQuery extends QueryDescription {
  readonly file: string;
}

/** The problems of a schema are reported once, not for each query. */
export async function lintFiles(
  files: readonly string[],
  schemaFile: string | undefined,
): Promise<{ readonly problems: readonly FileProblem[]; readonly queries: readonly LintedQuery[] }> {
  const problems: FileProblem[] = [];
  const queries: LintedQuery[] = [];
  const named = files.filter(isGraphSchemaFile);
  const schemas = new Map<string, GraphSchema | undefined>();
  const schemaAt = async (file: string) => {
    if (!schemas.has(file)) schemas.set(file, await lintSchemaFile(problems, file));
    return schemas.get(file);
  };
  for (const file of schemaFile === undefined ? named : [schemaFile, ...named]) await schemaAt(file);
  for (const file of files.filter((one) => !isGraphSchemaFile(one))) {
    const source = await sourceAt(file);
    const against = schemaFile ?? (await nearestGraphSchema(file, named));
    const schema = against === undefined ? null : await schemaAt(against);
    // Against an invalid schema, everything would be wrong.
    if (schema === undefined) continue;
    for (const query of collectProblems(problems, file, () => checkQueries(source, schema)) ?? []) {
      add(problems, file, 'warning', [...query.warnings, ...vectorWarnings(query, source)]);
      queries.push({ file, ...describeQuery(query, schema) });
    }
  }
  return { problems, queries };
}

/** A tool would ask its caller for the vector. */
function vectorWarnings(query: CheckedQuery, { text }: Source): readonly SourceProblem[] {
  const { name, declaration, parameters } = query;
  if (queryMetadata(declaration).expose === false) return [];
  return declaration.parameters
    .filter((parameter) => parameters.get(parameter.name)?.kind === 'vector')
    .map((parameter) => ({
      code: 'vector_parameter',
      ...sourcePosition(text, parameter.at),
      message: `As a tool, ${name} would ask for the vector $${parameter.name}, which no language model can give. Take a String and let Trellis embed it, or write @mcp(expose: false).`,
    }));
}

async function lintSchemaFile(problems: FileProblem[], file: string): Promise<GraphSchema | undefined> {
  const source = await sourceAt(file);
  const schema = collectProblems(problems, file, () => parseGraphSchema(source.text, file));
  if (schema !== undefined) add(problems, file, 'warning', lintGraphSchema(source));
  return schema;
}

async function sourceAt(file: string): Promise<Source> {
  return { ...(await readQueryFile(resolvePath(file))), file };
}

function collectProblems<T>(problems: FileProblem[], file: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    const found: unknown = error.details?.['problems'];
    if (!Array.isArray(found)) throw error;
    add(problems, file, 'error', found);
    return undefined;
  }
}

function add(
  problems: FileProblem[],
  file: string,
  severity: FileProblem['severity'],
  found: readonly SourceProblem[],
): void {
  for (const problem of found) problems.push({ file, severity, ...problem });
}
