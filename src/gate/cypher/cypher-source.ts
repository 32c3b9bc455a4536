import { databaseUnavailable } from '../../cypher/cypher-access.js';
import type { CypherAccess } from '../../cypher/cypher-connection.js';
import { isRecord } from '../../model/is-record.js';
import { type Json, parseJsonOrUndefined } from '../../model/json.js';
import { registryMark, registryType } from '../../model/registry-node.js';
import { parseRegistry } from '../registry/registry-snapshot.js';
import type { RegistrySource, SchemaRegistry } from '../registry/schema-registry.js';

/** As the seed of the gate has it, with the columns for types of properties and relationships. */
const registryQuery = `MATCH (s:${registryType} {${registryMark}: true})
RETURN s.name AS label, s.required_properties AS required_properties, s.absorbs AS remaps_from,
  s.property_types AS property_types, s.kind AS kind, s.from AS from_labels, s.to AS to_labels`;

/** The registry in a graph database: nodes with label `Schema` and `allowed: true`. */
export class CypherSource implements RegistrySource {
  readonly name: string;
  readonly #access: CypherAccess;

  constructor(access: CypherAccess) {
    this.name = access.name;
    this.#access = access;
  }

  async load(): Promise<SchemaRegistry> {
    try {
      const rows = await this.#access.use((connection) =>
        connection.transact((run) => run({ text: registryQuery })),
      );
      return parseRegistry(toDocument(rows), this.name);
    } catch (error) {
      throw databaseUnavailable(this.name, error);
    }
  }
}

/** Not validated: anybody may have written these nodes. */
function toDocument(rows: readonly Readonly<Record<string, Json>>[]): object {
  const fields = rows.map((row) => {
    const given = Object.entries({ ...row, property_types: parseTypes(row['property_types'] ?? null) });
    return Object.fromEntries(given.filter(([, value]) => value !== null));
  });
  return {
    nodes: fields
      .filter(({ kind }) => kind !== 'relationship')
      .map(({ kind: _, from_labels: __, to_labels: ___, ...entry }) => entry),
    relationships: fields
      .filter(({ kind }) => kind === 'relationship')
      .map(({ kind: _, label, remaps_from: __, ...entry }) => ({ type: label, ...entry })),
  };
}

/** A map, the JSON of one, or a list of `property:type`: most graph databases keep no maps. */
function parseTypes(given: Json): Json {
  if (typeof given === 'string') {
    const parsed = parseJsonOrUndefined(given);
    return isRecord(parsed)
      ? Object.fromEntries(Object.entries(parsed).map(([k, v]) => [k, String(v)]))
      : given;
  }
  if (!Array.isArray(given)) return given;
  return Object.fromEntries(
    given.map(String).map((text) => {
      const colon = text.lastIndexOf(':');
      return [text.slice(0, Math.max(colon, 0)).trim(), text.slice(colon + 1).trim()];
    }),
  );
}
