import { TrellisError } from './error.js';
import type { StampField } from './provenance.js';

export function stampCollisionError(
  where: string,
  type: string,
  field: StampField,
  details: Readonly<Record<string, unknown>> = {},
): TrellisError {
  return new TrellisError(
    'INVALID_ARGUMENT',
    `${where}the write gate has stamped this ${type} with "${field}", so it cannot have a property of that name.`,
    {
      hint: 'Nothing was written. Give the property another name, or give the graph a schema that declares it.',
      details: { ...details, property: field },
    },
  );
}
