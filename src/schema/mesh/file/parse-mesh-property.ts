import { isRecord, ownValue } from '../../../model/is-record.js';
import { meshSchemaLimits } from '../../../model/limits.js';
import {
  type MeshProperty,
  type MeshPropertyType,
  type MeshRelationship,
  meshPropertyTypes,
} from '../mesh-schema.js';
import { quoteValue } from '../text/quote-value.js';
import { childPath, type MeshSchemaDiagnostics } from './mesh-schema-diagnostics.js';

const propertyKeys = ['type', 'description', 'required', 'enum', 'relationship'] as const;
const relationshipKeys = ['edgeType', 'nodeType', 'description'] as const;

/** Only these types can have an enum or a relationship. */
const textTypes: readonly MeshPropertyType[] = ['string', 'array'];

export function parseMeshProperty(
  diagnostics: MeshSchemaDiagnostics,
  path: string,
  name: string,
  given: unknown,
): MeshProperty | undefined {
  if (!checkPropertyName(diagnostics, path, name)) return undefined;
  if (!isRecord(given)) {
    diagnostics.invalid(path, given, 'an object with "type" and "description"');
    return undefined;
  }
  diagnostics.warnUnknownKeys(path, given, propertyKeys);
  const field = (key: (typeof propertyKeys)[number]) => [childPath(path, key), ownValue(given, key)] as const;
  const type = parseType(diagnostics, ...field('type'));
  const description = diagnostics.text(...field('description'), meshSchemaLimits.descriptionLength);
  const required = diagnostics.flag(...field('required'), false);
  const values = parseEnum(diagnostics, ...field('enum'), type);
  const relationship = parseRelationship(diagnostics, ...field('relationship'), type);
  if (type === undefined || description === undefined) return undefined;
  return {
    name,
    type,
    description,
    required,
    ...(values !== undefined && { enum: values }),
    ...(relationship !== undefined && { relationship }),
  };
}

/** Property names become keys of JSON Schemas and of metadata. */
function checkPropertyName(diagnostics: MeshSchemaDiagnostics, path: string, name: string): boolean {
  if (name === '__proto__') {
    diagnostics.problem(path, 'is a reserved name; use another');
  } else if (name.length > meshSchemaLimits.nameLength) {
    diagnostics.problem(
      path,
      `has a name of ${name.length} characters; at most ${meshSchemaLimits.nameLength} are allowed`,
    );
  } else if (!/^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u.test(name) || !/[\p{L}\p{N}]/u.test(name)) {
    diagnostics.problem(
      path,
      'has an invalid name; it must begin with a letter or "_" and contain only letters, digits, "_", "-" and "."',
    );
  } else if (diagnostics.text(path, name, meshSchemaLimits.nameLength) !== undefined) {
    if (!/^[\w.-]+$/.test(name)) {
      diagnostics.warning(
        path,
        'has letters beyond a-z in its name; some clients refuse tools with such arguments',
      );
    }
    return true;
  }
  return false;
}

function parseType(
  diagnostics: MeshSchemaDiagnostics,
  path: string,
  given: unknown,
): MeshPropertyType | undefined {
  const type = meshPropertyTypes.find((candidate) => candidate === given);
  if (type === undefined) diagnostics.invalid(path, given, `one of: ${meshPropertyTypes.join(', ')}`);
  return type;
}

function parseEnum(
  diagnostics: MeshSchemaDiagnostics,
  path: string,
  given: unknown,
  type: MeshPropertyType | undefined,
): readonly string[] | undefined {
  if (given === undefined) return undefined;
  if (!checkTextType(diagnostics, path, type)) return undefined;
  if (!Array.isArray(given) || given.length === 0) {
    diagnostics.invalid(path, given, 'a list of at least one string');
    return undefined;
  }
  if (given.length > meshSchemaLimits.enumValues) {
    diagnostics.problem(
      path,
      `has ${given.length} values; at most ${meshSchemaLimits.enumValues} are allowed`,
    );
    return undefined;
  }
  const values = new Set<string>();
  given.forEach((value: unknown, index) => {
    const text = diagnostics.nonBlankText(`${path}[${index}]`, value, meshSchemaLimits.enumValueLength);
    if (text === undefined) return;
    if (values.has(text))
      diagnostics.problem(`${path}[${index}]`, `is ${quoteValue(text)}, which is listed twice`);
    values.add(text);
  });
  return [...values];
}

function parseRelationship(
  diagnostics: MeshSchemaDiagnostics,
  path: string,
  given: unknown,
  type: MeshPropertyType | undefined,
): MeshRelationship | undefined {
  if (given === undefined) return undefined;
  if (!checkTextType(diagnostics, path, type)) return undefined;
  if (!isRecord(given)) {
    diagnostics.invalid(path, given, 'an object with "edgeType"');
    return undefined;
  }
  diagnostics.warnUnknownKeys(path, given, relationshipKeys);
  const { nameLength, descriptionLength } = meshSchemaLimits;
  const field = (key: (typeof relationshipKeys)[number]) =>
    [childPath(path, key), ownValue(given, key)] as const;
  const has = (key: string) => ownValue(given, key) !== undefined;
  const edgeType = diagnostics.nonBlankText(...field('edgeType'), nameLength);
  const nodeType = has('nodeType') ? diagnostics.nonBlankText(...field('nodeType'), nameLength) : undefined;
  const description = has('description')
    ? diagnostics.text(...field('description'), descriptionLength)
    : undefined;
  if (edgeType === undefined) return undefined;
  return {
    edgeType,
    ...(nodeType !== undefined && { nodeType }),
    ...(description !== undefined && { description }),
  };
}

function checkTextType(
  diagnostics: MeshSchemaDiagnostics,
  path: string,
  type: MeshPropertyType | undefined,
): boolean {
  if (type === undefined || textTypes.includes(type)) return true;
  diagnostics.problem(path, `is not allowed with type ${type}; only string and array properties can have it`);
  return false;
}
