import { formatValueType } from '../../language/format-value-type.js';
import type { GraphSchema } from '../../schema/graph/graph-schema.js';
import type { CheckedQuery } from '../check/checked-query.js';
import { type ColumnDescription, describeColumns } from './describe-columns.js';
import { type TypeNames, typesRead, typesWritten } from './used-types.js';

export interface QueryDescription {
  readonly name: string;
  readonly kind: 'read' | 'mutation';
  readonly parameters: readonly ParameterDescription[];
  readonly columns: readonly ColumnDescription[];
  readonly reads: TypeNames;
  readonly writes: TypeNames;
}

interface ParameterDescription {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

/** What a query takes, returns, reads and writes, as far as that is known without running it. */
export function describeQuery(query: CheckedQuery, schema: GraphSchema | null): QueryDescription {
  const { name, body, parameters } = query;
  return {
    name,
    kind: body.kind,
    parameters: [...parameters].map(([parameter, type]) => ({
      name: parameter,
      type: formatValueType({ ...type, nullable: false }),
      nullable: type.nullable,
    })),
    columns: describeColumns(query),
    reads: typesRead(body, schema),
    writes: typesWritten(body, schema),
  };
}
