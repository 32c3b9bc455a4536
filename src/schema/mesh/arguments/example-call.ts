import type { MeshProperty, MeshSchema } from '../mesh-schema.js';

export type MeshToolVerb = 'add' | 'update' | 'delete';

/** Example arguments, to show an agent how to call a tool. */
export function exampleCall(schema: MeshSchema, verb: MeshToolVerb): string {
  const fields = exampleProperties(schema, verb).map(
    (property) => `${JSON.stringify(property.name)}: ${JSON.stringify(exampleValue(property))}`,
  );
  return `{${JSON.stringify(schema.type)}: {${fields.join(', ')}}}`;
}

function exampleProperties({ properties }: MeshSchema, verb: MeshToolVerb): readonly MeshProperty[] {
  if (verb === 'add') return properties.filter(({ required }) => required);
  const name = properties.filter((property) => property.name === 'name');
  if (verb === 'delete') return name;
  return [...name, ...properties.filter((property) => property.name !== 'name').slice(0, 1)];
}

function exampleValue(property: MeshProperty): unknown {
  const text = property.enum?.[0] ?? exampleText(property);
  switch (property.type) {
    case 'string':
      return text;
    case 'array':
      return [text];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
  }
}

function exampleText({ name, relationship }: MeshProperty): string {
  if (relationship !== undefined) return `an existing ${relationship.nodeType ?? 'node'}`;
  return name === 'name' ? 'a name' : 'a text';
}
