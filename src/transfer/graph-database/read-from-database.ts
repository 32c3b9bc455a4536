import type { CypherAccess, CypherConnection, CypherRow } from '../../cypher/cypher-connection.js';
import { parseStored } from '../../cypher/stored-properties.js';
import { type ImportedEdge, type ImportedNode, importOrigin } from '../../import/import-format.js';
import { defaultWeight } from '../../model/edge.js';
import { isRecord } from '../../model/is-record.js';
import { type Json, type Props, parseJsonOrUndefined } from '../../model/json.js';
import { keyText } from '../../model/key-text.js';
import { compareText } from '../../model/order.js';
import { isStampField, type Provenance } from '../../model/provenance.js';
import { registryMark, registryType } from '../../model/registry-node.js';
import { exportFields, stubLabel } from './database-fields.js';

const kind = 'graph-database';
/** Where graphs that others made keep what people call a node. */
const nameProperties = ['name', 'title', 'label', 'id'];
const ownFields: ReadonlySet<string> = new Set(Object.values(exportFields));

interface NamedNode {
  readonly name: string;
  readonly type: string;
}

/** Everything but the registry of a gate: first the nodes, then the edges. The same database gives the same items. */
export async function* readFromDatabase(
  connection: CypherConnection,
  source: CypherAccess['name'],
): AsyncIterable<ImportedNode | ImportedEdge> {
  const { idOf } = connection.dialect;
  const nodes = new Map<string, NamedNode>();
  const names = new Set<string>();
  const nodeQuery = `MATCH (n) RETURN ${idOf('n')} AS id, labels(n) AS labels, properties(n) AS properties ORDER BY id`;
  for await (const row of connection.stream({ text: nodeQuery })) {
    const node = toNode(row, source, names);
    if (node === undefined) continue;
    nodes.set(String(row['id']), node);
    names.add(node.name);
    if (node.type !== stubLabel) yield node;
  }
  const edgeQuery = `MATCH (a)-[r]->(b) RETURN ${idOf('r')} AS id, ${idOf('a')} AS start, ${idOf('b')} AS finish,
  type(r) AS type, properties(r) AS properties ORDER BY id`;
  for await (const row of connection.stream({ text: edgeQuery })) {
    const from = nodes.get(String(row['start']));
    const to = nodes.get(String(row['finish']));
    if (from !== undefined && to !== undefined) yield toEdge(row, from, to);
  }
}

function toNode(row: CypherRow, source: string, names: ReadonlySet<string>): ImportedNode | undefined {
  const [type = 'Node', ...otherLabels] = texts(row['labels']);
  const { own, props, provenance } = partsOf(row['properties']);
  if (type === registryType && Object.hasOwn(props, registryMark)) return undefined;
  const summary = own[exportFields.summary];
  const tags = texts(own[exportFields.tags]);
  return {
    kind: 'node',
    line: 1,
    type,
    name: uniqueName(nameOf(own, props, provenance, `${type} ${String(row['id'])}`), type, names),
    observations: texts(own[exportFields.observations]),
    summary: typeof summary === 'string' ? summary : null,
    tags: tags.length > 0 ? tags : otherLabels,
    props,
    provenance: provenance ?? originOf(own, props, source),
  };
}

/** Of what Trellis did not write, unless a property has the name of a stamp, which would hide it. */
function originOf(own: Props, props: Props, source: string): Provenance | null {
  const isForeign = !Object.hasOwn(own, exportFields.name) && !Object.keys(props).some(isStampField);
  return isForeign ? importOrigin(kind, source) : null;
}

function toEdge(row: CypherRow, from: NamedNode, to: NamedNode): ImportedEdge {
  const { own, props, provenance } = partsOf(row['properties']);
  const weight = own[exportFields.weight];
  const key = own[exportFields.key];
  return {
    ...{ kind: 'edge', line: 1, from: from.name, to: to.name, type: String(row['type']) },
    weight: typeof weight === 'number' ? weight : defaultWeight,
    ...(typeof key === 'string' ? { key } : {}),
    props,
    provenance,
  };
}

interface Parts {
  /** What Trellis wrote beside the properties. */
  readonly own: Props;
  readonly props: Props;
  readonly provenance: Provenance | null;
}

function partsOf(stored: Json | undefined): Parts {
  const { properties, provenance } = parseStored(isRecord(stored) ? stored : {});
  const entries = Object.entries(properties);
  const own = Object.fromEntries(entries.filter(([name]) => ownFields.has(name)));
  const values = parseJsonOrUndefined(String(own[exportFields.values] ?? '{}'));
  const props: Props = {
    ...Object.fromEntries(entries.filter(([name]) => !ownFields.has(name))),
    ...(isRecord(values)
      ? Object.fromEntries(Object.entries(values).map(([key, value]) => [key, toJson(value)]))
      : {}),
  };
  return { own, props, provenance };
}

function nameOf(own: Props, props: Props, provenance: Provenance | null, otherwise: string): string {
  const given = own[exportFields.name];
  if (typeof given === 'string') return given;
  const keys = [...(provenance?.merge_keys ?? [])].sort(compareText);
  if (keys.length > 0 && keys.every((key) => Object.hasOwn(props, key))) return keyText(keys, props);
  const named = nameProperties
    .map((name) => props[name])
    .find((value) => typeof value === 'string' && value !== '');
  return typeof named === 'string' ? named : otherwise;
}

/** Names are unique in an import; nodes of a graph database need not have any. */
function uniqueName(name: string, type: string, names: ReadonlySet<string>): string {
  if (!names.has(name)) return name;
  for (let count = 1; ; count += 1) {
    const other = count === 1 ? `${name} (${type})` : `${name} (${type} ${count})`;
    if (!names.has(other)) return other;
  }
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function toJson(value: unknown): Json {
  const copy: Json = JSON.parse(JSON.stringify(value ?? null));
  return copy;
}
