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
