import type { VectorTableTypes } from '../../vector-tables.js';

/**
 * What a new process needs to find similar nodes without reading all vectors: derived from them, and dropped with them.
 * Not clustered, since the rows are large.
 */
export function createNodePairTables({
  integer,
  bytes,
}: Pick<VectorTableTypes, 'integer' | 'bytes'>): string[] {
  const place = `graph ${integer} not null, branch ${integer} not null, space ${integer} not null, view ${integer} not null`;
  return [
    `create table node_pairs (
      ${place}, version ${integer} not null, seq ${integer} not null, vector ${integer} not null,
      upto ${integer} not null, purges ${integer} not null, body ${bytes} not null,
      primary key (graph, branch, space, view))`,
    `create table node_bits (
      ${place}, chunk ${integer} not null, nodes ${bytes} not null, bits ${bytes} not null,
      primary key (graph, branch, space, view, chunk))`,
  ];
}
