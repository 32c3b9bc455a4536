import type { TableTypes } from '../sql-tables.js';

export interface VectorTableTypes extends TableTypes {
  readonly bytes: string;
  /** A number that is used once, even if its row is deleted. */
  readonly serial: string;
}

/** `text_vector.document` is the row of a node times two, or that of an observation times two plus one. */
export function createVectorTables({ integer, bytes, serial, clustered }: VectorTableTypes): string[] {
  return [
    `create table vector_space (
      id ${integer} primary key, model text not null, perspective text not null, dimension ${integer} not null,
      unique (model, perspective, dimension))`,
    `create table text_vector (
      id ${serial}, graph ${integer} not null, space ${integer} not null, document ${integer} not null,
      vector ${bytes} not null)`,
    'create unique index text_vector_document on text_vector (graph, space, document)',
    'create index text_vector_id on text_vector (graph, space, id)',
    // Every row up to here has its vector; for properties of graph schemas, see `property-models.ts`.
    `create table embedding_progress (
      graph ${integer} not null, space ${integer} not null, source text not null, upto ${integer} not null,
      primary key (graph, space, source)) ${clustered}`,
  ];
}
