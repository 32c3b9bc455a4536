import type { EdgeType, NodeType, Property } from '../../schema/graph/graph-schema.js';
import type { Assignment } from '../query-ast.js';
import type { CheckedAssignments, Constant } from './checked-query.js';
import type { CheckContext, QueryScope } from './query-scope.js';
import { resolveConstant } from './resolve-operand.js';

/** What has the properties that are set; a type is null on a graph without a schema. */
export type AssignmentTarget =
  | { readonly of: 'node'; readonly name: string; readonly type: NodeType | null }
  | { readonly of: 'edge'; readonly name: string; readonly type: EdgeType | null };

/** What every node or edge has, and no statement sets: the tools of the other surfaces do. */
const builtInProperties: Readonly<Record<AssignmentTarget['of'], readonly string[]>> = {
  node: ['name', 'summary', 'tags', 'observations'],
  edge: ['from', 'to'],
};

/** What a statement sets; each value fits its property. */
export function checkAssignments(
  owner: AssignmentTarget,
  assignments: readonly Assignment[],
  scope: QueryScope,
  change: 'insert' | 'update' = 'insert',
): CheckedAssignments {
  const values = new Map<string, Constant | null>();
  for (const assignment of assignments) {
    const { name, at } = assignment;
    if (values.has(name)) scope.query.errors.add(at, 'named_twice', `${name} stands here twice.`);
    const property = settableProperty(owner, assignment, scope.query);
    if (property === undefined) continue;
    if (change === 'update' && owner.type?.key?.includes(name) === true) {
      const advice = 'delete the old one and insert a new one';
      scope.query.errors.add(
        at,
        'key_changed',
        `${name} is a key of ${owner.name} and stays as it is; ${advice}.`,
      );
      continue;
    }
    const value = checkAssignedValue(owner, property, assignment, change, scope);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** The property that an assignment sets, null if any will do; undefined, and told, if it cannot be set. */
function settableProperty(
  owner: AssignmentTarget,
  { name, at }: Assignment,
  { errors }: CheckContext,
): Property | null | undefined {
  const property = owner.type?.properties.get(name);
  if (property !== undefined) return property;
  if (builtInProperties[owner.of].includes(name)) {
    const what = owner.of === 'node' ? 'a node' : 'an edge';
    errors.add(
      at,
      'not_settable',
      `${name} is what every ${owner.of} has, and no property of ${what} to set here.`,
    );
    return undefined;
  }
  if (owner.type === null) return null;
  const among = [...owner.type.properties.keys()];
  errors.add(at, 'unknown_property', `${owner.name} has no property ${name}.`, {
    meant: name,
    among,
    expected: among,
  });
  return undefined;
}

function checkAssignedValue(
  owner: AssignmentTarget,
  property: Property | null,
  { name, value }: Assignment,
  change: 'insert' | 'update',
  scope: QueryScope,
): Constant | null | undefined {
  if (value.kind === 'name') {
    const what = `${owner.name}.${name} is set to a value or a parameter, not to a property`;
    scope.query.errors.add(value.at, 'unknown_name', `${what}; a text is written "${value.name}".`);
    return undefined;
  }
  if (value.kind !== 'null') {
    return resolveConstant(value, property?.type ?? null, scope, `${owner.name}.${name}`);
  }
  const isRequired = property !== null && !property.type.nullable;
  if (isRequired && change === 'update') {
    scope.query.errors.add(
      value.at,
      'missing_property',
      `${owner.name}.${name} is required; it cannot be null.`,
    );
    return undefined;
  }
  return null;
}

/** Tells which properties an insert lacks. Those with a default, and vectors that are made from a text, come by themselves. */
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
