import type { CypherDialect } from '../cypher-dialect.js';
import { unlessScalarOrList } from './scalar-lists.js';

/** Neo4j replaces `\u0060` by a backtick before it parses a query, inside of identifiers too. */
function quote(name: string): string {
  return `\`${name.replaceAll('\\', '\\u005C').replaceAll('`', '``')}\``;
}

export const neo4jDialect: CypherDialect = {
  name: 'neo4j',
  title: 'Neo4j',
  nameProblem: (name) => (name === '' ? 'is empty' : undefined),
  quote,
  valueProblem: unlessScalarOrList,
  idOf: (variable) => `elementId(${variable})`,
  timestamp: (parameter) => `datetime(${parameter})`,
  // Neo4j locks a node before it reads a property in order to set it. Setting and removing one takes longer.
  lock: (variable, property) => {
    const value = `${variable}.${quote(property)}`;
    return `SET ${value} = ${value}`;
  },
  constraints: {
    create({ label, properties }) {
      const keys = properties.map((property) => `n.${quote(property)}`).join(', ');
      return [
        { cypher: `CREATE CONSTRAINT IF NOT EXISTS FOR (n:${quote(label)}) REQUIRE (${keys}) IS UNIQUE` },
      ];
    },
    list: `SHOW CONSTRAINTS YIELD entityType, type, labelsOrTypes, properties
WHERE entityType = 'NODE' AND type IN ['UNIQUENESS', 'NODE_PROPERTY_UNIQUENESS', 'NODE_KEY']
RETURN labelsOrTypes[0] AS label, properties`,
  },
};
