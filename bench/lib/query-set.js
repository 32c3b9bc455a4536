// @ts-check
import { propertyHash } from '../../dist/store/sql/properties/node-properties.js';
import { hubIndex, largeQuestions } from './large-query-set.js';
import {
  aggregate,
  compare,
  floatText,
  id,
  knows,
  live,
  person,
  prop,
  query,
  scalar,
} from './query-forms.js';

/**
 * @typedef {import('./query-forms.js').Question} Question
 * @typedef {import('../../dist/store/row-query.js').RowQuery} RowQuery
 * @typedef {import('../../dist/store/store-contract.js').Store} Store
 * @typedef {import('./random.js').Random} Random
 */

const author = { actor: 'bench', tool: 'bench' };
export const cities = Array.from({ length: 20 }, (_, index) => `city ${index}`);
const edgesPerNode = 3;

export const personName = (/** @type {number} */ index) => `person-${index}`;

/**
 * Fills a graph: people with a few properties, two of them indexed, and three edges each to others; one in nine knows the hub.
 * @param {Store} store
 * @param {number} size
 * @param {Random} random
 */
export async function fillPeople(store, size, random) {
  await store.createGraph('people');
  const target = { graph: 'people' };
  await store.write(target, author, (writer) =>
    writer.indexProperties([
      { type: 'Person', property: 'age', valueType: scalar('I32') },
      { type: 'Person', property: 'minutes', valueType: scalar('I32') },
    ]),
  );
  /** @type {number[]} */
  const ids = [];
  for (let from = 0; from < size; from += 5_000) {
    const names = Array.from({ length: Math.min(5_000, size - from) }, (_, index) =>
      personName(from + index),
    );
    await store.write(target, author, async (writer) => {
      const made = await writer.addIdentities(names.map((name) => ({ type: 'Person', name })));
      ids.push(...made.map(({ node }) => node));
      await writer.putNodes(
        made.map(({ node, name }, index) => ({
          ...{ id: node, type: 'Person', name },
          props: {
            slug: name,
            age: random.below(100),
            minutes: from + index,
            city: random.pick(cities),
            note: `the note of ${name}, who likes tea and cake`,
          },
        })),
      );
    });
  }
  for (let from = 0; from < size; from += 5_000) {
    await store.write(target, author, (writer) =>
      writer.putEdges(
        Array.from({ length: Math.min(5_000, size - from) * edgesPerNode }, (_, index) => {
          const a = from + Math.floor(index / edgesPerNode);
          // Every tenth knows nobody; who they would have known is known by the one after.
          const source = a % 10 === 0 ? (a + 1) % size : a;
          const other = (a * 7_919 + (index % edgesPerNode) * 1_009 + 1) % size;
          const isOfHub = a % 9 === 0 && index % edgesPerNode === 0;
          // Nobody knows only themselves.
          const b = isOfHub ? hubIndex : other === source ? (other + 1) % size : other;
          return {
            ...{
              from: at(ids, source),
              to: at(ids, b),
              type: 'Knows',
              key: a % 10 === 0 ? `${index % 3}` : '',
            },
            ...{
              fromName: personName(source),
              toName: personName(b),
              props: { since: 2_000 + (index % 25) },
            },
          };
        }),
      ),
    );
  }
}

/**
 * @param {readonly number[]} ids
 * @param {number} index
 */
const at = (ids, index) => /** @type {number} */ (ids[index]);

/**
 * @param {number} graph
 * @param {number} branch
 * @param {number} size
 * @param {number} turn
 * @param {{ age: number, minutes: number }} indexes
 * @returns {Question[]}
 */
