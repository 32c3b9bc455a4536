import type { Name } from '../../language/literal.js';
import { queryLimits } from '../../model/limits.js';
import type { NodeType } from '../../schema/graph/graph-schema.js';
import type { MutationBody, MutationStatement, QueryExpression } from '../query-ast.js';
import { checkAssignments, checkMissingProperties, type StatementTarget } from './check-assignments.js';
import { checkCondition } from './check-block.js';
import type {
  AssignedValue,
  CheckedBlock,
  CheckedMutation,
  CheckedStatement,
  Constant,
} from './checked-query.js';
import { type CheckContext, QueryScope, type ScopedVariable } from './query-scope.js';
import { resolveConstant } from './resolve-constant.js';
import { rowFields } from './row-fields.js';

const text = { kind: 'scalar', scalar: 'String', nullable: false } as const;

export function checkMutation({ statements }: MutationBody, query: CheckContext): CheckedMutation {
  const last = statements[queryLimits.statements];
  if (last !== undefined) {
    query.errors.add(last.at, 'too_large', `A mutation has at most ${queryLimits.statements} statements.`);
  }
  const checked = statements
    .slice(0, queryLimits.statements)
    .map((statement) => checkStatement(statement, query));
  return { kind: 'mutation', statements: checked.filter((statement) => statement !== undefined) };
}

function checkStatement(statement: MutationStatement, query: CheckContext): CheckedStatement | undefined {
  query.beginStatement();
  const target = resolveTarget(statement, query);
  if (target === undefined) return undefined;
  if (statement.kind !== 'insert') return checkUpdateOrDelete(statement, target, query);
  return target.of === 'node'
    ? checkInsertNode(statement, target, query)
    : checkInsertEdge(statement, target, query);
}

/** Nodes and edges may share a name; then `from` and `to` tell which is meant. */
function resolveTarget(statement: MutationStatement, query: CheckContext): StatementTarget | undefined {
  const { type } = statement;
  const { schema } = query.schemaNames;
  const nodeType = schema?.nodes.get(type.text);
  const edgeType = schema?.edges.get(type.text.toLowerCase());
  const asNode: StatementTarget = { of: 'node', name: type.text, type: nodeType ?? null };
  const asEdge: StatementTarget = { of: 'edge', name: edgeType?.name ?? type.text, type: edgeType ?? null };
  const couldBeEither = schema === null || (nodeType !== undefined && edgeType !== undefined);
  if (couldBeEither) return mentionsEndpoints(statement, nodeType) ? asEdge : asNode;
  if (nodeType !== undefined) return asNode;
  if (edgeType !== undefined) return asEdge;
  reportUnknownType(type, query);
  return undefined;
}

function reportUnknownType({ text: name, at }: Name, { schemaNames, errors }: CheckContext): void {
  const { schema } = schemaNames;
  const edges = [...(schema?.edges.values() ?? [])].map((edge) => edge.name);
  if (schema?.interfaces.has(name) === true) {
    errors.add(at, 'unknown_type', `${name} is an interface; a mutation needs a node or edge type.`);
    return;
  }
  const among = [...(schema?.nodes.keys() ?? []), ...edges];
  errors.add(at, 'unknown_type', `There is no node or edge of type ${name}.`, { meant: name, among });
}

function mentionsEndpoints(statement: MutationStatement, nodeType: NodeType | undefined): boolean {
  const isEnd = (name: string) => (name === 'from' || name === 'to') && !nodeType?.properties.has(name);
  if (statement.kind === 'insert') {
    const names = statement.assignments.map(({ name }) => name);
    return names.includes('from') && names.includes('to') && names.some(isEnd);
  }
  return rowFields(statement.where).some((name) => name === '@src' || name === '@dst' || isEnd(name));
}

function checkInsertNode(
  { at, type, assignments }: MutationStatement & { kind: 'insert' },
  target: StatementTarget & { of: 'node' },
  query: CheckContext,
): CheckedStatement | undefined {
  const scope = new QueryScope(query, null, { constantsOnly: true });
  if (target.type === null) {
    const name = assignments.find((assignment) => assignment.name === 'name');
    if (name === undefined) {
      query.errors.add(type.at, 'missing_property', 'Without a schema, a node needs a name: name: "…".');
      return undefined;
    }
    const id = resolveConstant(name.value, text, scope, 'The name of a node');
    const rest = assignments.filter((assignment) => assignment !== name);
    const values = checkAssignments(target, rest, scope);
    return id && { kind: 'insert-node', at, type: target.name, name: id, values };
  }
  const values = checkAssignments(target, assignments, scope);
  checkMissingProperties(target.type, assignments, type.at, query);
  return { kind: 'insert-node', at, type: target.name, name: null, values };
}

