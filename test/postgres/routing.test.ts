import { describe, expect, test } from 'vitest';
import { routingProblems } from './support/routing-problems.js';

/** What `check-statements.ts` holds every statement of every test against. */
describe('a distributed database sends a statement to one node', () => {
  test.each([
    ['a table is asked for a graph', 'select 1 from node_row r where r.graph = $1 and r.node = $2'],
    [
      'a join by graph',
      'select 1 from commit_log c join branch b on b.graph = c.graph and b.id = c.branch where c.graph = $1',
    ],
    [
      'a small table beside it',
      'select 1 from branch b join graph g on g.id = b.graph where b.graph = $1 and g.name = $2',
    ],
    [
      'a subquery that names it too',
      'select 1 from node_row r where r.graph = $1 and exists (select 1 from shadow s where s.graph = $1 and s.row = r.row)',
    ],
    [
      'both halves of a union',
      'select node from node_row where graph = $1 union all select node from observation_row where graph = $1',
    ],
    ['rows that name their graph', 'insert into shadow (graph, kind, row) values ($1, $2, $3), ($4, $5, $6)'],
    ['an update', 'update branch set head_seq = $2 where graph = $1 and id = $3'],
    ['no such table', 'select id from graph where name = $1'],
  ])('%s', (_, statement) => {
    expect(routingProblems(statement)).toEqual([]);
  });

  test.each([
    ['a table without a graph', 'select max(row) from node_row', ['node_row is not asked for one graph']],
    [
      'a graph that is found on the way',
      'select 1 from graph g join branch b on b.graph = g.id where g.name = $1',
      ['branch b is not asked for one graph'],
    ],
    [
      'two parameters',
      'select node from node_row where graph = $1 except select node from observation_row where graph = $2',
      ['the graph is named by $1 and $2'],
    ],
    [
      'one of two conditions',
      'select 1 from node_row r where r.graph = $1 or r.node = $2',
      ['node_row r is not asked for one graph'],
    ],
    [
      'a subquery that names the graph around it',
      'select 1 from node_row r where r.graph = $1 and exists (select 1 from shadow s where s.graph = r.graph)',
      ['shadow s is not asked for one graph'],
    ],
    ['a delete', 'delete from shadow where row = $1', ['shadow is not asked for one graph']],
    [
      'a row without a graph',
      'insert into shadow (kind, row) values ($1, $2)',
      ['shadow is not asked for one graph'],
    ],
  ])('but not %s', (_, statement, problems) => {
    expect(routingProblems(statement)).toEqual(problems);
  });
});
