import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowQuery } from '../../src/store/row-query.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';
import { block, compare, hop, node, own, prop, query, value } from './build.js';
import { write } from './people.js';

/** Where queries start, and which way they go. */
describe.each(storeKinds)('plans on $kind', (kind) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
    const people = Array.from({ length: 40 }, (_, index) => ({
      ...{
        type: 'Person',
        name: `p${index}`,
        props: { city: index % 2 === 0 ? 'x' : 'y', rare: index === 7 },
      },
    }));
    await write(scratch.store, [...people, { type: 'City', name: 'x' }]);
  });
  afterAll(() => scratch.dispose());

  const steps = async (asked: RowQuery) =>
    (await scratch.store.read({ graph: 'default' }, (reader) => reader.explain(asked))).steps;
  const pair = (...conditions: ReturnType<typeof compare>[]) =>
    query(block([node('p', 'Person'), node('c', 'City')], { hops: [hop('p', 'livesIn', 'c')], conditions }), [
      own('p.id'),
    ]);

  test('an id is where to start, and edges are followed backwards from there', async () => {
    expect(await steps(pair(compare(own('c.id'), '=', value('x'))))).toEqual([
      'find $c (City) by its id',
      'follow livesIn backwards from $c to $p',
    ]);
  });

  test('of several values the rarest is looked up', async () => {
    const asked = query(
      block([node('p', 'Person')], {
        conditions: [
          compare(prop('p.city', 'String'), '=', value('x', 'String')),
          compare(prop('p.rare', 'Bool'), '=', value(true, 'Bool')),
        ],
      }),
      [own('p.id')],
    );
    expect(await steps(asked)).toEqual(['find $p (Person) by the value of rare']);
  });

  test('with nothing to look up, the smaller type comes first', async () => {
    expect((await steps(pair()))[0]).toBe('find $c (City) among all nodes of its type');
  });

  test('a block inside starts from what is known outside', async () => {
    const asked = query(
      block([node('p', 'Person')], {
        conditions: [
          {
            kind: 'exists',
            negated: true,
            block: block([node('c', 'City')], { hops: [hop('p', 'livesIn', 'c', { max: 3 })] }),
          },
        ],
      }),
      [own('p.id')],
    );
    expect(await steps(asked)).toEqual([
      'find $p (Person) among all nodes of its type',
      'inside a block: follow livesIn forwards 1 to 3 times from $p to $c',
    ]);
  });

  test('the SQL holds no value of the query', async () => {
    const secret = "o'hara";
    const { sql } = await scratch.store.read({ graph: 'default' }, (reader) =>
      reader.explain(pair(compare(prop('p.city', 'String'), '=', value(secret, 'String')))),
    );
    expect(sql).not.toContain('hara');
  });
});
