import { expect, test } from 'vitest';
import { parseGraphSchema } from '../schema/graph/parse-graph-schema.js';
import { bindQuery } from './bind-query.js';
import { checkQueries } from './check/check-query.js';
import { estimateReadLength } from './estimate-read-length.js';

const schema = parseGraphSchema(`
node Person { slug: String @key  age: I32 @index }
edge Knows: Person -> Person
`);

async function lengthOf(body: string): Promise<string> {
  const [checked] = checkQueries({ text: `query q() { ${body} }` }, schema);
  if (checked === undefined) throw new Error(body);
  const bound = await bindQuery(checked, {}, { clock: () => 0, embed: null });
  if (bound.kind !== 'read') throw new Error(body);
  return estimateReadLength(bound.query, schema);
}

test('looking up one node by its key is short', async () => {
  expect(await lengthOf('match { $p: Person { slug: "a" } } return { $p.age }')).toBe('short');
});

test.each([
  'match { $p: Person { age: 3 } } return { $p.slug }',
  'match { $p: Person } return { $p.slug }',
  'match { $p: Person { slug: "a" } $p knows $q } return { $q.slug }',
  'match { $p: Person { slug: "a" } } return { count($p) as n }',
])('%s may be long', async (body) => {
  expect(await lengthOf(body)).toBe('unbounded');
});
