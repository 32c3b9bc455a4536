import type { CypherQuery } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import type { Keys } from '../gate-target.js';
import { keyParameters, keysPattern } from './write-query.js';

/** Keys with more matches than this are ambiguous, whatever the others are. */
const maxMatches = 1_000;

export const foundKind = 'found';

/** The nodes with these keys, and if there is none, those with similar names: one query instead of two. */
export function findQuery(
  dialect: CypherDialect,
  label: string,
  keys: Keys,
  similar: CypherQuery | undefined,
): CypherQuery {
  const node = (name: string) => `(${name}:${dialect.quote(label)} {${keysPattern(dialect, 'n', keys)}})`;
  const found = `MATCH ${node('f')}
RETURN '${foundKind}' AS kind, ${dialect.idOf('f')} AS id, properties(f) AS properties, null AS value LIMIT ${maxMatches}`;
  const parameters = keyParameters('n', keys);
  if (similar === undefined) return { text: found, parameters };
  return {
    text: `${found}
UNION ALL
OPTIONAL MATCH ${node('f')}
WITH count(f) AS matches WHERE matches = 0
${similar.text}`,
    parameters: { ...parameters, ...similar.parameters },
  };
}
