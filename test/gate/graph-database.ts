import { retry } from '../../src/bounds/retry.js';
import { KeptConnection } from '../../src/cypher/cypher-access.js';
import { type CypherRow, isRepeatable } from '../../src/cypher/cypher-connection.js';
import { parseStored } from '../../src/cypher/stored-properties.js';
import type { GateSettings } from '../../src/gate/gate-settings.js';
import { isRecord } from '../../src/model/is-record.js';
import type { Json, Props } from '../../src/model/json.js';
import { keyText } from '../../src/model/key-text.js';
import type { Provenance } from '../../src/model/provenance.js';

/** A node as the gate left it. */
export interface WrittenNode {
  readonly type: string;
  readonly name: string;
  readonly props: Props;
  readonly provenance: Provenance | null;
}

export interface WrittenEdge {
  readonly type: string;
  readonly fromName: string;
  readonly toName: string;
  readonly props: Props;
  readonly provenance: Provenance | null;
}

/** A real graph database, looked at without the gate. */
export class GraphDatabase {
  readonly #access: KeptConnection;
  readonly settings: GateSettings;

  constructor(url: string) {
    this.#access = new KeptConnection({ url });
    this.settings = { target: url };
  }

  run(text: string, parameters: Readonly<Record<string, Json>> = {}): Promise<readonly CypherRow[]> {
    const attempt = () =>
      this.#access.use((connection) => connection.transact((run) => run({ text, parameters })));
    // Tests kill and restart it.
    return retry(attempt, { isTransient: isRepeatable, delayMs: 50, maxDelayMs: 1_000, forMs: 120_000 });
  }

  async clear(): Promise<void> {
    await this.run('MATCH (n) DETACH DELETE n');
  }

  async register(name: string, { property_types, ...props }: Props): Promise<void> {
    const types = isRecord(property_types)
      ? { property_types: Object.entries(property_types).map(([key, type]) => `${key}:${String(type)}`) }
      : {};
    await this.run('CREATE (s:Schema) SET s += $props', {
      props: { name, allowed: true, ...props, ...types },
    });
  }

  async nodes(): Promise<WrittenNode[]> {
    const rows = await this.run(
      'MATCH (n) WHERE NOT n:Schema RETURN labels(n)[0] AS type, properties(n) AS stored ORDER BY id(n)',
    );
    return rows.map(({ type, stored = null }) => written(type, stored));
  }

  async edges(): Promise<WrittenEdge[]> {
    const rows = await this.run(
      'MATCH (a)-[r]->(b) RETURN type(r) AS type, properties(r) AS stored, properties(a) AS start, properties(b) AS end',
    );
    return rows.map(({ type, stored = null, start = null, end = null }) => ({
      ...written(type, stored),
      fromName: written(type, start).name,
      toName: written(type, end).name,
    }));
  }

  /** Different after every write of a gate. */
  async state(): Promise<string> {
    const nodes = await this.run('MATCH (n) RETURN properties(n) AS stored ORDER BY id(n)');
    const edges = await this.run('MATCH ()-[r]->() RETURN properties(r) AS stored ORDER BY id(r)');
    return JSON.stringify([nodes, edges]);
  }

  close(): Promise<void> {
    return this.#access.close();
  }
}

function written(type: Json | undefined, stored: Json): WrittenNode {
  const { properties, provenance } = parseStored(isRecord(stored) ? stored : {});
  const keys = [...(provenance?.merge_keys ?? ['name'])].sort();
  return { type: String(type), name: keyText(keys, properties), props: properties, provenance };
}
