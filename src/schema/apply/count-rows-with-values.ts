import type { ValueType } from '../../model/value-type.js';
import type { Reader } from '../../store/reader.js';
import type { Condition, RowQuery } from '../../store/row-query.js';
import type { NarrowedEnum } from '../graph/plan/schema-step.js';

const text: ValueType = { kind: 'scalar', scalar: 'String', nullable: true };
const texts: ValueType = { kind: 'list', of: 'String', nullable: false };

/** How many rows have one of the values that an enum loses. */
export async function countRowsWithValues(reader: Reader, narrowed: NarrowedEnum): Promise<number> {
  const { rows } = await reader.query(countQuery(narrowed));
  return Number(rows[0]?.[0] ?? 0);
}

function countQuery({ kind, type, property, values }: NarrowedEnum): RowQuery {
  const holds: Condition = {
    kind: 'compare',
    operator: 'in',
    left: { kind: 'property', variable: 'row', of: kind, property, place: 'props', type: text },
    right: { kind: 'value', value: values, type: texts },
  };
  const ends = { from: 'from', to: 'to' };
  const match =
    kind === 'node'
      ? { nodes: [{ id: 'row', types: [type] }], hops: [] }
      : {
          nodes: Object.values(ends).map((id) => ({ id, types: null })),
          hops: [{ ...ends, edge: type, direction: 'out', min: 1, max: 1, variable: 'row' } as const],
        };
  const count = { kind: 'aggregate', fn: 'count', of: { kind, variable: 'row' } } as const;
  return {
    match: { ...match, conditions: [holds] },
    columns: [{ name: 'rows', expression: count }],
    ...{ grouped: true, order: [], limit: null },
  };
}
