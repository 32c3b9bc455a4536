import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bindQuery } from '../../../src/query/bind-query.js';
import { checkQueries } from '../../../src/query/check/check-query.js';
import { parseQueries } from '../../../src/query/parse-queries.js';
import type { GraphSchema } from '../../../src/schema/graph/graph-schema.js';
import { checkRowProps } from '../../../src/schema/graph/rows/check-row-props.js';
import { printQueries } from '../../language/print-queries.js';
import { withoutPlaces } from '../../language/without-places.js';
import { cases } from './cases.js';

const context = { clock: () => Date.UTC(2026, 0, 1), embed: null };

/** The queries of a text; a failure shows it. */
function checked(source: string, schema: GraphSchema) {
  try {
    return checkQueries({ text: source }, schema);
  } catch (thrown) {
    throw new Error(`${schema.source}\n${source}`, { cause: thrown });
  }
}

test('every generated query is well typed, and its parameters fit', async () => {
  await fc.assert(
    fc.asyncProperty(cases(5), async ({ schema, queries }) => {
      for (const { source, parameters } of queries) {
        const [query] = checked(source, schema);
        expect(query?.body.kind).toBe('read');
        if (query !== undefined) await bindQuery(query, parameters, context);
      }
    }),
    { numRuns: 150, endOnFailure: true },
  );
});

test('every generated node and edge is what its schema allows', () => {
  fc.assert(
    fc.property(cases(0), ({ schema, graph }) => {
      for (const { type, props } of graph.nodes) {
        const declared = schema.nodes.get(type);
        expect(declared && checkRowProps(declared, props).problems).toEqual([]);
      }
      for (const { type, props } of graph.edges) {
        const declared = schema.edges.get(type.toLowerCase());
        expect(declared && checkRowProps(declared, props).problems).toEqual([]);
      }
    }),
    { numRuns: 50, endOnFailure: true },
  );
});

test('every generated query is the same after it was printed and read again', () => {
  fc.assert(
    fc.property(cases(5), ({ queries }) => {
      for (const { source } of queries) {
        const file = parseQueries({ text: source });
        expect(withoutPlaces(parseQueries({ text: printQueries(file) }))).toEqual(withoutPlaces(file));
      }
    }),
    { numRuns: 50, endOnFailure: true },
  );
});
