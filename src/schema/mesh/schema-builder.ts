import type { MeshProperty, MeshPropertyType, MeshRelationship, MeshSchema } from './mesh-schema.js';
import { addToolPrefix, parseMeshSchema } from './parse-mesh-schema.js';

/** A property as a schema file writes it. */
export interface PropertyConfig {
  readonly type: MeshPropertyType;
  readonly description: string;
  readonly required: boolean;
  readonly enum?: readonly string[];
  readonly relationship?: RelationshipConfig;
}

export type RelationshipConfig = MeshRelationship;

/** A schema as its file writes it. */
export interface SchemaConfig {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, PropertyConfig>>;
  readonly additionalProperties: boolean;
}

const updatePrefix = 'update_';

/** Puts a schema together in code (seed 3.5). `build` checks it by the rules that hold for files. */
export class SchemaBuilder {
  readonly #name: string;
  readonly #description: string;
  readonly #properties = new Map<string, Omit<PropertyConfig, 'relationship'>>();
  readonly #relationships = new Map<string, RelationshipConfig>();
  #allowAdditional = true;

  constructor(name: string, description: string) {
    this.#name = name;
    this.#description = description;
  }

  /** A builder that holds what a schema says. */
  static from(schema: MeshSchema): SchemaBuilder {
    const builder = new SchemaBuilder(`${addToolPrefix}${schema.type}`, schema.description);
    for (const property of schema.properties) builder.#set(property);
    return builder.allowAdditionalProperties(schema.additionalProperties);
  }

  addStringProperty(
    name: string,
    description: string,
    required = false,
    enumValues: readonly string[] | null = null,
  ): this {
    return this.#add(name, 'string', description, required, enumValues);
  }

  addArrayProperty(
    name: string,
    description: string,
    required = false,
    enumValues: readonly string[] | null = null,
  ): this {
    return this.#add(name, 'array', description, required, enumValues);
  }

  /** Has a property make edges; one that is not there yet is added, optional and of type string. */
  addRelationship(
    propertyName: string,
    edgeType: string,
    description: string,
    nodeType: string | null = null,
  ): this {
    const target = nodeType === null ? {} : { nodeType };
    if (this.#properties.has(propertyName)) {
      this.#relationships.set(propertyName, { edgeType, ...target, description });
      return this;
    }
    this.#relationships.set(propertyName, { edgeType, ...target });
    return this.addStringProperty(propertyName, description, false);
  }

  allowAdditionalProperties(allowed: boolean): this {
    this.#allowAdditional = allowed;
    return this;
  }

  /** The variant for `update_*`, in which only the name is required. */
  createUpdateSchema(): SchemaBuilder {
    const { type } = this.schema();
    const update = new SchemaBuilder(`${updatePrefix}${type}`, this.#description);
    for (const [name, property] of this.#properties) {
      update.#properties.set(name, { ...property, required: name === 'name' });
    }
    for (const [name, relationship] of this.#relationships) update.#relationships.set(name, relationship);
    return update.allowAdditionalProperties(this.#allowAdditional);
  }

  /** The schema in the shape of a file; throws `SCHEMA_INVALID` if a file like this would be refused. */
  build(): SchemaConfig {
    const schema = this.schema();
    return {
      name: this.#name,
      description: schema.description,
      properties: Object.fromEntries(
        schema.properties.map(({ name, ...property }): [string, PropertyConfig] => [name, property]),
      ),
      additionalProperties: schema.additionalProperties,
    };
  }

  /** The schema, checked. */
  schema(): MeshSchema {
    const properties = [...this.#properties].map(([name, property]) => {
      const relationship = this.#relationships.get(name);
      return [name, { ...property, ...(relationship !== undefined && { relationship }) }];
    });
    const content = {
      name: this.#name.startsWith(updatePrefix)
        ? addToolPrefix + this.#name.slice(updatePrefix.length)
        : this.#name,
      description: this.#description,
      properties: Object.fromEntries(properties),
      additionalProperties: this.#allowAdditional,
    };
    return parseMeshSchema(JSON.stringify(content), this.#name).schema;
  }

  #add(
    name: string,
    type: MeshPropertyType,
    description: string,
    required: boolean,
    values: readonly string[] | null,
  ): this {
    this.#properties.set(name, {
      type,
      description,
      required,
      ...(values !== null && { enum: [...values] }),
    });
    return this;
  }

  #set({ name, relationship, ...property }: MeshProperty): void {
    this.#properties.set(name, property);
    if (relationship !== undefined) this.#relationships.set(name, relationship);
  }
}
