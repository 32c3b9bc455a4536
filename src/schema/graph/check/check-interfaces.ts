import type { Diagnostics } from '../../../language/diagnostics.js';
import type { InterfaceType } from '../graph-schema.js';
import type { DeclaredTypes } from './check-names.js';
import { checkProperties, type DeclaredProperty } from './check-properties.js';

/** An interface, with what its properties leave to the nodes that implement it. */
export interface CheckedInterface {
  readonly type: InterfaceType;
  readonly declared: ReadonlyMap<string, DeclaredProperty>;
}

/** The interfaces by name. */
export function checkInterfaces(
  { interfaces }: DeclaredTypes,
  findings: Diagnostics,
): ReadonlyMap<string, CheckedInterface> {
  return new Map(
    [...interfaces].map(([name, { members }]) => {
      const declared = checkProperties(members, 'interface', findings);
      const properties = new Map([...declared].map(([key, { property }]) => [key, property]));
      return [name, { type: { name, properties }, declared }];
    }),
  );
}
