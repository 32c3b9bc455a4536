import type { CypherAccess } from '../../cypher/cypher-connection.js';
import { parseStored, provenanceProperty } from '../../cypher/stored-properties.js';
import { isRecord } from '../../model/is-record.js';
import type { DriftCounter } from '../drift-counter.js';

/** Visits every node that a gate has written to the database. */
export function visitDatabaseNodes(access: CypherAccess, visit: DriftCounter['written']): Promise<void> {
  return access.use(async (connection) => {
    const text = `MATCH (n) WHERE n.${provenanceProperty} IS NOT NULL
RETURN labels(n)[0] AS label, properties(n) AS properties`;
    for await (const { label, properties = null } of connection.stream({ text })) {
      const { properties: props, provenance } = parseStored(isRecord(properties) ? properties : {});
      visit({ type: String(label), props, provenance });
    }
  });
}
