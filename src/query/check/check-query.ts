import type { Source } from '../../language/source.js';
import { type SourceProblem, sourceError, toSourceProblem } from '../../language/source-problem.js';
import { graphSchemaLimits, queryLimits } from '../../model/limits.js';
import type { ValueType } from '../../model/value-type.js';
import type { GraphSchema } from '../../schema/graph/graph-schema.js';
import { parseQueries, queryLanguage } from '../parse-queries.js';
import type { QueryDeclaration, ReadBody } from '../query-ast.js';
import { annotationProblems } from '../query-metadata.js';
import { checkAggregateBlock, checkBlock, checkCondition, warnUnusedVariables } from './check-block.js';
import { checkColumns, isGrouped } from './check-columns.js';
import { checkLimit } from './check-limit.js';
import { checkMutation } from './check-mutation.js';
import { checkOrder } from './check-order.js';
import type { CheckedQuery, CheckedRead } from './checked-query.js';
import { ConnectedVariables } from './connected-variables.js';
import { type BlockChecks, CheckContext, QueryScope } from './query-scope.js';
import { SchemaNames } from './schema-names.js';

const blockChecks: BlockChecks = { condition: checkCondition, aggregate: checkAggregateBlock };

/** Checks all queries of a text against a schema, or without one (null). Throws `QUERY_INVALID` with all errors. */
export function checkQueries(source: Source, schema: GraphSchema | null): readonly CheckedQuery[] {
  const { queries } = parseQueries(source);
  const schemaNames = new SchemaNames(schema);
  const results = queries.map((declaration) => checkDeclaration(declaration, schemaNames, source));
  const findings = [
    ...results.flatMap(({ context }) => context.errors.all),
    ...queries.flatMap(annotationProblems),
    ...duplicateNames(queries),
  ];
  if (findings.length > 0) throw sourceError(source, findings, queryLanguage);
  return results.map(({ checked }) => checked);
}

export function findQueryProblems(
  source: Source,
  declaration: QueryDeclaration,
  schema: GraphSchema | null,
): readonly SourceProblem[] {
  const { context } = checkDeclaration(declaration, new SchemaNames(schema), source);
  return [...context.errors.all]
    .sort((a, b) => a.at - b.at)
    .map((finding) => toSourceProblem(source, finding));
}

function duplicateNames(queries: readonly QueryDeclaration[]) {
  const seen = new Set<string>();
  return queries.flatMap(({ name, at }) => {
    const isKnown = seen.has(name);
    seen.add(name);
    return isKnown ? [{ code: 'duplicate_query', at, message: `There is a query ${name} already.` }] : [];
  });
}

function checkDeclaration(declaration: QueryDeclaration, schemaNames: SchemaNames, source: Source) {
  const { name, parameters: declared, body } = declaration;
  const parameters = new Map(declared.map((parameter) => [parameter.name, parameter.type]));
  const context = new CheckContext(blockChecks, schemaNames, parameters);
  checkParameters(declaration, context);
  if (declaration.explain && body.kind === 'mutation')
    context.errors.add(declaration.at, 'misplaced', 'Only a read has a plan; remove explain.');
  const checkedBody = body.kind === 'read' ? checkRead(body, context) : checkMutation(body, context);
  for (const parameter of declared) {
    if (!context.usedParameters.has(parameter.name)) {
      context.warnings.add(
        parameter.at,
        'unused_parameter',
        `The parameter $${parameter.name} is never used.`,
      );
    }
  }
  const warnings: readonly SourceProblem[] = [...context.warnings.all]
    .sort((a, b) => a.at - b.at)
    .map((finding) => toSourceProblem(source, finding));
  const checked: CheckedQuery = { declaration, name, parameters, body: checkedBody, warnings };
  return { checked, context };
}

function checkParameters({ parameters }: QueryDeclaration, { errors }: CheckContext): void {
  const seen = new Map<string, ValueType>();
  for (const { name, at, type } of parameters) {
    if (seen.has(name)) errors.add(at, 'named_twice', `There is a parameter $${name} already.`);
    seen.set(name, type);
    if (name === '_') errors.add(at, 'anonymous', 'A parameter needs a name.');
    if (name === '__proto__') errors.add(at, 'reserved_name', 'No parameter can be named __proto__.');
    if (
      type.kind === 'vector' &&
      (type.dimension < 1 || type.dimension > graphSchemaLimits.vectorDimension)
    ) {
      errors.add(at, 'out_of_range', `A vector has 1..${graphSchemaLimits.vectorDimension} numbers.`);
    }
  }
  const last = parameters[queryLimits.parameters];
  if (last !== undefined) {
    errors.add(last.at, 'too_large', `A query has at most ${queryLimits.parameters} parameters.`);
  }
}

function checkRead(body: ReadBody, context: CheckContext): CheckedRead {
  const scope = new QueryScope(context, null);
  const connected = new ConnectedVariables(context);
  const match = checkBlock(body.match, scope, connected);
  if (match.nodes.length === 0 && context.errors.all.length === 0) {
    const [first] = body.match;
    context.errors.add(
      first === undefined || !('at' in first) ? 0 : first.at,
      'no_variable',
      'A query matches something: bind a variable, as in $p: Person.',
    );
  }
  const columns = checkColumns(body, scope);
  const grouped = isGrouped(columns);
  const order = checkOrder(body, columns, grouped, scope);
  const limit = body.limit === null ? null : (checkLimit(body.limit, scope) ?? null);
  warnUnusedVariables(scope);
  connected.warnCrossJoin(scope);
  return {
    kind: 'read',
    match,
    columns: columns.map(({ name, expression }) => ({ name, expression })),
    grouped,
    order,
    limit,
  };
}
