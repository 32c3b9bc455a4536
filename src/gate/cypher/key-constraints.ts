import type { CypherAccess, CypherConnection } from '../../cypher/cypher-connection.js';
import type { KeyConstraint } from '../../cypher/cypher-dialect.js';
import { parseStored, provenanceProperty } from '../../cypher/stored-properties.js';
import type { SchemaEntry } from '../registry/schema-registry.js';

/** Keys that agents used are looked for in this many nodes of each label. */
const sampledNodes = 1_000;

/** The uniqueness constraints in force. */
export async function listConstraints(connection: CypherConnection): Promise<readonly KeyConstraint[]> {
  const constraints: KeyConstraint[] = [];
  for await (const row of connection.stream({ text: connection.dialect.constraints.list })) {
    const { 'constraint type': kind = 'unique', label, properties } = row;
    if (kind !== 'unique' || typeof label !== 'string') continue;
    constraints.push({ label, properties: [properties ?? []].flat().map(String) });
  }
  return constraints;
}

/** Whether no two nodes of the label can have the same values for these properties. */
export function isCovered(
  constraints: readonly KeyConstraint[],
  { label, properties }: KeyConstraint,
): boolean {
  return constraints.some(
    (constraint) =>
      constraint.label === label && constraint.properties.every((property) => properties.includes(property)),
  );
}

/** The keys of each label: those that nodes were written with, else the properties that every write must include. */
export async function keysInUse(
  connection: CypherConnection,
  entries: readonly SchemaEntry[],
): Promise<readonly KeyConstraint[]> {
  const { quote } = connection.dialect;
  const keys: KeyConstraint[] = [];
  for (const { label, required_properties } of entries) {
    const rows = await connection.transact((run) =>
      run({
        text: `MATCH (n:${quote(label)}) WHERE n.${provenanceProperty} IS NOT NULL
RETURN n.${provenanceProperty} AS provenance LIMIT ${sampledNodes}`,
      }),
    );
    const used = rows.map(({ provenance = null }) => {
      const { merge_keys = [] } = parseStored({ [provenanceProperty]: provenance }).provenance ?? {};
      return [...merge_keys].sort().join('\n');
    });
    const sets = new Set([...used].filter((names) => names !== ''));
    if (sets.size === 0 && required_properties.length > 0)
      keys.push({ label, properties: required_properties });
    for (const names of sets) keys.push({ label, properties: names.split('\n') });
  }
  return keys;
}

/** Warns once for each label and key that two gates could write twice. */
export class ConstraintWatch {
  readonly #access: CypherAccess;
  readonly #warn: (message: string) => void;
  readonly #checked = new Set<string>();

  constructor(access: CypherAccess, warn: (message: string) => void) {
    this.#access = access;
    this.#warn = warn;
  }

  /** Never fails: whoever writes must not wait for it, or learn of its failure. */
  async check(key: KeyConstraint): Promise<void> {
    const id = JSON.stringify([key.label, ...[...key.properties].sort()]);
    if (this.#checked.has(id)) return;
    this.#checked.add(id);
    try {
      const isMissing = await this.#access.use(
        async (connection) =>
          connection.dialect.lock !== undefined && !isCovered(await listConstraints(connection), key),
      );
      if (isMissing)
        this.#warn(
          `No uniqueness constraint covers ${key.label} (${key.properties.join(', ')}): two gates that write the same node at once could create it twice. Run: trellis gate constraints --apply`,
        );
    } catch {
      this.#checked.delete(id);
    }
  }
}
