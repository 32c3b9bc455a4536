import { dirname } from 'node:path';
import { resolvePath } from '../../config/paths.js';
import type { SourceProblem } from '../../language/problem.js';
import type { Source } from '../../language/source.js';
import { TrellisError } from '../../model/error.js';
import { checkQueries } from '../../query/check/check-query.js';
import { readQueryFile } from '../../query/registry/query-file.js';
import type { GraphSchema } from '../../schema/pg/graph-schema.js';
import { lintSchema } from '../../schema/pg/lint-schema.js';
import { parseGraphSchema } from '../../schema/pg/parse-graph-schema.js';

export interface FileProblem extends SourceProblem {
  readonly file: string;
  readonly severity: 'error' | 'warning';
}

export interface Linted {
  readonly problems: readonly FileProblem[];
}

/** Checks schemas, and queries against them. What is wrong with a schema is told once, not again for each query. */
export async function lintFiles(files: readonly string[], schemaFile: string | undefined): Promise<Linted> {
  const problems: FileProblem[] = [];
  const schemas = new Map<string, GraphSchema | undefined>();
  const isSchema = (file: string) => /\.pg$/i.test(file);
  const schemaFiles = schemaFile === undefined ? files.filter(isSchema) : [schemaFile];
  for (const file of new Set([...schemaFiles, ...files.filter(isSchema)])) {
    const source = await sourceAt(file);
    const schema = collecting(problems, file, () => parseGraphSchema(source.text, file));
    schemas.set(file, schema);
    if (schema !== undefined) add(problems, file, 'warning', lintSchema(source));
  }
  for (const file of files.filter((one) => !isSchema(one))) {
    const source = await sourceAt(file);
    const against = schemaFile ?? nearestSchema(file, schemaFiles);
    const schema = against === undefined ? null : schemas.get(against);
    // Against a schema that is wrong, everything would be.
    if (schema === undefined) continue;
    const queries = collecting(problems, file, () => checkQueries(source, schema));
    for (const { warnings } of queries ?? []) add(problems, file, 'warning', warnings);
  }
  return { problems };
}

async function sourceAt(file: string): Promise<Source> {
  return { ...(await readQueryFile(resolvePath(file))), file };
}

/** The only schema of the folder, or of the nearest one above it that has one. */
function nearestSchema(file: string, schemas: readonly string[]): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const here = schemas.filter((schema) => dirname(schema) === folder);
    if (here.length > 1) throw severalSchemas(folder, here);
    if (here[0] !== undefined || dirname(folder) === folder) return here[0];
  }
}

function severalSchemas(folder: string, schemas: readonly string[]): TrellisError {
  return new TrellisError(
    'USAGE',
    `${folder} holds several schemas, so it is not clear which one its queries are for.`,
    { hint: `Name it with --schema: ${schemas.slice(0, 5).join(', ')}.` },
  );
}

function collecting<T>(problems: FileProblem[], file: string, work: () => T): T | undefined {
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
