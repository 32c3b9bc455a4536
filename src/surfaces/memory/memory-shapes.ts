import { z } from 'zod';
import type { FittedPage } from '../../engine/read/fit/fit-page.js';
import type { EdgeSpec, NodeSpec, NodeWithFacts } from '../../engine/specs.js';
import { limits } from '../../model/limits.js';
import { endTypeInputs } from '../type-shapes.js';

const name = z.string().min(1).max(limits.nameLength);
const text = z.string().max(limits.textLength);

/** A list of at most one batch. */
export function memoryBatch<T extends z.ZodType>(item: T, what: string) {
  return z.array(item).max(limits.batchItems).describe(what);
}

export const names = (what: string) => memoryBatch(z.string(), what);

export const entityInput = z.object({
  name: name.describe('The name of the entity; names are unique and case-sensitive'),
  entityType: name.describe('The type of the entity'),
  observations: memoryBatch(text, 'Facts about the entity, one per string'),
});

const endTypes = { fromEntityType: endTypeInputs.from, toEntityType: endTypeInputs.to };

export const memoryRelationInput = z.object({
  from: name.describe('The name of the entity where the relation starts'),
  to: name.describe('The name of the entity where the relation ends'),
  relationType: name.describe('The type of the relation, in active voice'),
  ...endTypes,
});

/** A relation as it is looked for: any three strings, since what matches nothing is no error. */
export const relationPattern = z.object({
  from: z.string().describe('The name of the entity where the relation starts'),
  to: z.string().describe('The name of the entity where the relation ends'),
  relationType: z.string().describe('The type of the relation'),
  ...endTypes,
});

export const observationText = text;

export const entityOutput = z.object({
  name: z.string(),
  entityType: z.string(),
  observations: z.array(z.string()),
});

export const memoryRelationOutput = z.object({ from: z.string(), to: z.string(), relationType: z.string() });

export const graphOutput = z.object({
  entities: z.array(entityOutput),
  relations: z.array(memoryRelationOutput),
});

export const pageOutput = graphOutput.extend({
  nextCursor: z.string().optional().describe('Pass as cursor to get the next page; absent on the last'),
  warnings: z.array(z.string()).optional().describe('What is missing from this result, and why'),
});

export const cursor = z
  .string()
  .min(1)
  .max(limits.nameLength)
  .optional()
  .describe('The nextCursor of the previous page');

export const memoryPageInput = {
  limit: z
    .int()
    .min(1)
    .max(limits.batchItems)
    .optional()
    .describe('At most this many entities; default: all'),
  cursor,
  entityTypes: names('Only entities of these types').optional(),
};

export type MemoryEntity = z.output<typeof entityOutput>;
export type MemoryRelation = z.output<typeof memoryRelationOutput>;

/** The message a delete answers with. */
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

/** A part of the graph as agents see it, and what there is to say about it. */
export function toMemoryGraph({
  nodes,
  edges,
  nextCursor,
  warnings = [],
}: Pick<FittedPage<NodeWithFacts>, 'nodes' | 'edges' | 'nextCursor'> & {
  readonly warnings?: readonly string[];
}): z.output<typeof pageOutput> {
  return {
    entities: nodes.map(({ node, facts }) => ({
      name: node.name,
      entityType: node.type,
      observations: [...facts],
    })),
    relations: edges.map((edge) => ({ from: edge.fromName, to: edge.toName, relationType: edge.type })),
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}
