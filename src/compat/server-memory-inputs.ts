import { z } from 'zod';

// Items may have further fields, as in the reference library, which does not store them either.
const entity = z.looseObject({ name: z.string(), entityType: z.string(), observations: z.array(z.string()) });
const relation = z.looseObject({ from: z.string(), to: z.string(), relationType: z.string() });

export const pathInput = z.object({ memoryFilePath: z.string().min(1) });
export const graphInput = z.looseObject({ entities: z.array(entity), relations: z.array(relation) });
export const entitiesInput = z.object({ entities: z.array(entity) });
export const relationsInput = z.object({ relations: z.array(relation) });
export const observationsInput = z.object({
  observations: z.array(z.looseObject({ entityName: z.string(), contents: z.array(z.string()) })),
});
export const entityNamesInput = z.object({ entityNames: z.array(z.string()) });
export const deletionsInput = z.object({
  deletions: z.array(z.looseObject({ entityName: z.string(), observations: z.array(z.string()) })),
});
export const queryInput = z.object({ query: z.string() });
export const namesInput = z.object({ names: z.array(z.string()) });
