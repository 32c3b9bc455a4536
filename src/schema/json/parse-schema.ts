import { isRecord, ownValue } from '../../model/is-record.js';
import { schemaLimits } from '../../model/limits.js';
import { Findings, step } from './file/findings.js';
import { parseJson } from './file/parse-json.js';
import { parseProperty } from './file/parse-property.js';
import type { NodeSchema, PropertySchema } from './node-schema.js';
import { type SchemaProblem, schemaInvalid } from './schema-problem.js';
import { titleCase } from './title-case.js';

/** What a sound schema file says. */
export interface ParsedSchema {
  readonly schema: NodeSchema;
  readonly warnings: readonly string[];
}

/** What the name of a schema begins with (seed 3.3). */
export const schemaPrefix = 'add_';

/** Types whose tools would have the names of tools that are always there. */
const takenTypes: readonly string[] = ['nodes', 'edges', 'metadata'];

const schemaKeys = ['$schema', 'name', 'description', 'properties', 'additionalProperties'] as const;

/** What could be made of a file: a schema, or what is wrong with it. */
export interface SchemaReading {
  readonly parsed: ParsedSchema | undefined;
  readonly problems: readonly SchemaProblem[];
}

/** Checks the text of one `.schema.json` file; throws one `SCHEMA_INVALID` that lists all that is wrong with it. */
export function parseSchema(text: string, file: string): ParsedSchema {
  const { parsed, problems } = readSchema(text, file);
  if (parsed === undefined) throw schemaInvalid(problems);
  return parsed;
}

/** Likewise, for those who go on with other files. */
export function readSchema(text: string, file: string): SchemaReading {
  const findings = new Findings(file);
  const schema = schemaIn(findings, text);
  const { problems, warnings } = findings;
  const isSound = schema !== undefined && problems.length === 0;
  return { parsed: isSound ? { schema, warnings } : undefined, problems };
}

function schemaIn(findings: Findings, text: string): NodeSchema | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > schemaLimits.fileBytes) {
    findings.problem('', `has ${bytes} bytes; at most ${schemaLimits.fileBytes} are allowed`);
    return undefined;
  }
  const json = parseJson(text);
  if ('problem' in json) {
    findings.problem('', json.problem);
    return undefined;
  }
  if (!isRecord(json.value)) {
    findings.wrong('', json.value, 'a JSON object with "name", "description" and "properties"');
    return undefined;
  }
  const given = json.value;
  findings.knownKeys('', given, schemaKeys);
  const type = parseName(findings, ownValue(given, 'name'));
  const description = findings.text(
    'description',
    ownValue(given, 'description'),
    schemaLimits.descriptionLength,
  );
  const properties = parseProperties(findings, ownValue(given, 'properties'), type ?? 'node');
  const additionalProperties = findings.flag(
    'additionalProperties',
    ownValue(given, 'additionalProperties'),
    true,
  );
  if (description?.trim() === '') findings.warning('description', 'is blank; agents choose tools by it');
  if (type === undefined || description === undefined || properties === undefined) return undefined;
  return { type, description, properties, additionalProperties };
}

/** The type of node that a schema's name stands for. */
function parseName(findings: Findings, given: unknown): string | undefined {
  const longest = schemaPrefix.length + schemaLimits.typeLength;
  const name = findings.text('name', given, longest);
  if (name === undefined) return undefined;
  const type = name.slice(schemaPrefix.length);
  if (!name.startsWith(schemaPrefix)) {
    findings.wrong('name', name, `"${schemaPrefix}" and the type of node, as in "add_npc"`);
  } else if (!/^[A-Za-z0-9_-]+$/.test(type)) {
    findings.wrong('name', name, `"${schemaPrefix}" and letters a-z, digits, "_" or "-", as in "add_npc"`);
  } else if (takenTypes.includes(type)) {
    const taken = takenTypes.map((each) => schemaPrefix + each).join(', ');
    findings.wrong('name', name, `another name: ${taken} are tools that are always there`);
  } else if (type === '__proto__') {
    findings.wrong('name', name, 'another name: JavaScript keeps this one for itself');
  } else return type;
  return undefined;
}

function parseProperties(
  findings: Findings,
  given: unknown,
  type: string,
): readonly PropertySchema[] | undefined {
  if (!isRecord(given)) {
    findings.wrong('properties', given, 'an object with an entry for each property');
    return undefined;
  }
  const entries = Object.entries(given);
  if (entries.length > schemaLimits.properties) {
    findings.problem(
      'properties',
      `has ${entries.length} entries; at most ${schemaLimits.properties} are allowed`,
    );
    return undefined;
  }
  const properties: PropertySchema[] = [];
  const keys = new Map(Object.hasOwn(given, 'name') ? [] : [[titleCase('name'), 'name']]);
  for (const [name, value] of entries) {
    const path = step('properties', name);
    const property = parseProperty(findings, path, name, value);
    if (property === undefined) continue;
    const key = titleCase(name);
    const other = keys.get(key);
    if (other !== undefined) {
      findings.problem(path, `would be stored as "${key}", like the property ${other}; rename one of them`);
    }
    keys.set(key, name);
    properties.push(name === 'name' ? nameProperty(findings, path, property) : property);
  }
  return Object.hasOwn(given, 'name') ? properties : [defaultName(type), ...properties];
}

/** The name says which node is meant, so it is always a text, always required, and never an edge. */
function nameProperty(findings: Findings, path: string, property: PropertySchema): PropertySchema {
  if (property.type !== 'string') findings.wrong(step(path, 'type'), property.type, 'string');
  if (property.relationship !== undefined) {
    findings.problem(step(path, 'relationship'), 'is given for the name, which cannot lead to another node');
  }
  return { ...property, required: true };
}

function defaultName(type: string): PropertySchema {
  return { name: 'name', type: 'string', description: `The name of the ${type}`, required: true };
}
