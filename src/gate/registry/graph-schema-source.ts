import { TrellisError } from '../../model/error.js';
import { parseGraphSchema } from '../../schema/pg/parse-graph-schema.js';
import { documentOfGraphSchema } from './graph-schema-document.js';
import { parseDocument } from './parse-document.js';
import type { RegistrySource, SchemaRegistry } from './schema-registry.js';
import { Snapshot } from './snapshot.js';

/** The `.pg` schema of a graph as a schema of the gate. */
export class GraphSchemaSource implements RegistrySource {
  readonly name: string;
  readonly #graph: string;
  readonly #readSource: () => Promise<string | null>;

  /** `readSource` answers the source of the schema in force, or null if the graph has none. */
  constructor(graph: string, readSource: () => Promise<string | null>) {
    this.name = `the schema of the graph ${graph}`;
    this.#graph = graph;
    this.#readSource = readSource;
  }

  async load(): Promise<SchemaRegistry> {
    const source = await this.#readSource();
    if (source === null) {
      throw new TrellisError('SCHEMA_SOURCE_UNAVAILABLE', `The graph ${this.#graph} has no schema.`, {
        hint: 'Give it one with schema_apply, or name another registry for the gate.',
      });
    }
    return new Snapshot(parseDocument(documentOfGraphSchema(parseGraphSchema(source)), this.name));
  }
}
