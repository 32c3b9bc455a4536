import type { CypherDialect } from '../cypher-dialect.js';
import { unlessScalarOrList } from './scalar-lists.js';

function quote(name: string): string {
  return `\`${name}\``;
}

/** FalkorDB runs one writing query of a graph at a time, so that it needs no locks. */
export const falkordbDialect: CypherDialect = {
  name: 'falkordb',
  title: 'FalkorDB',
  nameProblem(name) {
    if (name === '') return 'is empty';
    return name.includes('`') ? 'has a backtick, which FalkorDB cannot quote' : undefined;
  },
  quote,
  valueProblem: unlessScalarOrList,
  idOf: (variable) => `ID(${variable})`,
  // FalkorDB has no time with a zone.
  timestamp: (parameter) => parameter,
  lock: undefined,
  constraints: {
    create({ label, properties }) {
      const count = String(properties.length);
      return [
        // One for each: if one of several is indexed already, the others would not be.
        ...properties.map((property) => ({
          cypher: `CREATE INDEX FOR (n:${quote(label)}) ON (n.${quote(property)})`,
        })),
        {
          command: [
            'GRAPH.CONSTRAINT',
            'CREATE',
            'UNIQUE',
            'NODE',
            label,
            'PROPERTIES',
            count,
            ...properties,
          ],
        },
      ];
    },
    list: `CALL db.constraints() YIELD type, label, properties, entitytype, status
WHERE type = 'UNIQUE' AND entitytype = 'NODE'
RETURN label, properties`,
  },
};
