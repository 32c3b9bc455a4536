import { reasonOf, TrellisError } from '../../model/error.js';
import { withoutColon } from '../names.js';
import { importExport, memberOf } from '../operator-module.js';
import { parseDocument } from './parse-document.js';
import type { RegistrySource, RelationEntry, SchemaEntry, SchemaRegistry } from './schema-registry.js';
import { Snapshot } from './snapshot.js';

/**
 * A schema that a module of the operator's makes: its export `registry` is a document, an object with the methods of
 * `SchemaRegistry`, or a function that answers one of these and is called at every refresh.
 */
export class ModuleSource implements RegistrySource {
  readonly name: string;

  constructor(path: string) {
    this.name = path;
  }

  async load(): Promise<SchemaRegistry> {
    const exported = await importExport(this.name, 'registry');
    const given: unknown = typeof exported === 'function' ? await exported() : exported;
    if (!isRegistry(given)) return new Snapshot(parseDocument(given, this.name));
    return new CheckedRegistry(given, this.name);
  }
}

/** What a registry of the operator's says, copied and checked; only its remapping is asked again each time. */
class CheckedRegistry extends Snapshot {
  readonly #given: SchemaRegistry;
  readonly #name: string;

  constructor(given: SchemaRegistry, name: string) {
    super(
      parseDocument(
        {
          fallback_label: given.fallbackLabel() ?? undefined,
          nodes: given.allCanonicalLabels().map((label) => found(given.getEntry(label), label, name)),
          relationships: given.allRelationTypes?.().map((type) => found(given.getRelation(type), type, name)),
        },
        name,
      ),
    );
    this.#given = given;
    this.#name = name;
  }

  override remapTarget(label: string): string | undefined {
    let target: unknown;
    try {
      target = this.#given.remapTarget(withoutColon(label)) ?? undefined;
    } catch (error) {
      throw broken(`remapTarget of ${this.#name} failed: ${reasonOf(error)}`);
    }
    if (target === undefined) return undefined;
    if (typeof target !== 'string' || this.getEntry(target) === undefined)
      throw broken(`remapTarget of ${this.#name} answered a label that is not registered`);
    return this.getEntry(target)?.label;
  }
}

function found<T extends SchemaEntry | RelationEntry>(entry: T | undefined, key: string, name: string): T {
  if (entry !== undefined && entry !== null) return entry;
  throw broken(`${name} lists ${JSON.stringify(key)} but has no entry for it`);
}

function broken(message: string): TrellisError {
  return new TrellisError('SCHEMA_SOURCE_UNAVAILABLE', `${message}.`, {
    hint: 'This is for whoever runs the server: mend the module and refresh the schema.',
  });
}

function isRegistry(value: unknown): value is SchemaRegistry {
  return (
    typeof memberOf(value, 'getEntry') === 'function' &&
    typeof memberOf(value, 'allCanonicalLabels') === 'function'
  );
}
