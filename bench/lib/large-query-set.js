// @ts-check
import { aggregate, compare, floatText, id, knows, live, person, prop, query } from './query-forms.js';

/** Every ninth person knows them, so that about one in nine does. */
export const hubIndex = 5;
const hub = `person-${hubIndex}`;

/**
 * Queries that read much of the graph. Where memory beats SQL, the edges or words have been read before, as a server has
 * that was asked before.
 * @param {number} graph
 * @param {number} branch
 * @param {number} turn
 * @param {{ age: number }} indexes
 * @returns {import('./query-forms.js').Question[]}
 */
export function largeQuestions(graph, branch, turn, indexes) {
  const seen = [graph, branch];
  const hubOnly = compare('=', id('h'), hub);
  const word = String(10_000 + ((turn * 7_919) % 80_000));
  const counted = aggregate('count', { kind: 'node', variable: 'a' });
  const since = prop('w', 'since', 'I32', 'edge');
  const start = `select i.node from identity i where i.graph = ? and $named(i) and i.type = 'Person'`;
  /** @type {(directions: readonly ('in' | 'out')[]) => NonNullable<import('./query-forms.js').Question['byHand']>} */
  const reach =
    (directions) =>
    async ({ all, adjacency }) => {
      const [row] = await all(start, [graph, hub]);
      const nodes = adjacency.reach(Number(row?.['node']), 4, directions);
      const answer = await all(
        `select count(*) as n from node_row a where $list(a.node) and ${person('a')}`,
        [nodes, ...seen],
      );
      return answer.length;
    };
  /** @type {(name: string, direction: 'out' | 'both', directions: readonly ('in' | 'out')[]) => import('./query-forms.js').Question} */
  const around = (name, direction, directions) => ({
    name,
    query: query(
      ['a', 'h'],
      { hops: [knows('a', 'h', { max: 4, direction })], conditions: [hubOnly] },
      [counted],
      { grouped: true },
    ),
    byHand: reach(directions),
    calls: 7,
    isLarge: true,
  });
  /** @type {import('./query-forms.js').Question[]} */
  const questions = [
    around('{1,4} into the hub', 'out', ['in']),
    around('{1,4} either way from the hub', 'both', ['in', 'out']),
    {
      name: 'top in-degree',
      query: query(['a', 'b'], { hops: [knows('a', 'b')] }, [id('b'), counted], {
        grouped: true,
        order: [{ expression: counted, descending: true }],
        limit: 10,
      }),
      sql: `select b.name, q.n from (select e.to_node as node, count(distinct e.from_node) as n from edge_row e
        where ${live('e')} and e.type = 'Knows' and $unindexed(e.from_node) in (select a.node from node_row a where ${person('a')})
        group by $unindexed(e.to_node)) q cross join node_row b where b.node = q.node and ${person('b')} order by q.n desc, b.name$binary limit 10`,
      params: [...seen, ...seen, ...seen],
      calls: 7,
      isLarge: true,
    },
    {
      name: 'sum over all bound edges',
      query: query(['a', 'b'], { hops: [knows('a', 'b', { variable: 'w' })] }, [aggregate('sum', since)], {
        grouped: true,
      }),
      sql: `select sum($number(e.props, since)) as total from edge_row e where ${live('e')} and e.type = 'Knows'
        and $unindexed(e.from_node) in (select a.node from node_row a where ${person('a')})
        and $unindexed(e.to_node) in (select b.node from node_row b where ${person('b')})`,
      params: [...seen, ...seen, ...seen],
      calls: 7,
      isLarge: true,
    },
    {
      name: 'sum of bound edges by node',
      query: query(
        ['a', 'b'],
        { hops: [knows('a', 'b', { variable: 'w' })] },
        [id('b'), aggregate('sum', since)],
        { grouped: true, order: [{ expression: aggregate('sum', since), descending: true }], limit: 10 },
      ),
      sql: `select b.name, q.total from (select e.to_node as node, sum($number(e.props, since)) as total from edge_row e
        where ${live('e')} and e.type = 'Knows' and $unindexed(e.from_node) in (select a.node from node_row a where ${person('a')})
        group by $unindexed(e.to_node)) q cross join node_row b where b.node = q.node and ${person('b')} order by q.total desc, b.name$binary limit 10`,
      params: [...seen, ...seen, ...seen],
      calls: 7,
    },
    {
      name: 'one hop from 25,000 sources',
      query: query(
        ['a', 'b'],
        { hops: [knows('a', 'b')], conditions: [compare('<', prop('a', 'age', 'I32'), 25)] },
        [id('a'), id('b')],
        { limit: 1_000 },
      ),
      sql: `select distinct a.name$binary as a, b.name$binary as b from property_value p cross join node_row a cross join edge_row e cross join node_row b
        where p.graph = ? and p.property = ? and p.value < ? and a.row = p.row and ${person('a')}
        and e.from_node = a.node and e.type = 'Knows' and ${live('e')} and b.node = e.to_node and ${person('b')}
        order by a, b limit 1000`,
      params: [graph, indexes.age, floatText(25), ...seen, ...seen, ...seen],
      calls: 7,
    },
    {
      name: 'fuzzy',
      query: query(
        ['a'],
        { conditions: [{ kind: 'fuzzy', operand: prop('a', 'note', 'String'), text: word, edits: null }] },
        [id('a')],
      ),
      byHand: async ({ all, words }) => {
        const rows = words.almost(word);
        const sql = `select a.name from node_row a where $list(a.row) and ${person('a')} order by a.name$binary`;
        return (await all(sql, [rows, ...seen])).length;
      },
      calls: 7,
    },
  ];
  return questions.map((question) => ({ ...question, options: { length: 'unbounded', actor: 'bench' } }));
}
