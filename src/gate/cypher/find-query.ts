import type { CypherQuery } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import type { Keys } from '../gate-target.js';
import { keyParameters, keysPattern } from './write-query.js';

/** Keys with more matches than this are ambiguous, whatever the others are. */
export const maxMatches = 1_000;

/** The nodes with these keys. */
export function findQuery(dialect: CypherDialect, label: string, keys: Keys): CypherQuery {
  return {
    text: `MATCH (n:${dialect.quote(label)} {${keysPattern(dialect, 'n', keys)}})
RETURN ${dialect.idOf('n')} AS id, properties(n) AS properties LIMIT ${maxMatches}`,
    parameters: keyParameters('n', keys),
  };
}
