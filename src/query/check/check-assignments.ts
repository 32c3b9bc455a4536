import type { EdgeType, NodeType, Property } from '../../schema/graph/graph-schema.js';
import type { Assignment } from '../query-ast.js';
import type { AssignedValue, CheckedAssignments } from './checked-query.js';
import type { CheckContext, QueryScope } from './query-scope.js';
import { resolveAssigned } from './resolve-constant.js';

/** What a statement is about; the type is null on a graph without a schema. */
export type StatementTarget =
  | { readonly of: 'node'; readonly name: string; readonly type: NodeType | null }
  | { readonly of: 'edge'; readonly name: string; readonly type: EdgeType | null };

/** What no statement can set; tools of the other surfaces do. */
const builtInProperties: Readonly<Record<StatementTarget['of'], readonly string[]>> = {
  node: ['name', 'summary', 'tags', 'observations'],
  edge: ['from', 'to'],
};

export function checkAssignments(
  target: StatementTarget,
  assignments: readonly Assignment[],
  scope: QueryScope,
  change: 'insert' | 'update' = 'insert',
): CheckedAssignments {
  const values = new Map<string, AssignedValue>();
  for (const assignment of assignments) {
    const { name, at } = assignment;
    if (values.has(name)) scope.query.errors.add(at, 'named_twice', `${name} is given twice.`);
    const property = settableProperty(target, assignment, scope.query);
    if (property === undefined) continue;
    if (change === 'update' && target.type?.key?.includes(name) === true) {
      const advice = 'delete the old one and insert a new one';
      scope.query.errors.add(
        at,
        'key_changed',
        `${name} is part of the key of ${target.name} and cannot change; ${advice}.`,
      );
      continue;
    }
    const value = checkAssignedValue(target, property, assignment, change, scope);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** The property to set; null: any. Reports an error and returns undefined if it cannot be set. */
function settableProperty(
  target: StatementTarget,
  { name, at }: Assignment,
  { errors }: CheckContext,
): Property | null | undefined {
  const property = target.type?.properties.get(name);
  if (property !== undefined) return property;
  if (builtInProperties[target.of].includes(name)) {
    errors.add(at, 'not_settable', `${name} is built in and cannot be set here.`);
    return undefined;
  }
  if (target.type === null) return null;
  const among = [...target.type.properties.keys()];
  errors.add(at, 'unknown_property', `${target.name} has no property ${name}.`, {
    meant: name,
    among,
    expected: among,
  });
  return undefined;
}

function checkAssignedValue(
  target: StatementTarget,
  property: Property | null,
  { name, value }: Assignment,
  change: 'insert' | 'update',
  scope: QueryScope,
): AssignedValue | undefined {
  if (value.kind === 'name') {
    const what = `${target.name}.${name} is set to a value or a parameter, not to a property`;
    scope.query.errors.add(value.at, 'unknown_name', `${what}; a text is written "${value.name}".`);
    return undefined;
  }
  if (value.kind !== 'null') {
    return resolveAssigned(value, property?.type ?? null, scope, `${target.name}.${name}`);
  }
  const isRequired = property !== null && !property.type.nullable;
  if (isRequired && change === 'update') {
    scope.query.errors.add(
      value.at,
      'missing_property',
      `${target.name}.${name} is required; it cannot be null.`,
    );
    return undefined;
  }
  return null;
}

/** Reports missing properties; those with a default, and embedded vectors, need not be given. */
export function checkMissingProperties(
  type: NodeType | EdgeType,
  assignments: readonly Assignment[],
  at: number,
  { errors }: CheckContext,
): void {
  const given = new Set(assignments.filter(({ value }) => value.kind !== 'null').map(({ name }) => name));
  const missing = [...type.properties.values()].filter(
    (property) =>
      !property.type.nullable &&
      property.default === undefined &&
      property.embedFrom === null &&
      !given.has(property.name),
  );
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  errors.add(at, 'missing_property', `An insert of ${type.name} needs ${names.join(', ')}.`, {
    expected: names,
  });
}
