import { isRecord, ownValue } from '../../../model/is-record.js';
import { schemaLimits } from '../../../model/limits.js';
import { type PropertySchema, type PropertyType, propertyTypes, type Relationship } from '../node-schema.js';
import { shown } from '../text/shown.js';
import { type Findings, step } from './findings.js';

const propertyKeys = ['type', 'description', 'required', 'enum', 'relationship'] as const;
const relationshipKeys = ['edgeType', 'nodeType', 'description'] as const;

/** The types whose values are texts, which alone can be chosen from a list or name a node. */
const textTypes: readonly PropertyType[] = ['string', 'array'];

/** Checks one property of a schema file; undefined if too little of it is sound to go on. */
export function parseProperty(
  findings: Findings,
  path: string,
  name: string,
  given: unknown,
): PropertySchema | undefined {
  if (!checkPropertyName(findings, path, name)) return undefined;
  if (!isRecord(given)) {
    findings.wrong(path, given, 'an object with "type" and "description"');
    return undefined;
  }
  findings.knownKeys(path, given, propertyKeys);
  const type = parseType(findings, step(path, 'type'), ownValue(given, 'type'));
  const description = findings.text(
    step(path, 'description'),
    ownValue(given, 'description'),
    schemaLimits.descriptionLength,
  );
  const required = findings.flag(step(path, 'required'), ownValue(given, 'required'), false);
  const values = parseEnum(findings, step(path, 'enum'), ownValue(given, 'enum'), type);
  const relationship = parseRelationship(
    findings,
    step(path, 'relationship'),
    ownValue(given, 'relationship'),
    type,
  );
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

/** Names of properties become keys of JSON schemas and of metadata, so they are plain words. */
function checkPropertyName(findings: Findings, path: string, name: string): boolean {
  if (name === '__proto__') {
    findings.problem(path, 'is a name that JavaScript keeps for itself; use another');
  } else if (name.length > schemaLimits.nameLength) {
    findings.problem(
      path,
      `has a name of ${name.length} characters; at most ${schemaLimits.nameLength} are allowed`,
    );
  } else if (!/^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u.test(name) || !/[\p{L}\p{N}]/u.test(name)) {
    findings.problem(
      path,
      'has a name that cannot be used; it must begin with a letter or "_", and hold letters, digits, "_", "-" and "." only',
    );
  } else if (findings.text(path, name, schemaLimits.nameLength) !== undefined) {
    if (!/^[\w.-]+$/.test(name)) {
      findings.warning(
        path,
        'has letters beyond a-z in its name; some clients refuse tools with such arguments',
      );
    }
    return true;
  }
  return false;
}

function parseType(findings: Findings, path: string, given: unknown): PropertyType | undefined {
  const type = propertyTypes.find((candidate) => candidate === given);
  if (type === undefined) findings.wrong(path, given, `one of: ${propertyTypes.join(', ')}`);
  return type;
}

function parseEnum(
  findings: Findings,
  path: string,
  given: unknown,
  type: PropertyType | undefined,
): readonly string[] | undefined {
  if (given === undefined) return undefined;
  if (!allowsTexts(findings, path, type)) return undefined;
  if (!Array.isArray(given) || given.length === 0) {
    findings.wrong(path, given, 'a list of at least one text');
    return undefined;
  }
  if (given.length > schemaLimits.enumValues) {
    findings.problem(path, `has ${given.length} values; at most ${schemaLimits.enumValues} are allowed`);
    return undefined;
  }
  const values = new Set<string>();
  given.forEach((value: unknown, index) => {
    const text = findings.filledText(`${path}[${index}]`, value, schemaLimits.enumValueLength);
    if (text === undefined) return;
    if (values.has(text)) findings.problem(`${path}[${index}]`, `is ${shown(text)}, which is there already`);
    values.add(text);
  });
  return [...values];
}

function parseRelationship(
  findings: Findings,
  path: string,
  given: unknown,
  type: PropertyType | undefined,
): Relationship | undefined {
  if (given === undefined) return undefined;
  if (!allowsTexts(findings, path, type)) return undefined;
  if (!isRecord(given)) {
    findings.wrong(path, given, 'an object with "edgeType"');
    return undefined;
  }
  findings.knownKeys(path, given, relationshipKeys);
  const edgeType = findings.filledText(
    step(path, 'edgeType'),
    ownValue(given, 'edgeType'),
    schemaLimits.nameLength,
  );
  const nodeType = ownValue(given, 'nodeType');
  const description = ownValue(given, 'description');
  const nodeTypeText =
    nodeType === undefined
      ? undefined
      : findings.filledText(step(path, 'nodeType'), nodeType, schemaLimits.nameLength);
  const descriptionText =
    description === undefined
      ? undefined
      : findings.text(step(path, 'description'), description, schemaLimits.descriptionLength);
  if (edgeType === undefined) return undefined;
  return {
    edgeType,
    ...(nodeTypeText !== undefined && { nodeType: nodeTypeText }),
    ...(descriptionText !== undefined && { description: descriptionText }),
  };
}

function allowsTexts(findings: Findings, path: string, type: PropertyType | undefined): boolean {
  if (type === undefined || textTypes.includes(type)) return true;
  findings.problem(
    path,
    `does not go with the type ${type}; only properties of type string or array can have it`,
  );
  return false;
}
