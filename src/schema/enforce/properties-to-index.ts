import type { PropertyToIndex } from '../../store/drafts.js';
import type { GraphSchema } from '../graph/graph-schema.js';

/** The members of keys, unique lists and indexes of nodes. */
export function propertiesToIndex({ nodes }: GraphSchema): PropertyToIndex[] {
  return [...nodes.values()].flatMap(({ name: type, key, unique, index, properties }) => {
    const names = new Set([...(key ?? []), ...unique.flat(), ...index.flat()]);
    return [...names].flatMap((property): PropertyToIndex[] => {
      const valueType = properties.get(property)?.type;
      return valueType === undefined ? [] : [{ type, property, valueType }];
    });
  });
}
