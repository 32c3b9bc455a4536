import { basename, dirname, join } from 'node:path';
import { resolvePath } from '../../config/paths.js';
import { readMeshSchemaFolder } from '../../schema/mesh/folder/read-mesh-schema-folder.js';
import { buildMeshCatalog, type MeshCatalog } from '../../schema/mesh/mesh-catalog.js';
import type { MeshSchema } from '../../schema/mesh/mesh-schema.js';
import { formatMeshSchemaProblem } from '../../schema/mesh/mesh-schema-problem.js';
import { estimateTokens, listMeshTools } from '../../schema/mesh/mesh-tool-list.js';
import { pluralize } from '../print.js';

export interface MeshSchemaSummary {
  readonly file: string;
  readonly type: string;
  readonly tools: readonly string[];
  readonly properties: number;
  readonly relationships: number;
  readonly tokens: number;
}

export interface MeshSchemaReport extends Pick<MeshCatalog, 'warnings' | 'problems'> {
  readonly schemas: readonly MeshSchemaSummary[];
  /** For the tools of all schemas together. */
  readonly tokens: number;
}

export async function lintMeshSchemas(folder: string): Promise<MeshSchemaReport> {
  const catalog = buildMeshCatalog((await readMeshSchemaFolder(folder)).files);
  const schemas = [...catalog.schemas.values()];
  return {
    schemas: schemas.map((schema) => summarize(schema, catalog.files.get(schema.type) ?? '')),
    tokens: schemas.length === 0 ? 0 : estimateTokens(schemas.flatMap(listMeshTools)),
    warnings: catalog.warnings,
    problems: catalog.problems,
  };
}

/** Problems of mesh schemas have no line: the message names the path in the JSON. */
export interface MeshFileProblem {
  readonly file: string;
  readonly severity: 'error' | 'warning';
  readonly code: 'mesh_schema';
  readonly message: string;
}

/** Checks single files, each together with the other schemas of its folder. */
export async function lintMeshFiles(files: readonly string[]): Promise<{
  readonly schemas: readonly MeshSchemaSummary[];
  readonly problems: readonly MeshFileProblem[];
}> {
  const schemas: MeshSchemaSummary[] = [];
  const problems: MeshFileProblem[] = [];
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    const report = await lintMeshSchemas(resolvePath(folder));
    const names = files.filter((file) => dirname(file) === folder).map((file) => basename(file));
    const add = (severity: MeshFileProblem['severity'], line: string) => {
      const name = names.find((candidate) => line.startsWith(candidate));
      if (name === undefined) return;
      const message = line.slice(name.length).replace(/^:? /, '');
      problems.push({ file: join(folder, name), severity, code: 'mesh_schema', message });
    };
    for (const schema of report.schemas)
      if (names.includes(schema.file)) schemas.push({ ...schema, file: join(folder, schema.file) });
    for (const problem of report.problems) add('error', formatMeshSchemaProblem(problem));
    for (const warning of report.warnings) add('warning', warning);
  }
  return { schemas, problems };
}

function summarize(schema: MeshSchema, file: string): MeshSchemaSummary {
  const tools = listMeshTools(schema);
  return {
    file,
    type: schema.type,
    tools: tools.map(({ name }) => name),
    properties: schema.properties.length,
    relationships: schema.properties.filter(({ relationship }) => relationship !== undefined).length,
    tokens: estimateTokens(tools),
  };
}

export function formatMeshSchema({
  file,
  tools,
  properties,
  relationships,
  tokens,
}: MeshSchemaSummary): string {
  return (
    `${file}: ${tools.join(', ')}\n  ${pluralize(properties, 'property', 'properties')}, ` +
    `${pluralize(relationships, 'relationship')}, about ${pluralize(tokens, 'token')}`
  );
}
