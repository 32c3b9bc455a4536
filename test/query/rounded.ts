import type { RowQuery } from '../../src/store/row-query.js';

const digits = 12;

/** Rows in which only what may differ in its last digits is rounded: floats, and all that is a sum of numbers or made of one. */
export function rounded(rows: readonly (readonly unknown[])[], { columns }: RowQuery): unknown {
  const summed = columns.map(
    ({ expression }) =>
      expression.kind === 'aggregate' && (expression.fn === 'sum' || expression.fn === 'avg'),
  );
  return rows.map((row) =>
    // A sum is now an integer and now a little more than one, so neither is left as it is.
    row.map((cell, index) => (summed[index] && typeof cell === 'number' ? round(cell) : roundFloats(cell))),
  );
}

function roundFloats(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'number' && !Number.isSafeInteger(member) ? round(member) : member,
    ),
  );
}

function round(value: number): number {
  return Number(value.toPrecision(digits));
}