export function questions(graph, branch, size, turn, indexes) {
  const name = personName(((turn * 7_919) % (size / 10)) * 10 + 1);
  const seen = [graph, branch];
  const low = (turn * 7_919) % (size - 1_000);
  const city = /** @type {string} */ (cities[turn % cities.length]);
  const key = compare('=', id('a'), name);
  const start = `select i.node from identity i where i.graph = ? and $named(i) and i.type = 'Person'`;
  return [
    {
      name: 'key look-up',
      query: query(['a'], { conditions: [key] }, [
        id('a'),
        prop('a', 'age', 'I32'),
        prop('a', 'city', 'String'),
      ]),
      sql: `select a.name, $json(a.props, age), $json(a.props, city) from node_row a
        where a.node in (${start}) and ${person('a')}`,
      params: [graph, name, ...seen],
      calls: 1_000,
    },
    {
      name: 'equality, indexed',
      query: query(['a'], { conditions: [compare('=', prop('a', 'age', 'I32'), turn % 100)] }, [id('a')]),
      sql: `select a.name from property_value p cross join node_row a where p.graph = ? and p.property = ?
        and p.value = ? and a.row = p.row and ${person('a')} order by a.name$binary`,
      params: [graph, indexes.age, floatText(turn % 100), ...seen],
      calls: 100,
    },
    {
      name: 'range, indexed',
      query: query(
        ['a'],
        {
          conditions: [
            compare('>=', prop('a', 'minutes', 'I32'), low),
            compare('<', prop('a', 'minutes', 'I32'), low + 1_000),
          ],
        },
        [id('a')],
      ),
      sql: `select a.name from property_value p cross join node_row a where p.graph = ? and p.property = ?
        and p.value >= ? and p.value < ? and a.row = p.row and ${person('a')} order by a.name$binary`,
      params: [graph, indexes.minutes, floatText(low), floatText(low + 1_000), ...seen],
      calls: 100,
    },
    {
      name: 'one hop',
      query: query(['a', 'b'], { hops: [knows('a', 'b')], conditions: [key] }, [
        id('b'),
        prop('b', 'age', 'I32'),
      ]),
      sql: `select distinct b.name$binary as b, $json(b.props, age) as age from node_row a cross join edge_row e cross join node_row b
        where a.node in (${start}) and ${person('a')} and e.from_node = a.node and e.type = 'Knows' and ${live('e')}
        and b.node = e.to_node and ${person('b')} order by b`,
      params: [graph, name, ...seen, ...seen, ...seen],
      calls: 1_000,
    },
    {
      name: 'two hops',
      query: query(['a', 'b', 'c'], { hops: [knows('a', 'b'), knows('b', 'c')], conditions: [key] }, [
        id('b'),
        id('c'),
      ]),
      sql: `select distinct b.name$binary as b, c.name$binary as c from node_row a cross join edge_row e cross join node_row b
        cross join edge_row f cross join node_row c
        where a.node in (${start}) and ${person('a')} and e.from_node = a.node and e.type = 'Knows' and ${live('e')}
        and b.node = e.to_node and ${person('b')} and f.from_node = b.node and f.type = 'Knows' and ${live('f')}
        and c.node = f.to_node and ${person('c')} order by b, c`,
      params: [graph, name, ...seen, ...seen, ...seen, ...seen, ...seen],
      calls: 1_000,
    },
    {
      name: 'aggregate',
      query: query(
        ['a'],
        {},
        [
          prop('a', 'city', 'String'),
          aggregate('count', { kind: 'node', variable: 'a' }),
          aggregate('avg', prop('a', 'age', 'I32')),
        ],
        { grouped: true },
      ),
      sql: `select city, count(*) as n, avg(age) as average from
        (select $text(a.props, city) as city, $number(a.props, age) as age from node_row a where ${person('a')}) q
        group by city order by city$binary`,
      params: seen,
      calls: 5,
    },
    {
      name: 'negation',
      query: query(
        ['a'],
        {
          conditions: [
            compare('=', prop('a', 'city', 'String'), city),
            {
              kind: 'exists',
              negated: true,
              block: { nodes: [{ id: 'b', types: ['Person'] }], hops: [knows('a', 'b')], conditions: [] },
            },
          ],
        },
        [id('a')],
      ),
      sql: `select a.name from node_row a
        where a.node in (select p.node from node_property p where p.graph = ? and p.hash = ?) and ${person('a')}
        and $text(a.props, city) = ?
        and not exists (select 1 from edge_row e where e.from_node = a.node and e.type = 'Knows' and ${live('e')})
        order by a.name$binary`,
      params: [graph, propertyHash('Person', 'city', city), ...seen, city, ...seen],
      calls: 5,
    },
    ...searches(turn, size),
    ...largeQuestions(graph, branch, turn, indexes),
  ];
}

/**
 * Words, which SQL by hand does not know: each note has a word of its own.
 * @param {number} turn
 * @param {number} size
 * @returns {Question[]}
 */
function searches(turn, size) {
  const number = (turn * 7_919) % size;
  const note = prop('a', 'note', 'String');
  /** @type {(kind: 'search' | 'match_text', text: string) => RowQuery} */
  const having = (kind, text) =>
    query(['a'], { conditions: [{ kind, operand: note, text, edits: null }] }, [id('a')]);
  return [
    { name: 'search', query: having('search', `${number} tea`), calls: 20 },
    { name: 'match_text', query: having('match_text', `person ${number}`), calls: 20 },
    {
      name: 'bm25',
      query: query(['a'], {}, [id('a')], {
        order: [{ expression: { kind: 'bm25', operand: note, text: `cake ${number}` }, descending: true }],
        limit: 10,
      }),
      calls: 3,
    },
  ];
}
