import type { ObjectJsonSchema } from '../../model/json.js';
import type { MeshProperty, MeshRelationship, MeshSchema } from './mesh-schema.js';

/** Each tool takes one object keyed by the type: `{npc: {…}}`. */
export function addInputSchema(schema: MeshSchema): ObjectJsonSchema {
  const required = schema.properties.filter((property) => property.required);
  return wrapInType(schema, fieldsSchema(schema, required, propertySchema));
}

export function updateInputSchema(schema: MeshSchema): ObjectJsonSchema {
  const fields = fieldsSchema(
    schema,
    schema.properties.filter(({ name }) => name === 'name'),
    (property) =>
      isRemovable(property) ? nullableField(propertySchema(property)) : propertySchema(property),
  );
  const description = 'The name and the properties to change; null or an empty list removes a property.';
  return wrapInType(schema, { ...fields, description });
}

export function deleteInputSchema(schema: MeshSchema): ObjectJsonSchema {
  return wrapInType(schema, {
    type: 'object',
    properties: { name: { type: 'string', description: `The name of the ${schema.type} to delete` } },
    required: ['name'],
    additionalProperties: false,
  });
}

function wrapInType({ type }: MeshSchema, fields: ObjectJsonSchema): ObjectJsonSchema {
  return {
    type: 'object',
    properties: { [type]: fields },
    required: [type],
    additionalProperties: false,
  };
}

function fieldsSchema(
  schema: MeshSchema,
  required: readonly MeshProperty[],
  describeProperty: (property: MeshProperty) => object,
): ObjectJsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      schema.properties.map((property) => [property.name, describeProperty(property)]),
    ),
    required: required.map(({ name }) => name),
    ...(!schema.additionalProperties && { additionalProperties: false }),
  };
}

function isRemovable({ name, required }: MeshProperty): boolean {
  return name !== 'name' && !required;
}

interface FieldSchema {
  readonly type: string;
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: object;
}

function propertySchema(property: MeshProperty): FieldSchema {
  const description = propertyDescription(property);
  const choices = property.enum === undefined ? {} : { enum: property.enum };
  return property.type === 'array'
    ? { type: 'array', items: { type: 'string', ...choices }, description }
    : { type: property.type, description, ...choices };
}

/** Adds null; choices stay a list of strings, because Gemini takes nothing else. */
function nullableField({ type, description, ...rest }: FieldSchema): object {
  return rest.enum === undefined
    ? { type: [type, 'null'], description, ...rest }
    : { anyOf: [{ type, ...rest }, { type: 'null' }], description };
}

/** Agents must know that the target of a relationship has to exist. */
function propertyDescription({ description, relationship, type }: MeshProperty): string {
  if (relationship === undefined) return description;
  return [description, relationship.description ?? '', edgeSentence(relationship, type === 'array')]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(endWithPeriod)
    .join(' ');
}

function edgeSentence({ edgeType, nodeType }: MeshRelationship, several: boolean): string {
  const target = `an existing ${nodeType ?? 'node'}`;
  return several
    ? `Each item names ${target} and creates an edge ${edgeType}.`
    : `Names ${target}; creates the edge ${edgeType}.`;
}

function endWithPeriod(text: string): string {
  return /[.!?…:;]$/u.test(text) ? text : `${text}.`;
}
