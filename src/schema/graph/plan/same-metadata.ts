import { isDeepStrictEqual } from 'node:util';
import type { EdgeType, NodeType, Property } from '../graph-schema.js';

/** Whether two declarations of properties say the same, in the same order. */
export function sameProperties(
  before: ReadonlyMap<string, Property>,
  after: ReadonlyMap<string, Property>,
): boolean {
  return isDeepStrictEqual([...before.values()], [...after.values()]);
}

/** Whether what describes a type is the same, but for the name it says it had, which does nothing once it was applied. */
export function sameDescription(before: Property | NodeType | EdgeType, after: typeof before): boolean {
  return isDeepStrictEqual(descriptionOf(before), descriptionOf(after));
}

function descriptionOf({ description, instruction, annotations }: Property | NodeType | EdgeType) {
  return { description, instruction, annotations };
}
