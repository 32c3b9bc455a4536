import { stripColon } from '../gate-names.js';
import { type IssueLocator, parseRegistryDocument } from './parse-registry-document.js';
import type {
  RegistrySource,
  RelationEntry,
  SchemaDocument,
  SchemaEntry,
  SchemaRegistry,
  ValidatedDocument,
} from './schema-registry.js';

export class RegistrySnapshot implements SchemaRegistry {
  readonly #entries: ReadonlyMap<string, SchemaEntry>;
  readonly #relations: ReadonlyMap<string, RelationEntry>;
  readonly #remaps: ReadonlyMap<string, string>;
  readonly #fallback: string | undefined;

  constructor({ nodes, relationships, fallback_label }: ValidatedDocument) {
    this.#entries = new Map(nodes.map((entry) => [entry.label, entry]));
    this.#relations = new Map(relationships.map((entry) => [entry.type, entry]));
    this.#remaps = new Map(
      nodes.flatMap(({ label, remaps_from }) => remaps_from.map((other) => [other, label])),
    );
    this.#fallback = fallback_label;
  }

  getEntry(label: string): SchemaEntry | undefined {
    return this.#entries.get(stripColon(label));
  }

  allCanonicalLabels(): readonly string[] {
    return [...this.#entries.keys()];
  }

  remapTarget(label: string): string | undefined {
    return this.#remaps.get(stripColon(label));
  }

  fallbackLabel(): string | undefined {
    return this.#fallback;
  }

  getRelation(type: string): RelationEntry | undefined {
    return this.#relations.get(stripColon(type));
  }

  allRelationTypes(): readonly string[] {
    return [...this.#relations.keys()];
  }
}

/** Throws `SCHEMA_INVALID` with every problem of the document. */
export function parseRegistry(given: unknown, name: string, locate?: IssueLocator): SchemaRegistry {
  return new RegistrySnapshot(parseRegistryDocument(given, name, locate));
}

/** For tests, and for programs that build their own registry. */
export function inMemoryRegistry(document: SchemaDocument): SchemaRegistry {
  return parseRegistry(document, 'memory');
}

/** Replace `document`, then refresh the gate. */
export class InMemorySource implements RegistrySource {
  readonly name = 'memory';
  document: SchemaDocument;

  constructor(document: SchemaDocument) {
    this.document = document;
  }

  async load(): Promise<SchemaRegistry> {
    return inMemoryRegistry(this.document);
  }
}
