import { reasonOf, TrellisError } from '../../model/error.js';
import { stripColon } from '../gate-names.js';
import { importNamedExport, memberOf } from '../operator-module.js';
import { parseRegistryDocument } from './parse-registry-document.js';
import { parseRegistry, RegistrySnapshot } from './registry-snapshot.js';
import type { RegistrySource, RelationEntry, SchemaEntry, SchemaRegistry } from './schema-registry.js';

/**
 * A registry from a module of the operator: its export `registry` is a document, an object with the methods of
 * `SchemaRegistry`, or a function that returns one of these and is called at every refresh.
 */
export class ModuleSource implements RegistrySource {
  readonly name: string;

  constructor(path: string) {
    this.name = path;
  }

  async load(): Promise<SchemaRegistry> {
    const exported = await importNamedExport(this.name, 'registry');
    const given: unknown = typeof exported === 'function' ? await exported() : exported;
    return isRegistry(given) ? new CheckedRegistry(given, this.name) : parseRegistry(given, this.name);
  }
}

/** A validated copy of the operator's registry; only `remapTarget` is called each time. */
class CheckedRegistry extends RegistrySnapshot {
  readonly #given: SchemaRegistry;
  readonly #name: string;

  constructor(given: SchemaRegistry, name: string) {
    const labels = given.allCanonicalLabels();
    const types = given.allRelationTypes?.();
    const document = {
      fallback_label: given.fallbackLabel() ?? undefined,
      nodes: labels.map((label) => requireEntry(given.getEntry(label), label, name)),
      relationships: types?.map((type) => requireEntry(given.getRelation(type), type, name)),
    };
    super(parseRegistryDocument(document, name));
    this.#given = given;
    this.#name = name;
  }

  override remapTarget(label: string): string | undefined {
    let target: unknown;
    try {
      target = this.#given.remapTarget(stripColon(label)) ?? undefined;
    } catch (error) {
      throw moduleBroken(`remapTarget of ${this.#name} failed: ${reasonOf(error)}`);
    }
    if (target === undefined) return undefined;
    if (typeof target !== 'string' || this.getEntry(target) === undefined)
      throw moduleBroken(`remapTarget of ${this.#name} returned a label that is not registered`);
    return this.getEntry(target)?.label;
  }
}

function requireEntry<T extends SchemaEntry | RelationEntry>(
  entry: T | undefined,
  key: string,
  name: string,
): T {
  if (entry !== undefined && entry !== null) return entry;
  throw moduleBroken(`${name} lists ${JSON.stringify(key)} but has no entry for it`);
}

function moduleBroken(message: string): TrellisError {
  return new TrellisError('SCHEMA_SOURCE_UNAVAILABLE', `${message}.`, {
    hint: 'The operator of the server must fix the module, then refresh the registry.',
  });
}

function isRegistry(value: unknown): value is SchemaRegistry {
  return (
    typeof memberOf(value, 'getEntry') === 'function' &&
    typeof memberOf(value, 'allCanonicalLabels') === 'function'
  );
}
