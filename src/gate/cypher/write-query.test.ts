import { expect, test } from 'vitest';
import { falkordbDialect } from '../../cypher/dialects/falkordb-dialect.js';
import { memgraphDialect } from '../../cypher/dialects/memgraph-dialect.js';
import { neo4jDialect } from '../../cypher/dialects/neo4j-dialect.js';
import { createQuery } from './create-query.js';
import { similarNames, similarNamesQuery } from './similar-names-query.js';
import { type PendingWrite, writeQuery } from './write-query.js';

const set = {
  properties: { age: 30 },
  stamp: { confidence: 1, last_updated: '2026-01-01T00:00:00.000Z' },
  provenance: '{}',
};
const newNode: PendingWrite = {
  found: [],
  created: [{ variable: 'n0', label: 'Person', keys: { name: 'Ada' }, create: set }],
};
const relationshipToStub: PendingWrite = {
  found: [
    { variable: 'm0', label: 'Person', id: '4:1', key: 'name', update: { ...set, revision: 'before' } },
  ],
  created: [{ variable: 'n0', label: 'Big City', keys: { name: 'Ulm', 'zip code': 89073 }, create: set }],
  relationship: { from: 'm0', type: 'LIVES_IN', to: 'n0', set },
};

test('Memgraph: a new node', () => {
  expect(writeQuery(memgraphDialect, newNode)).toMatchInlineSnapshot(`
    {
      "parameters": {
        "n0_confidence": 1,
        "n0_key0": "Ada",
        "n0_last_updated": "2026-01-01T00:00:00.000Z",
        "n0_properties": {
          "age": 30,
        },
        "n0_provenance": "{}",
      },
      "text": "OPTIONAL MATCH (other_n0:\`Person\` {\`name\`: $n0_key0})
    WITH count(other_n0) AS count_n0 WHERE count_n0 = 0
    MERGE (n0:\`Person\` {\`name\`: $n0_key0})
    ON CREATE SET n0 += $n0_properties, n0.confidence = $n0_confidence, n0.last_updated = datetime($n0_last_updated), n0._provenance = $n0_provenance
    RETURN n0._provenance = $n0_provenance AS written",
    }
  `);
});

test('Memgraph: a node that is changed, with a relationship to a new one', () => {
  expect(writeQuery(memgraphDialect, relationshipToStub).text).toMatchInlineSnapshot(`
    "MATCH (m0:\`Person\`) WHERE id(m0) = $m0_id
    SET m0._lock = true
    REMOVE m0._lock
    WITH m0 WHERE coalesce(m0._provenance, '') = $m0_revision
    OPTIONAL MATCH (other_n0:\`Big City\` {\`name\`: $n0_key0, \`zip code\`: $n0_key1})
    WITH m0, count(other_n0) AS count_n0 WHERE count_n0 = 0
    MERGE (n0:\`Big City\` {\`name\`: $n0_key0, \`zip code\`: $n0_key1})
    ON CREATE SET n0 += $n0_properties, n0.confidence = $n0_confidence, n0.last_updated = datetime($n0_last_updated), n0._provenance = $n0_provenance
    SET m0 += $m0_properties, m0.confidence = $m0_confidence, m0.last_updated = datetime($m0_last_updated), m0._provenance = $m0_provenance
    MERGE (m0)-[r:\`LIVES_IN\`]->(n0)
    SET r += $r_properties, r.confidence = $r_confidence, r.last_updated = datetime($r_last_updated), r._provenance = $r_provenance
    RETURN n0._provenance = $n0_provenance AS written"
  `);
});

test('Memgraph: constraints, and similar names', () => {
  expect(
    memgraphDialect.constraints.create({ label: 'Person', properties: ['name', 'born in'] }),
  ).toMatchInlineSnapshot(`
    [
      {
        "cypher": "CREATE CONSTRAINT ON (n:\`Person\`) ASSERT n.\`name\`, n.\`born in\` IS UNIQUE",
      },
      {
        "cypher": "CREATE INDEX ON :\`Person\`(\`name\`, \`born in\`)",
      },
    ]
  `);
});

test('Memgraph: a node that is probably new, and those with similar names', () => {
  const [creation] = newNode.created;
  const names = similarNames(memgraphDialect, 'Person', { name: 'Katharina' });
  if (creation === undefined || names === undefined) throw new Error('There is a text key.');
  expect(createQuery(memgraphDialect, creation, names)).toMatchInlineSnapshot(`
    {
      "parameters": {
        "n0_confidence": 1,
        "n0_key0": "Ada",
        "n0_last_updated": "2026-01-01T00:00:00.000Z",
        "n0_properties": {
          "age": 30,
        },
        "n0_provenance": "{}",
        "ranges": [
          [
            "Katha",
            "Katha􏿿",
          ],
          [
            "katha",
            "katha􏿿",
          ],
          [
            "KATHA",
            "KATHA􏿿",
          ],
          [
            "Ka",
            "Ka􏿿",
          ],
          [
            "ka",
            "ka􏿿",
          ],
          [
            "KA",
            "KA􏿿",
          ],
        ],
      },
      "text": "OPTIONAL MATCH (other:\`Person\` {\`name\`: $n0_key0})
    WITH count(other) AS others
    UNWIND CASE WHEN others = 0 THEN $ranges ELSE [] END AS bounds
    MATCH (n:\`Person\`) WHERE n.\`name\` >= bounds[0] AND n.\`name\` <= bounds[1]
    WITH DISTINCT n LIMIT 200
    WITH collect(n.\`name\`) AS similar
    MERGE (n0:\`Person\` {\`name\`: $n0_key0})
    ON CREATE SET n0 += $n0_properties, n0.confidence = $n0_confidence, n0.last_updated = datetime($n0_last_updated), n0._provenance = $n0_provenance
    WITH n0, similar, n0._provenance = $n0_provenance AS written
    RETURN written, similar, CASE WHEN written THEN null ELSE id(n0) END AS id, CASE WHEN written THEN null ELSE properties(n0) END AS properties LIMIT 1000",
    }
  `);
  expect(similarNamesQuery(names).text).toMatchInlineSnapshot(`
    "UNWIND $ranges AS bounds
    MATCH (n:\`Person\`) WHERE n.\`name\` >= bounds[0] AND n.\`name\` <= bounds[1]
    WITH DISTINCT n LIMIT 200
    WITH collect(n.\`name\`) AS similar
    RETURN similar"
  `);
});

test('FalkorDB runs one writing query at a time, and gets no locks', () => {
  const { text } = writeQuery(falkordbDialect, relationshipToStub);
  expect(text).not.toMatch(/_lock|SET m0.`name`/);
  expect(writeQuery(neo4jDialect, relationshipToStub).text).toContain('SET m0.`name` = m0.`name`\nWITH m0');
});

test.each([
  ['a`b', '`a``b`'],
  ['a\\u0060b', '`a\\u005Cu0060b`'],
  ['}) DETACH DELETE n //', '`}) DETACH DELETE n //`'],
])('Neo4j: the name %j is quoted', (name, quoted) => {
  expect(neo4jDialect.quote(name)).toBe(quoted);
});

test('names that a dialect cannot quote are refused', () => {
  for (const dialect of [memgraphDialect, falkordbDialect]) expect(dialect.nameProblem('a`b')).toBeDefined();
  expect(memgraphDialect.nameProblem('a\\b')).toBeDefined();
  for (const dialect of [neo4jDialect, memgraphDialect, falkordbDialect])
    expect(dialect.nameProblem('')).toBeDefined();
});
