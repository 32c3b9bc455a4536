import type { CypherAccess, CypherConnection } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import { provenanceProperty, provenanceText, stampOfProvenance } from '../../cypher/stored-properties.js';
import { defaultWeight } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { Json, Props } from '../../model/json.js';
import type { NodeId } from '../../model/node.js';
import type { Provenance } from '../../model/provenance.js';
import type { ExportedEdge, ExportedNode, ExportSource } from '../export-source.js';
import { exportFields, stubLabel } from './database-fields.js';

/** Rows of one query. */
const batchRows = 1_000;

type Row = Readonly<Record<string, Json>>;

interface RowGroup {
  /** With `row` for each row. */
  readonly query: string;
  readonly rows: Row[];
}

export interface DatabaseExport {
  readonly nodes: number;
  readonly edges: number;
}

/**
 * Publishes a graph to a graph database. Can be repeated, also after an interruption: nodes are found by label and
 * name, edges by type, ends and key, and get what they have here; what only the database has stays.
 */
export function writeToDatabase(source: ExportSource, access: CypherAccess): Promise<DatabaseExport> {
  return access.use(async (connection) => {
    const writer = new DatabaseWriter(connection);
    for await (const page of source.nodePages()) await writer.nodes(page);
    await writer.nodes(await source.stubs(), { [exportFields.stub]: true });
    for await (const page of source.edgePages()) await writer.edges(page);
    return writer.written;
  });
}

class DatabaseWriter {
  readonly #connection: CypherConnection;
  readonly #dialect: CypherDialect;
  readonly #labels = new Map<NodeId, string>();
  readonly #indexed = new Set<string>();
  #nodes = 0;
  #edges = 0;

  constructor(connection: CypherConnection) {
    this.#connection = connection;
    this.#dialect = connection.dialect;
  }

  get written(): DatabaseExport {
    return { nodes: this.#nodes, edges: this.#edges };
  }

  async nodes(nodes: readonly ExportedNode[], more: Props = {}): Promise<void> {
    const groups = new Map<string, RowGroup>();
    for (const node of nodes) {
      const label = node.type === '' ? stubLabel : node.type;
      this.#labels.set(node.id, label);
      await this.#index(label);
      const row = this.#row({ ...node.props }, node.provenance, {
        ...more,
        [exportFields.name]: node.name,
        ...(node.summary === null ? {} : { [exportFields.summary]: node.summary }),
        ...(node.tags.length === 0 ? {} : { [exportFields.tags]: node.tags }),
        ...(node.observations.length === 0 ? {} : { [exportFields.observations]: node.observations }),
      });
      const identity = this.#identity(node);
      const pattern = [...identity.keys()]
        .map((key, index) => `${this.#quote(key)}: row.key${index}`)
        .join(', ');
      const keys = [...identity.values()].map((value, index): [string, Json] => [`key${index}`, value]);
      const merge = `MERGE (n:${this.#quote(label)} {${pattern}})`;
      this.#add(groups, merge, 'n', { ...row, ...Object.fromEntries(keys) });
    }
    await this.#send(groups);
    this.#nodes += nodes.length;
  }

  async edges(edges: readonly ExportedEdge[]): Promise<void> {
    const groups = new Map<string, RowGroup>();
    for (const { from, to, fromName, toName, type, key, weight, props, provenance } of edges) {
      const [start, end] = [from, to].map((id) => this.#quote(this.#labels.get(id) ?? stubLabel));
      const row = this.#row(
        { ...props },
        provenance,
        weight === defaultWeight ? {} : { [exportFields.weight]: weight },
      );
      const identity = key === '' ? '' : ` {${exportFields.key}: row.key}`;
      const merge = `MATCH (a:${start} {${exportFields.name}: row.from})
MATCH (b:${end} {${exportFields.name}: row.to})
MERGE (a)-[r:${this.#quote(type)}${identity}]->(b)`;
      this.#add(groups, merge, 'r', { ...row, from: fromName, to: toName, key });
    }
    await this.#send(groups);
    this.#edges += edges.length;
  }

  /** The keys of a gate, which may have written the node to the database too; else the name. */
  #identity({ name, props, provenance }: ExportedNode): ReadonlyMap<string, Json> {
    const keys = (provenance?.merge_keys ?? []).map((key): [string, Json] => [key, props[key] ?? null]);
    const isUsable = keys.every(
      ([key, value]) =>
        value !== null && typeof value !== 'object' && this.#dialect.nameProblem(key) === undefined,
    );
    return new Map(keys.length > 0 && isUsable ? keys : [[exportFields.name, name]]);
  }

  /** What the database cannot hold becomes JSON in one property. */
  #row(props: Props, provenance: Provenance | null, more: Props): Row {
    const isStorable = ([name, value]: readonly [string, Json]) =>
      this.#dialect.nameProblem(name) === undefined && this.#dialect.valueProblem(value) === undefined;
    const entries = Object.entries(props);
    const others = entries.filter((entry) => !isStorable(entry));
    const { last_updated = null, ...stamp } = provenance === null ? {} : stampOfProvenance(provenance);
    return {
      last_updated,
      properties: {
        ...Object.fromEntries(entries.filter(isStorable)),
        ...stamp,
        ...more,
        ...(others.length === 0 ? {} : { [exportFields.values]: JSON.stringify(Object.fromEntries(others)) }),
        ...(provenance === null ? {} : { [provenanceProperty]: provenanceText(provenance, 'export') }),
      },
    };
  }

  #add(groups: Map<string, RowGroup>, merge: string, variable: string, row: Row): void {
    const time =
      row['last_updated'] === null
        ? ''
        : `, ${variable}.last_updated = ${this.#dialect.timestamp('row.last_updated')}`;
    const query = `UNWIND $rows AS row\n${merge}\nSET ${variable} += row.properties${time}`;
    const group = groups.get(query) ?? { query, rows: [] };
    group.rows.push(row);
    groups.set(query, group);
  }

  async #send(groups: ReadonlyMap<string, RowGroup>): Promise<void> {
    for (const { query, rows } of groups.values())
      for (let at = 0; at < rows.length; at += batchRows)
        await this.#connection.transact((run) =>
          run({ text: query, parameters: { rows: rows.slice(at, at + batchRows) } }),
        );
  }

  /** Without an index, every node would be looked for among all of its label. */
  async #index(label: string): Promise<void> {
    if (this.#indexed.has(label)) return;
    this.#indexed.add(label);
    this.#quote(label);
    for (const command of this.#dialect.constraints.create({ label, properties: [exportFields.name] }))
      await this.#connection.alter(command);
  }

  #quote(name: string): string {
    const problem = this.#dialect.nameProblem(name);
    if (problem !== undefined) throw nameRefused(name, problem, this.#dialect.title);
    return this.#dialect.quote(name);
  }
}

function nameRefused(name: string, problem: string, title: string): TrellisError {
  return new TrellisError(
    'INVALID_ARGUMENT',
    `${title} cannot have the type ${JSON.stringify(name)}: it ${problem}.`,
    {
      hint: 'Rename it in the graph. What was exported before stays.',
    },
  );
}
