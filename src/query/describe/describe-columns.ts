import { formatValueType } from '../../language/format-value-type.js';
import type { ValueType } from '../../model/value-type.js';
import type { CheckedExpression, CheckedQuery, CheckedRead } from '../check/checked-query.js';

export interface ColumnDescription {
  readonly name: string;
  /** As the language writes it, `node` or `edge` for a whole one; null if only the row can tell. */
  readonly type: string | null;
  readonly nullable: boolean;
}

type ColumnType = Omit<ColumnDescription, 'name'>;

export function describeColumns({ body, declaration }: CheckedQuery): readonly ColumnDescription[] {
  if (body.kind === 'mutation') return [];
  if (declaration.explain) return [{ name: 'step', type: 'String', nullable: false }];
  return body.columns.map(({ name, expression }) => ({ name, ...columnType(expression, body) }));
}

function columnType(expression: CheckedExpression, read: CheckedRead): ColumnType {
  switch (expression.kind) {
    case 'node':
    case 'edge':
      return { type: expression.kind, nullable: false };
    case 'nearest':
    case 'bm25':
    case 'rrf':
      return { type: 'F64', nullable: true };
    case 'aggregate':
      return aggregateType(expression, read);
    default:
      return valueType(expression.type);
  }
}

function aggregateType(
  { fn, of }: Extract<CheckedExpression, { kind: 'aggregate' }>,
  { columns }: CheckedRead,
): ColumnType {
  if (fn === 'count' || !('type' in of)) return { type: 'I64', nullable: false };
  const value = valueType(of.type);
  const type = fn === 'min' || fn === 'max' ? value.type : 'F64';
  // Without a column to group by there is one row, even over nothing.
  const isSingleRow = columns.every(({ expression }) => expression.kind === 'aggregate');
  return { type, nullable: value.nullable || isSingleRow };
}

function valueType(type: ValueType | null): ColumnType {
  if (type === null) return { type: null, nullable: true };
  return { type: formatValueType({ ...type, nullable: false }), nullable: type.nullable };
}
