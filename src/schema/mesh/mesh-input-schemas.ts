import type { ObjectJsonSchema } from '../../model/json.js';
import type { MeshProperty, MeshRelationship, MeshSchema } from './mesh-schema.js';

/** What `add_<type>` takes (seed 5.2): the properties, in an object keyed by the type. */
export function addInputSchema(schema: MeshSchema): ObjectJsonSchema {
  const required = schema.properties.filter((property) => property.required);
  return wrapInType(schema, fieldsSchema(schema, required, propertySchema));
}

/** What `update_<type>` takes: the same, with all but the name optional. */
export function updateInputSchema(schema: MeshSchema): ObjectJsonSchema {
  const fields = fieldsSchema(
    schema,
    schema.properties.filter(({ name }) => name === 'name'),
    (property) =>
      isRemovable(property) ? nullableField(propertySchema(property)) : propertySchema(property),
  );
  const description = 'What to change, and the name; null or an empty list removes what is there.';
  return wrapInType(schema, { ...fields, description });
}

/** What `delete_<type>` takes: the name. */
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

/** What an update may take away. */
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

/** The same or null; choices stay a list of texts, since that is all that Gemini takes. */
function nullableField({ type, description, ...rest }: FieldSchema): object {
  return rest.enum === undefined
    ? { type: [type, 'null'], description, ...rest }
    : { anyOf: [{ type, ...rest }, { type: 'null' }], description };
}

/** The description, and what a relationship makes of the value: agents must know that the target has to exist. */
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
    ? `Each names ${target} and makes an edge ${edgeType}.`
    : `Names ${target}; makes the edge ${edgeType}.`;
}

function endWithPeriod(text: string): string {
  return /[.!?…:;]$/u.test(text) ? text : `${text}.`;
}
