import { readMeshSchemaFolder } from '../../schema/mesh/folder/read-mesh-schema-folder.js';
import { buildMeshCatalog } from '../../schema/mesh/mesh-catalog.js';
import type { MeshPropertyType as FileType, MeshSchema } from '../../schema/mesh/mesh-schema.js';
import { meshSchemaError } from '../../schema/mesh/mesh-schema-problem.js';
import { isReserved, protectedFields } from '../gate-names.js';
import { parseRegistry } from './registry-snapshot.js';
import type { PropertyType, RegistrySource, SchemaDocument, SchemaRegistry } from './schema-registry.js';

/** Mesh schema files as a registry: one label per file, and the relationships they declare. */
export class FolderSource implements RegistrySource {
  readonly name: string;

  constructor(dir: string) {
    this.name = dir;
  }

  async load(): Promise<SchemaRegistry> {
    const { schemas, problems } = buildMeshCatalog((await readMeshSchemaFolder(this.name)).files);
    if (problems.length > 0) throw meshSchemaError(problems);
    return parseRegistry(meshSchemasToDocument([...schemas.values()]), this.name);
  }
}

const typeOf: Readonly<Record<FileType, PropertyType>> = {
  string: 'string',
  number: 'float',
  integer: 'integer',
  boolean: 'boolean',
  array: 'list',
};

function meshSchemasToDocument(schemas: readonly MeshSchema[]): SchemaDocument {
  return {
    nodes: schemas.map(({ type, properties }) => ({
      label: type,
      required_properties: properties.filter(({ required }) => required).map(({ name }) => name),
      property_types: Object.fromEntries(
        properties
          // Mesh schemas may declare such properties, but the gate accepts them from nobody.
          .filter(({ name, required }) => required || !(protectedFields.has(name) || isReserved(name)))
          .map(({ name, type }) => [name, typeOf[type]]),
      ),
    })),
    relationships: relationshipsOf(schemas),
  };
}

/** A type of edge declared by several properties connects whatever any of them connects. */
function relationshipsOf(schemas: readonly MeshSchema[]): NonNullable<SchemaDocument['relationships']> {
  const named = schemas.flatMap(({ type, properties }) =>
    properties.flatMap(({ relationship }) =>
      relationship === undefined
        ? []
        : [{ from: type, to: relationship.nodeType, type: relationship.edgeType }],
    ),
  );
  return [...new Set(named.map(({ type }) => type))].map((type) => {
    const uses = named.filter((use) => use.type === type);
    const ends = uses.map(({ to }) => to);
    return {
      type,
      from_labels: [...new Set(uses.map(({ from }) => from))],
      // If one of them leads to any label, the type does.
      to_labels: ends.includes(undefined) ? [] : [...new Set(ends.filter((end) => end !== undefined))],
    };
  });
}
