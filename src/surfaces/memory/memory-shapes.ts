import { z } from 'zod';
import type { FittedPage } from '../../engine/read/fit/fit-page.js';
import type { EdgeSpec, NodeSpec, NodeWithFacts } from '../../engine/specs.js';
import { limits } from '../../model/limits.js';
import {
  batchInput,
  cursorInput,
  endTypeInputs,
  limitInput,
  nextCursorOutput,
  pageExtras,
  storedName,
} from '../common-shapes.js';

export const observationText = z.string().max(limits.textLength);
export const names = (what: string) => batchInput(z.string(), what);

export const entityInput = z.object({
  name: storedName.describe('The name of the entity; names are unique and case-sensitive'),
  entityType: storedName.describe('The type of the entity'),
  observations: batchInput(observationText, 'Facts about the entity, one per string'),
});

const endTypes = { fromEntityType: endTypeInputs.from, toEntityType: endTypeInputs.to };

export const memoryRelationInput = z.object({
  from: storedName.describe('The name of the entity where the relation starts'),
  to: storedName.describe('The name of the entity where the relation ends'),
  relationType: storedName.describe('The type of the relation, in active voice'),
  ...endTypes,
});

/** Any three strings: what matches nothing is not an error. */
export const relationPattern = z.object({
  from: z.string().describe('The name of the entity where the relation starts'),
  to: z.string().describe('The name of the entity where the relation ends'),
  relationType: z.string().describe('The type of the relation'),
  ...endTypes,
});

export const entityOutput = z.object({
  name: z.string(),
  entityType: z.string(),
  observations: z.array(z.string()),
});

export const memoryRelationOutput = z.object({ from: z.string(), to: z.string(), relationType: z.string() });

export const pageOutput = z.object({
  entities: z.array(entityOutput),
  relations: z.array(memoryRelationOutput),
  nextCursor: nextCursorOutput,
  warnings: z.array(z.string()).optional().describe('What is missing from this result, and why'),
});

export const memoryPageInput = {
  limit: limitInput('At most this many entities; default: all'),
  cursor: cursorInput,
  entityTypes: names('Only entities of these types').optional(),
};

export type MemoryPage = z.output<typeof pageOutput>;
export type MemoryEntity = z.output<typeof entityOutput>;
export type MemoryRelation = z.output<typeof memoryRelationOutput>;

export const deletedOutput = z.object({ success: z.boolean(), message: z.string() });

export function toMemoryEntity({ name, type, observations }: NodeSpec): MemoryEntity {
  return { name, entityType: type, observations: [...observations] };
}

export function toMemoryRelation({ from, to, type }: EdgeSpec): MemoryRelation {
  return { from, to, relationType: type };
}

export function memoryEdgeSpec(relation: z.output<typeof relationPattern>): EdgeSpec {
  const { from, fromEntityType: fromType, to, toEntityType: toType, relationType: type } = relation;
  return { from, fromType, to, toType, type };
}

export function toMemoryGraph({
  nodes,
  edges,
  ...page
}: Pick<FittedPage<NodeWithFacts>, 'nodes' | 'edges' | 'nextCursor'> & {
  readonly warnings?: readonly string[];
}): MemoryPage {
  return {
    entities: nodes.map(({ node: { name, type }, facts }) =>
      toMemoryEntity({ name, type, observations: facts }),
    ),
    relations: edges.map((edge) => ({ from: edge.fromName, to: edge.toName, relationType: edge.type })),
    ...pageExtras(page),
  };
}
