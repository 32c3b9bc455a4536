import fc from 'fast-check';
import type { GraphSchema } from '../../../src/schema/graph/graph-schema.js';
import { Choices } from './choices.js';
import { type GeneratedGraph, graph } from './graphs.js';
import { type GeneratedQuery, type QueryOptions, readQuery } from './queries.js';
import { schema } from './schemas.js';

/** A schema, a graph that it allows, and queries that are well typed by it. */
export interface GeneratedCase {
  readonly schema: GraphSchema;
  readonly graph: GeneratedGraph;
  readonly queries: readonly GeneratedQuery[];
}

/**
 * Cases for tests; several queries to a graph, since graphs take long to write. Run them with `endOnFailure`: what is drawn
 * step by step shrinks slowly, and a seed replays it.
 */
export function cases(queries: number, options: QueryOptions = {}): fc.Arbitrary<GeneratedCase> {
  return fc.gen().map((draw) => {
    const choose = new Choices(draw);
    const made = schema(choose);
    return {
      schema: made,
      graph: graph(choose, made),
      queries: Array.from({ length: queries }, () => readQuery(choose, made, options)),
    };
  });
}