function checkInsertEdge(
  { at, type, assignments }: MutationStatement & { kind: 'insert' },
  target: StatementTarget & { of: 'edge' },
  query: CheckContext,
): CheckedStatement | undefined {
  const scope = new QueryScope(query, null, { constantsOnly: true });
  const isEnd = (name: string) => name === 'from' || name === 'to';
  const values = checkAssignments(
    target,
    assignments.filter(({ name }) => !isEnd(name)),
    scope,
  );
  if (target.type !== null) checkMissingProperties(target.type, assignments, type.at, query);
  const ends = (['from', 'to'] as const).map((name) => {
    const given = assignments.filter((assignment) => assignment.name === name);
    const [end, again] = given;
    if (again !== undefined) query.errors.add(again.at, 'named_twice', `${name} is given twice.`);
    if (end !== undefined) return checkEndpoint(end.value, name, target, scope);
    query.errors.add(type.at, 'missing_property', `An edge needs from and to; ${name} is missing.`);
    return undefined;
  });
  const [from, to] = ends;
  if (from === undefined || to === undefined) return undefined;
  return { kind: 'insert-edge', at, type: target.name, from, to, values };
}

/** The id of a node: a string, or the value of its key if that is a single property of another type. */
function checkEndpoint(
  value: QueryExpression,
  end: 'from' | 'to',
  target: StatementTarget & { of: 'edge' },
  scope: QueryScope,
): Constant | undefined {
  const what = `The ${end} of ${target.name}`;
  const { schema } = scope.query.schemaNames;
  const nodeType = target.type === null ? undefined : schema?.nodes.get(target.type[end]);
  const [key, another] = nodeType?.key ?? [];
  const keyType =
    key === undefined || another !== undefined ? undefined : nodeType?.properties.get(key)?.type;
  const given = value.kind === 'variable' ? scope.query.parameters.get(value.name) : undefined;
  const isText = value.kind === 'string' || (given?.kind === 'scalar' && given.scalar === 'String');
  return resolveConstant(value, isText || keyType === undefined ? text : keyType, scope, what);
}

function checkUpdateOrDelete(
  statement: MutationStatement & { kind: 'update' | 'delete' },
  target: StatementTarget,
  query: CheckContext,
): CheckedStatement | undefined {
  const { kind, at, where } = statement;
  const constants = new QueryScope(query, null, { constantsOnly: true });
  const { row, nodes, hops } = rowVariable(target, statement.type, query);
  const values =
    statement.kind === 'update'
      ? checkAssignments(target, statement.assignments, constants, 'update')
      : new Map<string, AssignedValue>();
  if (rowFields(where).length === 0) {
    query.errors.add(
      where.at,
      'no_row_property',
      `This where does not depend on the row, so it would ${kind} all or nothing; use a property of ${target.name}.`,
    );
  }
  const condition = checkCondition(where, new QueryScope(query, null, { row }));
  if (condition === undefined) return undefined;
  const block: CheckedBlock = { nodes, hops, conditions: [condition] };
  return { kind, at, of: target.of, type: target.name, block, variable: row.id, values };
}

/** The row to change, as a variable of its own block. */
function rowVariable(
  target: StatementTarget,
  { at }: Name,
  { schemaNames }: CheckContext,
): { readonly row: ScopedVariable } & Pick<CheckedBlock, 'nodes' | 'hops'> {
  const common = { id: 'row', name: 'row', at, mentions: 1 };
  if (target.of === 'node') {
    const row: ScopedVariable = { ...common, kind: 'node', isBound: true, types: [target.name] };
    return { row, nodes: [{ id: row.id, types: [target.name] }], hops: [] };
  }
  const edge = schemaNames.edge(target.name) ?? { name: target.name, from: null, to: null, type: null };
  return {
    row: { ...common, kind: 'edge', edge },
    nodes: [
      { id: 'from', types: edge.from },
      { id: 'to', types: edge.to },
    ],
    hops: [{ from: 'from', to: 'to', edge: edge.name, direction: 'out', min: 1, max: 1, variable: 'row' }],
  };
}
