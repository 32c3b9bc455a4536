import type { AggregateFunction } from '../../../src/store/row-query.js';
import { inOrder, type Value } from './values.js';

/** What a function makes of values, none of which is null. */
export function aggregateOf(fn: AggregateFunction, values: readonly Value[]): Value | null {
  const numbers = values.flatMap((value) =>
    value.kind === 'number' || value.kind === 'integer' ? [value.value] : [],
  );
  switch (fn) {
    case 'count':
      return { kind: 'number', value: values.length };
    case 'sum':
      return numbers.length === 0 ? null : { kind: 'number', value: sumOf(numbers) };
    case 'avg':
      return numbers.length === 0 ? null : { kind: 'number', value: sumOf(numbers) / numbers.length };
    default: {
      const isBetter = fn === 'min' ? (order: number) => order < 0 : (order: number) => order > 0;
      return values
        .filter(({ kind }) => kind !== 'list')
        .reduce<Value | null>((a, b) => (a === null || isBetter(inOrder(b, a)) ? b : a), null);
    }
  }
}

/** Integers exactly, since they may cancel each other out. */
function sumOf(numbers: readonly (number | bigint)[]): number {
  const isWhole = (value: number | bigint) => typeof value === 'bigint' || Number.isInteger(value);
  const whole = numbers.filter(isWhole).reduce<bigint>((total, each) => total + BigInt(each), 0n);
  return numbers
    .filter((value) => !isWhole(value))
    .reduce<number>((total, each) => total + Number(each), Number(whole));
}
