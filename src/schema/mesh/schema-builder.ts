import type { MeshProperty, MeshPropertyType, MeshRelationship, MeshSchema } from './mesh-schema.js';
import { addToolPrefix, parseMeshSchema } from './parse-mesh-schema.js';

export interface PropertyConfig {
  readonly type: MeshPropertyType;
  readonly description: string;
  readonly required: boolean;
  readonly enum?: readonly string[];
  readonly relationship?: RelationshipConfig;
}

export type RelationshipConfig = MeshRelationship;

export interface SchemaConfig {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, PropertyConfig>>;
  readonly additionalProperties: boolean;
}

const updatePrefix = 'update_';

/** Builds a schema in code. `build` applies the rules for files. */
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

  /** Lets a property create edges; a missing property is added as an optional string. */
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

  /** For `update_*`: only the name is required. */
  createUpdateSchema(): SchemaBuilder {
    const { type } = this.schema();
    const update = new SchemaBuilder(`${updatePrefix}${type}`, this.#description);
    for (const [name, property] of this.#properties) {
      update.#properties.set(name, { ...property, required: name === 'name' });
    }
    for (const [name, relationship] of this.#relationships) update.#relationships.set(name, relationship);
    return update.allowAdditionalProperties(this.#allowAdditional);
  }

  /** The content of a schema file; throws `SCHEMA_INVALID` if it is invalid. */
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
