import type { CypherDialect } from '../cypher-dialect.js';

function quote(name: string): string {
  return `\`${name}\``;
}

/** Written after the documentation of Memgraph; no server has tested it. */
export const memgraphDialect: CypherDialect = {
  name: 'memgraph',
  title: 'Memgraph',
  nameProblem(name) {
    if (name === '') return 'is empty';
    return /[`\\]/.test(name) ? 'has a backtick or a backslash' : undefined;
  },
  quote,
  valueProblem: () => undefined,
  idOf: (variable) => `id(${variable})`,
  timestamp: (parameter) => `datetime(${parameter})`,
  lock: (variable) => `SET ${variable}._lock = true\nREMOVE ${variable}._lock`,
  constraints: {
    create({ label, properties }) {
      const keys = properties.map((property) => `n.${quote(property)}`).join(', ');
      return [
        { cypher: `CREATE CONSTRAINT ON (n:${quote(label)}) ASSERT ${keys} IS UNIQUE` },
        // A constraint of Memgraph is no index.
        { cypher: `CREATE INDEX ON :${quote(label)}(${properties.map(quote).join(', ')})` },
      ];
    },
    list: 'SHOW CONSTRAINT INFO',
  },
};
