import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../src/model/json.js';
import type { Scalar, ValueType } from '../../src/model/value-type.js';
import type { ComparisonOperator, Condition, RowQuery } from '../../src/store/row-query.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';
import { block, compare, node, own, prop, query, value } from './build.js';
import { evaluate } from './naive/evaluate.js';
import { type NaiveGraph, naiveGraph } from './naive/graph.js';
import { write } from './people.js';

/** Floats around the borders of what integers and floats can hold; JSON writes most of them with fewer digits. */
const floats = [
  ...[-1e21, -(2 ** 64), -(2 ** 63) - 2048, -(2 ** 63), -(2 ** 53) - 2, -1, -0.5, 0, 0.5, 1],
  ...[2 ** 53, 2 ** 53 + 2, 2 ** 60 + 256, 2 ** 63 - 1024, 2 ** 63, 2 ** 63 + 2048, 2 ** 64 - 2048, 2 ** 64],
  1e21,
];
const small = ['0', '1', '9007199254740991', '9007199254740992', '9007199254740993', '9007199254740994'];
const middle = ['1152921504606847200', '1152921504606847232', '9223372036854774784', '9223372036854775807'];
const integers: Readonly<Record<'I64' | 'U64', readonly string[]>> = {
  I64: ['-9223372036854775808', '-9223372036854775807', '-9007199254740994', '-1', ...small, ...middle],
  U64: [
    ...small,
    ...middle,
    ...['9223372036854775808', '9223372036854775809', '9223372036854777856'],
    ...['18446744073709549568', '18446744073709549569', '18446744073709551615'],
  ],
};

/** A kind of numbers: the type that a schema says they have, or none, and some of them as JSON holds them. */
interface Kind {
  readonly name: string;
  readonly type: Scalar | null;
  readonly values: readonly Json[];
}

const held = (digits: string): Json => (Number.isSafeInteger(Number(digits)) ? Number(digits) : digits);
const kinds: readonly Kind[] = [
  { name: 'I32', type: 'I32', values: [-2147483648, -1, 0, 1, 2147483647] },
  { name: 'I64', type: 'I64', values: integers.I64.map(held) },
  { name: 'U64', type: 'U64', values: integers.U64.map(held) },
  { name: 'F64', type: 'F64', values: floats },
  { name: 'Open', type: null, values: [...floats, '9007199254740993', 'x', true] },
];
const operators: readonly ComparisonOperator[] = ['=', '!=', '<', '<=', '>', '>='];
const pairs = kinds.flatMap((left) => kinds.map((right) => ({ left, right })));

describe.each(storeKinds)('numbers of all kinds on $kind', (kind) => {
  let scratch: Scratch;
  let naive: NaiveGraph;
  const read = <T>(work: Parameters<typeof scratch.store.read<T>>[1]) =>
    scratch.store.read({ graph: 'default' }, work);
  beforeAll(async () => {
    scratch = await scratchStore(kind);
    const nodes = kinds.flatMap(({ name: type, values }) =>
      values.map((number, index) => ({ type, name: `${type}${index}`, props: { v: number, all: values } })),
    );
    await write(scratch.store, nodes, []);
    naive = await read(naiveGraph);
  });
  afterAll(() => scratch.dispose());

  const same = async (asked: RowQuery) => {
    const { rows } = await read((reader) => reader.query(asked));
    expect(rows, JSON.stringify(asked.match.conditions)).toEqual(evaluate(naive, asked));
  };
  const listOf = (type: Scalar | null): ValueType | null =>
    type === null ? null : { kind: 'list', of: type, nullable: true };

  test.each(pairs)('$left.name with $right.name, both in rows', async ({ left, right }) => {
    for (const operator of operators) {
      const condition = compare(prop('p.v', left.type), operator, prop('q.v', right.type));
      await same(
        query(block([node('p', left.name), node('q', right.name)], { conditions: [condition] }), [
          own('p.id'),
          own('q.id'),
        ]),
      );
    }
  });

  test.each(pairs)('$left.name in rows with $right.name that is given', async ({ left, right }) => {
    for (const given of right.values) {
      const asks = (condition: Condition) =>
        same(query(block([node('p', left.name)], { conditions: [condition] }), [own('p.id')]));
      for (const operator of operators)
        await asks(compare(prop('p.v', left.type), operator, value(given, right.type)));
      await asks(compare(prop('p.all', listOf(left.type)), 'contains', value(given, right.type)));
    }
  });

  test.each(pairs)('$left.name in rows among $right.name that are given', async ({ left, right }) => {
    for (const values of [right.values, right.values.slice(0, 3), right.values.slice(-4)]) {
      const among = compare(prop('p.v', left.type), 'in', {
        ...{ kind: 'value', value: values, type: listOf(right.type) },
      });
      await same(query(block([node('p', left.name)], { conditions: [among] }), [own('p.id')]));
    }
  });

  test.each(kinds)('$name are ordered, and have a least and a greatest', async ({ name, type }) => {
    await same(
      query(block([node('p', name)]), [own('p.id')], {
        order: [{ expression: prop('p.v', type), descending: true }],
      }),
    );
    await same(
      query(
        block([node('p', name)]),
        (['min', 'max', 'count'] as const).map((fn) => ({ kind: 'aggregate', fn, of: prop('p.v', type) })),
      ),
    );
  });
});
