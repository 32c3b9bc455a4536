import { describe, expect, test } from 'vitest';
import { ByteMatrix } from './byte-matrix.js';
import { compileMultiply, plainMultiply } from './dot-products.js';

describe.each([
  ['compiled', compileMultiply],
  ['in JavaScript', plainMultiply],
])('rows of bytes multiplied with a query, %s', (_, multiply) => {
  function products(
    columns: number,
    rows: readonly (readonly number[])[],
    query: readonly number[],
  ): number[] {
    const matrix = new ByteMatrix(columns, multiply);
    for (const [at, row] of rows.entries()) matrix.row(at).set(row);
    const found: number[] = [];
    matrix.multiply(Float32Array.from(query), 0, rows.length, (product, row) => {
      found[row] = product;
    });
    return found;
  }

  test('are in proportion to the exact products', () => {
    const [one = 0, ...others] = products(
      3,
      [
        [1, 0, 0],
        [3, 0, 0],
        [-2, 0, 0],
        [0, 1, 1],
        [127, 127, 127],
        [0, 0, 0],
      ],
      [1, 0.5, -0.5],
    );
    expect(one).toBeGreaterThan(0);
    expect(others.map((product) => Math.round((product / one) * 100) / 100)).toEqual([3, -2, 0, 127, 0]);
  });

  test('never overflow, however many columns there are', () => {
    const columns = 20_000;
    const ones = new Array<number>(columns).fill(1);
    const [most = 0, least = 0] = products(columns, [ones.map(() => 127), ones.map(() => -127)], ones);
    expect(most).toBeGreaterThan(0);
    expect(least).toBe(-most);
  });

  test('are those of every row, beyond a block and while the memory grows', () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => [at % 127, 1]);
    const found = products(17, rows, [1, 0]);
    const unit = found[1] ?? 0;
    expect(found).toEqual(rows.map(([first = 0]) => first * unit));
  });

  test('are zero for a query of zeros', () => {
    expect(products(2, [[5, 7]], [0, 0])).toEqual([0]);
  });
});
