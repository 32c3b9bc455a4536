import { z } from 'zod';
import type { EdgeSpec, NodeSpec, Subgraph } from '../engine/specs.js';

export interface Entity {
  name: string;
  entityType: string;
  observations: string[];
}

export interface Relation {
  from: string;
  to: string;
  relationType: string;
}

export interface KnowledgeGraph {
  entities: Entity[];
  relations: Relation[];
}

export interface NewObservations {
  entityName: string;
  contents: string[];
}

export interface AddedObservations {
  entityName: string;
  addedObservations: string[];
}

export interface ObservationDeletion {
  entityName: string;
  observations: string[];
}

export function entitySpec({ name, entityType, observations }: Entity): NodeSpec {
  return { name, type: entityType, observations };
}

export function specEntity({ name, type, observations }: NodeSpec): Entity {
  return { name, entityType: type, observations: [...observations] };
}

export function relationSpec({ from, to, relationType }: Relation): EdgeSpec {
  return { from, to, type: relationType };
}

export function specRelation({ from, to, type }: EdgeSpec): Relation {
  return { from, to, relationType: type };
}

export function toKnowledgeGraph({ nodes, edges }: Subgraph): KnowledgeGraph {
  return {
    entities: nodes.map(({ node: { name, type }, facts }) => specEntity({ name, type, observations: facts })),
    relations: edges.map(({ fromName, toName, type }) => specRelation({ from: fromName, to: toName, type })),
  };
}

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
