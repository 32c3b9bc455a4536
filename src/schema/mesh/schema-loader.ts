import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  decodeSchemaFile,
  type MeshSchemaFile,
  meshSchemaFileName,
  meshSchemaFileNames,
  schemaFolderUnavailable,
  unreadableFile,
  unreadableReason,
} from './folder/mesh-schema-file.js';
import { buildMeshCatalog } from './mesh-catalog.js';
import { meshSchemaError } from './mesh-schema-problem.js';
import { SchemaBuilder } from './schema-builder.js';

export class SchemaLoader {
  readonly #dir: string;

  constructor(schemasDir: string) {
    this.#dir = schemasDir;
  }

  /** Reads `<schemaName>.schema.json`. */
  loadSchema(schemaName: string): SchemaBuilder {
    const file = meshSchemaFileName(schemaName);
    const plain = /^[\w-]+$/.test(schemaName);
    const [builder] = this.#load([
      plain ? this.#read(file) : { file, unreadable: 'is not a valid schema file name' },
    ]).values();
    if (builder === undefined) throw meshSchemaError([{ file, path: '', reason: 'contains no schema' }]);
    return builder;
  }

  /** By node type. */
  loadAllSchemas(): Map<string, SchemaBuilder> {
    let names: readonly string[];
    try {
      names = meshSchemaFileNames(readdirSync(this.#dir));
    } catch (error) {
      throw schemaFolderUnavailable(this.#dir, error);
    }
    return this.#load(names.map((name) => this.#read(name)));
  }

  #load(files: readonly MeshSchemaFile[]): Map<string, SchemaBuilder> {
    const { schemas, problems } = buildMeshCatalog(files);
    if (problems.length > 0) throw meshSchemaError(problems);
    return new Map([...schemas].map(([type, schema]) => [type, SchemaBuilder.from(schema)]));
  }

  #read(file: string): MeshSchemaFile {
    const path = join(this.#dir, file);
    try {
      const problem = unreadableReason(statSync(path));
      return problem === undefined
        ? decodeSchemaFile(file, readFileSync(path))
        : { file, unreadable: problem };
    } catch (error) {
      return unreadableFile(file, error);
    }
  }
}
