import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildCatalog, type SchemaFile } from './catalog.js';
import { folderUnavailable } from './folder/folder-unavailable.js';
import { decode, refusal, schemaFileName, schemaFileNames, unreadable } from './folder/schema-file.js';
import { SchemaBuilder } from './schema-builder.js';
import { schemaInvalid } from './schema-problem.js';

/** Loads schemas from a folder (seed 3.6). */
export class SchemaLoader {
  readonly #dir: string;

  constructor(schemasDir: string) {
    this.#dir = schemasDir;
  }

  /** The schema in `<postgresSchemaName>.schema.json`. */
  loadSchema(schemaName: string): SchemaBuilder {
    const file = schemaFileName(schemaName);
    const plain = /^[\w-]+$/.test(schemaName);
    const [builder] = this.#load([
      plain ? this.#read(file) : { file, unreadable: 'is no name of a schema file' },
    ]).values();
    if (builder === undefined) throw schemaInvalid([{ file, path: '', reason: 'holds no schema' }]);
    return builder;
  }

  /** Every schema of the folder, by type of node. */
  loadAllSchemas(): Map<string, SchemaBuilder> {
    let names: readonly string[];
    try {
      names = schemaFileNames(readdirSync(this.#dir));
    } catch (error) {
      throw folderUnavailable(this.#dir, error);
    }
    return this.#load(names.map((name) => this.#read(name)));
  }

  #load(files: readonly SchemaFile[]): Map<string, SchemaBuilder> {
    const { schemas, problems } = buildCatalog(files);
    if (problems.length > 0) throw schemaInvalid(problems);
    return new Map([...schemas].map(([type, schema]) => [type, SchemaBuilder.from(schema)]));
  }

  #read(file: string): SchemaFile {
    const path = join(this.#dir, file);
    try {
      const problem = refusal(statSync(path));
      return problem === undefined ? decode(file, readFileSync(path)) : { file, unreadable: problem };
    } catch (error) {
      return unreadable(file, error);
    }
  }
}
