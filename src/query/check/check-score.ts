import { formatValueType } from '../../language/format-value-type.js';
import type { ValueType } from '../../model/value-type.js';
import type { CallExpression, QueryExpression } from '../query-ast.js';
import {
  checkArgumentCount,
  checkIntegerInRange,
  searchedProperty,
  textProperty,
} from './check-text-condition.js';
import type { CheckedScore } from './checked-query.js';
import type { QueryScope } from './query-scope.js';
import { resolveConstant } from './resolve-constant.js';
import { operandType } from './resolve-operand.js';

const text: ValueType = { kind: 'scalar', scalar: 'String', nullable: false };

/** The largest `k` of `rrf`; above it all ranks count about the same. */
export const maxRrfK = 1_000_000;

const defaultRrfK = 60;

export function isScoreFunction(name: string): name is CheckedScore['kind'] {
  return name === 'nearest' || name === 'bm25' || name === 'rrf';
}

export function checkScore(
  kind: CheckedScore['kind'],
  call: CallExpression,
  scope: QueryScope,
): CheckedScore | undefined {
  if (!checkArgumentCount(call, 2, kind === 'rrf' ? 3 : 2, scope)) return undefined;
  const [first, second, third] = call.arguments;
  if (first === undefined || second === undefined) return undefined;
  if (kind === 'nearest') return checkNearest(first, second, scope);
  if (kind === 'bm25') return checkBm25(first, second, scope);
  const arms = [checkArm(first, scope), checkArm(second, scope)] as const;
  const k =
    third === undefined
      ? literalNumber(defaultRrfK)
      : checkIntegerInRange(third, 1, maxRrfK, scope, 'The third argument of rrf');
  const [a, b] = arms;
  return a === undefined || b === undefined || k === undefined ? undefined : { kind, arms: [a, b], k };
}

function literalNumber(value: number) {
  const type: ValueType = { kind: 'scalar', scalar: 'I64', nullable: false };
  return { kind: 'literal', value, type } as const;
}

function checkArm(arm: QueryExpression, scope: QueryScope): CheckedScore | undefined {
  if (arm.kind === 'call' && (arm.name === 'nearest' || arm.name === 'bm25'))
    return checkScore(arm.name, arm, scope);
  scope.query.errors.add(arm.at, 'bad_arguments', 'rrf takes two of nearest(…) and bm25(…).', {
    expected: ['nearest', 'bm25'],
  });
  return undefined;
}

function checkBm25(
  subject: QueryExpression,
  words: QueryExpression,
  scope: QueryScope,
): CheckedScore | undefined {
  const operand = textProperty('bm25', subject, scope);
  const searched = resolveConstant(words, text, scope, 'The text of bm25');
  if (operand === undefined || searched === undefined) return undefined;
  return isOfNode(operand.of, subject, scope) ? { kind: 'bm25', operand, text: searched } : undefined;
}

function checkNearest(
  subject: QueryExpression,
  to: QueryExpression,
  scope: QueryScope,
): CheckedScore | undefined {
  const { errors } = scope.query;
  const property = searchedProperty('nearest', subject, scope);
  if (property === undefined || !isOfNode(property.operand.of, subject, scope)) return undefined;
  const type = operandType(property);
  if (type !== null && type.kind !== 'vector') {
    errors.add(
      subject.at,
      'type_mismatch',
      `nearest ranks by a Vector, but this is ${formatValueType(type)}.`,
      { expected: ['Vector'] },
    );
    return undefined;
  }
  const isText = to.kind === 'string' || isTextParameter(to, scope);
  const { embedding } = property;
  if (isText && embedding === null) {
    errors.add(
      to.at,
      'not_embedded',
      `${property.operand.property} is not made from a text, so give nearest a vector; @embed in the schema would change that.`,
      { expected: [type === null ? 'Vector' : formatValueType({ ...type, nullable: false })] },
    );
    return undefined;
  }
  const [model = null, another] = isText ? (embedding?.models ?? []) : [];
  if (another !== undefined) {
    const models = embedding?.models.map((each) => each ?? 'the configured one') ?? [];
    errors.add(
      to.at,
      'several_models',
      `The vectors of ${property.operand.property} come from different models (${models.join(', ')}), so one text cannot be compared with all of them; bind $${property.operand.variable} to one type, or give nearest a vector.`,
      { expected: ['a vector'] },
    );
    return undefined;
  }
  const wanted = isText ? text : type === null ? vectorLike(to, scope) : { ...type, nullable: false };
  const given = resolveConstant(to, wanted, scope, 'What nearest compares with');
  return given && { kind: 'nearest', operand: property.operand, to: given, model };
}

function isTextParameter(expression: QueryExpression, { query }: QueryScope): boolean {
  const type = expression.kind === 'variable' ? query.parameters.get(expression.name) : undefined;
  return type?.kind === 'scalar' && type.scalar === 'String';
}

/** Without a schema, a vector is as long as the given one. */
function vectorLike(expression: QueryExpression, { query }: QueryScope): ValueType {
  const type = expression.kind === 'variable' ? query.parameters.get(expression.name) : undefined;
  const dimension =
    expression.kind === 'list' ? expression.items.length : type?.kind === 'vector' ? type.dimension : 1;
  return { kind: 'vector', dimension, nullable: false };
}

function isOfNode(of: 'node' | 'edge', { at }: QueryExpression, { query }: QueryScope): boolean {
  if (of === 'node') return true;
  query.errors.add(at, 'type_mismatch', 'Rows are ranked by properties of nodes, not of edges.');
  return false;
}
