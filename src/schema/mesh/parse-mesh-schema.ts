import { isRecord, ownValue } from '../../model/is-record.js';
import { meshSchemaLimits } from '../../model/limits.js';
import { childPath, MeshSchemaDiagnostics } from './file/mesh-schema-diagnostics.js';
import { parseJson } from './file/parse-json.js';
import { parseMeshProperty } from './file/parse-mesh-property.js';
import type { MeshProperty, MeshSchema } from './mesh-schema.js';
import { type MeshSchemaProblem, meshSchemaError } from './mesh-schema-problem.js';
import { titleCase } from './title-case.js';

export interface ParsedMeshSchema {
  readonly schema: MeshSchema;
  readonly warnings: readonly string[];
}

export const addToolPrefix = 'add_';

/** Their tools would have the names of built-in tools. */
const reservedTypes: readonly string[] = ['nodes', 'edges', 'metadata'];

const schemaKeys = ['$schema', 'name', 'description', 'properties', 'additionalProperties'] as const;

interface MeshSchemaParseResult {
  readonly parsed: ParsedMeshSchema | undefined;
  readonly problems: readonly MeshSchemaProblem[];
}

/** Throws `SCHEMA_INVALID` with all problems of a `.schema.json` file. */
export function parseMeshSchema(text: string, file: string): ParsedMeshSchema {
  const { parsed, problems } = tryParseMeshSchema(text, file);
  if (parsed === undefined) throw meshSchemaError(problems);
  return parsed;
}

export function tryParseMeshSchema(text: string, file: string): MeshSchemaParseResult {
  const diagnostics = new MeshSchemaDiagnostics(file);
  const schema = parseSchemaObject(diagnostics, text);
  const { problems, warnings } = diagnostics;
  const isValid = schema !== undefined && problems.length === 0;
  return { parsed: isValid ? { schema, warnings } : undefined, problems };
}

function parseSchemaObject(diagnostics: MeshSchemaDiagnostics, text: string): MeshSchema | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > meshSchemaLimits.fileBytes) {
    diagnostics.problem('', `has ${bytes} bytes; at most ${meshSchemaLimits.fileBytes} are allowed`);
    return undefined;
  }
  const json = parseJson(text);
  if ('problem' in json) {
    diagnostics.problem('', json.problem);
    return undefined;
  }
  if (!isRecord(json.value)) {
    diagnostics.invalid('', json.value, 'a JSON object with "name", "description" and "properties"');
    return undefined;
  }
  const given = json.value;
  diagnostics.warnUnknownKeys('', given, schemaKeys);
  const type = parseName(diagnostics, ownValue(given, 'name'));
  const description = diagnostics.text(
    'description',
    ownValue(given, 'description'),
    meshSchemaLimits.descriptionLength,
  );
  const properties = parseProperties(diagnostics, ownValue(given, 'properties'), type ?? 'node');
  const additionalProperties = diagnostics.flag(
    'additionalProperties',
    ownValue(given, 'additionalProperties'),
    true,
  );
  if (description?.trim() === '') diagnostics.warning('description', 'is blank; agents choose tools by it');
  if (type === undefined || description === undefined || properties === undefined) return undefined;
  return { type, description, properties, additionalProperties };
}

function parseName(diagnostics: MeshSchemaDiagnostics, given: unknown): string | undefined {
  const longest = addToolPrefix.length + meshSchemaLimits.typeLength;
  const name = diagnostics.text('name', given, longest);
  if (name === undefined) return undefined;
  const type = name.slice(addToolPrefix.length);
  if (!name.startsWith(addToolPrefix)) {
    diagnostics.invalid('name', name, `"${addToolPrefix}" followed by the node type, as in "add_npc"`);
  } else if (!/^[A-Za-z0-9_-]+$/.test(type)) {
    diagnostics.invalid(
      'name',
      name,
      `"${addToolPrefix}" followed by letters a-z, digits, "_" or "-", as in "add_npc"`,
    );
  } else if (reservedTypes.includes(type)) {
    const taken = reservedTypes.map((each) => addToolPrefix + each).join(', ');
    diagnostics.invalid('name', name, `another name: ${taken} are built-in tools`);
  } else if (type === '__proto__') {
    diagnostics.invalid('name', name, 'another name: this one is reserved');
  } else return type;
  return undefined;
}

function parseProperties(
  diagnostics: MeshSchemaDiagnostics,
  given: unknown,
  type: string,
): readonly MeshProperty[] | undefined {
  if (!isRecord(given)) {
    diagnostics.invalid('properties', given, 'an object with an entry for each property');
    return undefined;
  }
  const entries = Object.entries(given);
  if (entries.length > meshSchemaLimits.properties) {
    diagnostics.problem(
      'properties',
      `has ${entries.length} entries; at most ${meshSchemaLimits.properties} are allowed`,
    );
    return undefined;
  }
  const properties: MeshProperty[] = [];
  const keys = new Map(Object.hasOwn(given, 'name') ? [] : [[titleCase('name'), 'name']]);
  for (const [name, value] of entries) {
    const path = childPath('properties', name);
    const property = parseMeshProperty(diagnostics, path, name, value);
    if (property === undefined) continue;
    const key = titleCase(name);
    const other = keys.get(key);
    if (other !== undefined) {
      diagnostics.problem(
        path,
        `would be stored as "${key}", like the property ${other}; rename one of them`,
      );
    }
    keys.set(key, name);
    properties.push(name === 'name' ? nameProperty(diagnostics, path, property) : property);
  }
  return Object.hasOwn(given, 'name') ? properties : [defaultName(type), ...properties];
}

/** The name identifies the node, so it is a required string without a relationship. */
function nameProperty(
  diagnostics: MeshSchemaDiagnostics,
  path: string,
  property: MeshProperty,
): MeshProperty {
  if (property.type !== 'string') diagnostics.invalid(childPath(path, 'type'), property.type, 'string');
  if (property.relationship !== undefined) {
    diagnostics.problem(childPath(path, 'relationship'), 'is not allowed on the name');
  }
  return { ...property, required: true };
}

function defaultName(type: string): MeshProperty {
  return { name: 'name', type: 'string', description: `The name of the ${type}`, required: true };
}
