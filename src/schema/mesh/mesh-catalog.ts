import type { MeshSchemaFile } from './folder/mesh-schema-file.js';
import type { MeshSchema } from './mesh-schema.js';
import { formatMeshSchemaProblem, type MeshSchemaProblem } from './mesh-schema-problem.js';
import { addToolPrefix, type ParsedMeshSchema, tryParseMeshSchema } from './parse-mesh-schema.js';
import { escapeInvisible } from './text/invisible-characters.js';
import { quoteValue } from './text/quote-value.js';

export type { MeshSchemaProblem };

/** The schemas of a folder that are in force. */
export interface MeshCatalog {
  /** By node type, in the order of file names. */
  readonly schemas: ReadonlyMap<string, MeshSchema>;
  readonly files: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
  /** Problems of files whose last valid version, if any, is in force. */
  readonly problems: readonly MeshSchemaProblem[];
}

export type MeshSchemaVersions = ReadonlyMap<string, ParsedMeshSchema>;

export interface ResolvedCatalog {
  readonly catalog: MeshCatalog;
  readonly versions: MeshSchemaVersions;
}

interface Candidate {
  readonly file: string;
  readonly parsed: ParsedMeshSchema | undefined;
  readonly problems: readonly MeshSchemaProblem[];
  readonly before: ParsedMeshSchema | undefined;
}

export function buildMeshCatalog(files: readonly MeshSchemaFile[]): MeshCatalog {
  return resolveCatalog(files, new Map()).catalog;
}

/**
 * Decides which version of each file is in force. A file that is invalid, or claims the type of another file, keeps its
 * previous version; among new files the first by name gets a type.
 */
export function resolveCatalog(
  files: readonly MeshSchemaFile[],
  before: MeshSchemaVersions,
): ResolvedCatalog {
  const candidates = [...files]
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
    .map((file) => parseCandidate(file, before.get(file.file)));
  const chosen = new Map<string, ParsedMeshSchema>();
  const owners = new Map<string, string>();
  const problems = new Map(candidates.map(({ file, problems }) => [file, problems]));
  const choose = (file: string, version: ParsedMeshSchema) => {
    chosen.set(file, version);
    owners.set(version.schema.type, file);
  };
  for (const { file, parsed, before } of candidates) {
    if (before !== undefined && typeOf(parsed ?? before) === typeOf(before)) choose(file, parsed ?? before);
  }
  for (const { file, parsed, before } of candidates) {
    if (parsed === undefined || chosen.has(file)) continue;
    const owner = owners.get(typeOf(parsed));
    if (owner === undefined) choose(file, parsed);
    else {
      problems.set(file, [duplicateTypeProblem(file, owner, typeOf(parsed))]);
      if (before !== undefined && !owners.has(typeOf(before))) choose(file, before);
    }
  }
  const versions = new Map(
    candidates.flatMap(({ file }) => {
      const version = chosen.get(file);
      return version === undefined ? [] : [[file, version] as const];
    }),
  );
  return { catalog: catalogOf(versions, [...problems.values()].flat()), versions };
}

function parseCandidate(given: MeshSchemaFile, before: ParsedMeshSchema | undefined): Candidate {
  const { file } = given;
  if ('unreadable' in given) {
    return { file, before, parsed: undefined, problems: [{ file, path: '', reason: given.unreadable }] };
  }
  return { file, before, ...tryParseMeshSchema(given.text, file) };
}

function duplicateTypeProblem(file: string, owner: string, type: string): MeshSchemaProblem {
  const reason = `is "${addToolPrefix}${type}", which ${escapeInvisible(owner)} has too; rename one of them, because tool names must be unique`;
  return { file, path: 'name', reason };
}

function catalogOf(versions: MeshSchemaVersions, problems: readonly MeshSchemaProblem[]): MeshCatalog {
  const entries = [...versions].map(([file, { schema }]) => ({ file, schema }));
  const schemas = new Map(entries.map(({ schema }) => [schema.type, schema]));
  const warnings = [...versions].flatMap(([file, version]) => [
    ...version.warnings,
    ...targetWarnings(file, version.schema, schemas),
  ]);
  return {
    schemas,
    files: new Map(entries.map(({ file, schema }) => [schema.type, file])),
    warnings,
    problems,
  };
}

/** A relationship to a node type without a schema is allowed, but often misspelt. */
function targetWarnings(
  file: string,
  { properties }: MeshSchema,
  schemas: ReadonlyMap<string, MeshSchema>,
): readonly string[] {
  return properties.flatMap(({ name, relationship }) => {
    if (relationship?.nodeType === undefined || schemas.has(relationship.nodeType)) return [];
    const path = `properties.${name}.relationship.nodeType`;
    const reason = `is ${quoteValue(relationship.nodeType)}, for which no schema is loaded`;
    return [formatMeshSchemaProblem({ file, path, reason })];
  });
}

function typeOf({ schema }: ParsedMeshSchema): string {
  return schema.type;
}
