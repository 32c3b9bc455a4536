import type { CypherQuery } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import { provenanceProperty } from '../../cypher/stored-properties.js';
import type { Json } from '../../model/json.js';
import { maxMatches } from './find-query.js';
import type { SimilarNames } from './similar-names-query.js';
import { assign, keyParameters, keysPattern, type NodeCreation } from './write-query.js';

/**
 * Creates a node if none has its keys, with one query. Returns a row with `written: true` and the candidates for
 * `similar` names, or the nodes that have the keys; then nothing was written.
 */
export function createQuery(
  dialect: CypherDialect,
  { variable, label, keys, create }: NodeCreation,
  names: SimilarNames | undefined,
): CypherQuery {
  const node = (name: string) =>
    `(${name}:${dialect.quote(label)} {${keysPattern(dialect, variable, keys)}})`;
  const parameters: Record<string, Json> = { ...keyParameters(variable, keys), ...names?.parameters };
  const unlessWritten = (expression: string) => `CASE WHEN written THEN null ELSE ${expression} END`;
  // Before the write: after it, Neo4j would read all candidates before it stops at the limit.
  const lookup =
    names === undefined
      ? 'WITH [] AS similar'
      : `OPTIONAL MATCH ${node('other')}
WITH count(other) AS others
${names.clauses('CASE WHEN others = 0 THEN $ranges ELSE [] END')}`;
  return {
    text: `${lookup}
MERGE ${node(variable)}
ON CREATE SET ${assign(dialect, variable, create, parameters)}
WITH ${variable}, similar, ${variable}.${provenanceProperty} = $${variable}_provenance AS written
RETURN written, similar, ${unlessWritten(dialect.idOf(variable))} AS id, ${unlessWritten(`properties(${variable})`)} AS properties LIMIT ${maxMatches}`,
    parameters,
  };
}
