import { isRecord, ownValue } from '../../model/is-record.js';
import { meshSchemaLimits } from '../../model/limits.js';
import { childPath, MeshSchemaDiagnostics } from './file/mesh-schema-diagnostics.js';
import { parseJson } from './file/parse-json.js';
import { parseMeshProperty } from './file/parse-mesh-property.js';
import type { MeshProperty, MeshSchema } from './mesh-schema.js';
import { type MeshSchemaProblem, meshSchemaError } from './mesh-schema-problem.js';
import { titleCase } from './title-case.js';

/** What a sound schema file says. */
export interface ParsedMeshSchema {
  readonly schema: MeshSchema;
  readonly warnings: readonly string[];
}

/** What the name of a schema begins with (seed 3.3). */
export const addToolPrefix = 'add_';

/** Types whose tools would have the names of tools that are always there. */
const reservedTypes: readonly string[] = ['nodes', 'edges', 'metadata'];

const schemaKeys = ['$schema', 'name', 'description', 'properties', 'additionalProperties'] as const;

/** What could be made of a file: a schema, or what is wrong with it. */
interface MeshSchemaParseResult {
  readonly parsed: ParsedMeshSchema | undefined;
  readonly problems: readonly MeshSchemaProblem[];
}

/** Checks the text of one `.schema.json` file; throws one `SCHEMA_INVALID` that lists all that is wrong with it. */
export function parseMeshSchema(text: string, file: string): ParsedMeshSchema {
  const { parsed, problems } = tryParseMeshSchema(text, file);
  if (parsed === undefined) throw meshSchemaError(problems);
  return parsed;
}

/** Likewise, for those who go on with other files. */
export function tryParseMeshSchema(text: string, file: string): MeshSchemaParseResult {
  const diagnostics = new MeshSchemaDiagnostics(file);
  const schema = parseSchemaObject(diagnostics, text);
  const { problems, warnings } = diagnostics;
  const isSound = schema !== undefined && problems.length === 0;
  return { parsed: isSound ? { schema, warnings } : undefined, problems };
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

/** The type of node that a schema's name stands for. */
function parseName(diagnostics: MeshSchemaDiagnostics, given: unknown): string | undefined {
  const longest = addToolPrefix.length + meshSchemaLimits.typeLength;
  const name = diagnostics.text('name', given, longest);
  if (name === undefined) return undefined;
  const type = name.slice(addToolPrefix.length);
  if (!name.startsWith(addToolPrefix)) {
    diagnostics.invalid('name', name, `"${addToolPrefix}" and the type of node, as in "add_npc"`);
  } else if (!/^[A-Za-z0-9_-]+$/.test(type)) {
    diagnostics.invalid(
      'name',
      name,
      `"${addToolPrefix}" and letters a-z, digits, "_" or "-", as in "add_npc"`,
    );
  } else if (reservedTypes.includes(type)) {
    const taken = reservedTypes.map((each) => addToolPrefix + each).join(', ');
    diagnostics.invalid('name', name, `another name: ${taken} are tools that are always there`);
  } else if (type === '__proto__') {
    diagnostics.invalid('name', name, 'another name: JavaScript keeps this one for itself');
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

/** The name says which node is meant, so it is always a text, always required, and never an edge. */
function nameProperty(
  diagnostics: MeshSchemaDiagnostics,
  path: string,
  property: MeshProperty,
): MeshProperty {
  if (property.type !== 'string') diagnostics.invalid(childPath(path, 'type'), property.type, 'string');
  if (property.relationship !== undefined) {
    diagnostics.problem(
      childPath(path, 'relationship'),
      'is given for the name, which cannot lead to another node',
    );
  }
  return { ...property, required: true };
}

function defaultName(type: string): MeshProperty {
  return { name: 'name', type: 'string', description: `The name of the ${type}`, required: true };
}
