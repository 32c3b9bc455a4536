// @ts-check

/**
 * @typedef {import('../../dist/store/row-query.js').RowQuery} RowQuery
 * @typedef {import('../../dist/store/row-query.js').Operand} Operand
 *
 * @typedef {object} Question A query, and what somebody who knows the tables would write for it.
 * @property {string} name
 * @property {RowQuery} query
 * @property {string} [sql] Left out where nobody could write it by hand. With `$json(column, name)` for the text and `$number(column, name)` for the number of a property.
 * @property {readonly (string | number)[]} [params]
 * @property {(tools: ByHand) => Promise<number>} [byHand] The same in memory, where that is faster than SQL; answers the number of rows.
 * @property {number} calls
 * @property {import('../../dist/store/read-options.js').ReadOptions} [options] How servers read it: on SQLite, mostly in another process.
 * @property {boolean} [isLarge] Whether it must be much faster than it was before there was an adjacency.
 *
 * @typedef {object} ByHand
 * @property {(sql: string, params: readonly unknown[]) => Promise<Record<string, unknown>[]>} all
 * @property {import('./adjacency-by-hand.js').AdjacencyByHand} adjacency
 * @property {import('./words-by-hand.js').WordsByHand} words
 */

/**
 * @param {import('../../dist/model/value-type.js').Scalar} name
 * @returns {import('../../dist/model/value-type.js').ValueType}
 */
export const scalar = (name) => ({ kind: 'scalar', scalar: name, nullable: false });

/**
 * @param {string} variable
 * @param {string} property
 * @param {'String' | 'I32'} type
 * @param {'node' | 'edge'} [of]
 * @returns {import('../../dist/store/row-query.js').PropertyOperand}
 */
export const prop = (variable, property, type, of = 'node') => ({
  ...{ kind: 'property', variable, of, property, place: 'props', type: scalar(type) },
});

/**
 * @param {string} variable
 * @returns {import('../../dist/store/row-query.js').PropertyOperand}
 */
export const id = (variable) => ({
  ...{ kind: 'property', variable, of: 'node', property: 'id', place: 'row', type: scalar('String') },
});

/**
 * @param {string | number} value
 * @returns {Operand}
 */
const given = (value) => ({
  kind: 'value',
  value,
  type: scalar(typeof value === 'string' ? 'String' : 'I32'),
});

/**
 * @param {import('../../dist/store/row-query.js').ComparisonOperator} operator
 * @param {Operand} left
 * @param {string | number} value
 * @returns {import('../../dist/store/row-query.js').Condition}
 */
export const compare = (operator, left, value) => ({ kind: 'compare', operator, left, right: given(value) });

/**
 * @param {string} from
 * @param {string} to
 * @param {Partial<import('../../dist/store/row-query.js').Hop>} [more]
 * @returns {import('../../dist/store/row-query.js').Hop}
 */
export const knows = (from, to, more = {}) => ({
  ...{ from, to, edge: 'Knows', direction: 'out', min: 1, max: 1, variable: null },
  ...more,
});

/**
 * @param {'count' | 'sum' | 'avg'} fn
 * @param {Extract<import('../../dist/store/row-query.js').RowQueryExpression, { kind: 'aggregate' }>['of']} of
 * @returns {import('../../dist/store/row-query.js').RowQueryExpression}
 */
export const aggregate = (fn, of) => ({ kind: 'aggregate', fn, of });

/**
 * @param {readonly string[]} variables
 * @param {Partial<RowQuery['match']>} block
 * @param {readonly import('../../dist/store/row-query.js').RowQueryExpression[]} expressions
 * @param {Partial<RowQuery>} [more]
 * @returns {RowQuery}
 */
export const query = (variables, block, expressions, more = {}) => ({
  match: {
    nodes: variables.map((variable) => ({ id: variable, types: ['Person'] })),
    hops: block.hops ?? [],
    conditions: block.conditions ?? [],
  },
  columns: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
  grouped: false,
  order: [],
  limit: null,
  ...more,
});

export const live = (/** @type {string} */ alias) =>
  `${alias}.graph = ? and ${alias}.branch = ? and ${alias}.died is null`;
export const person = (/** @type {string} */ alias) =>
  `${live(alias)} and ${alias}.stub = 0 and ${alias}.type = 'Person'`;

/**
 * How an indexed number is written.
 * @param {number} value
 */
export function floatText(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  bytes[0] = /** @type {number} */ (bytes[0]) ^ 0x80;
  return bytes.toString('hex');
}
