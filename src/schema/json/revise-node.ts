import { type DescribedEdge, EdgeSet, edgeTypeOf, targetsOf } from './describe-node.js';
import { type Entry, formatEntry, parseEntry, valueText } from './metadata/entry.js';
import { keyMeant, keyOf } from './metadata/keys.js';
import { namedTargets } from './metadata/named-targets.js';
import type { NodeSchema, PropertySchema } from './node-schema.js';
import type { Arguments, ArgumentValue } from './parse-arguments.js';

/** A node as it is before an update. */
export interface CurrentNode {
  readonly name: string;
  /** Its metadata, in order. */
  readonly facts: readonly string[];
  /** The edges that go out from it. */
  readonly edges: readonly { readonly type: string; readonly to: string }[];
}

/** What an update makes of a node. */
export interface Revision {
  readonly facts: readonly string[];
  readonly addEdges: readonly DescribedEdge[];
  readonly removeEdges: readonly DescribedEdge[];
}

/** One property that the update gives, and the entry of metadata that it replaces. */
interface Change {
  readonly property: string;
  readonly value: ArgumentValue;
  /** Where the entry stands; undefined if there is none yet. */
  readonly index: number | undefined;
}

/**
 * Applies an update. What it does not name stays: text without a key, further entries of the same key, and edges that
 * something else made. Of edges it takes away those that the old value of a changed property names, unless another
 * entry still names them.
 */
export function reviseNode(schema: NodeSchema, current: CurrentNode, args: Arguments): Revision {
  const entries = current.facts.map(parseEntry);
  const changes = [...args.values].map(([property, value]) => ({
    property,
    value,
    index: indexOfKey(schema, entries, keyOf(schema, property)),
  }));
  return {
    facts: reviseFacts(schema, current.facts, changes),
    ...reviseEdges(schema, current, entries, changes),
  };
}

/** The first entry with this key; if there is none, the first with another spelling of it. */
function indexOfKey(
  schema: NodeSchema,
  entries: readonly (Entry | undefined)[],
  key: string,
): number | undefined {
  const exact = entries.findIndex((entry) => entry?.key === key);
  if (exact !== -1) return exact;
  const alike = entries.findIndex((entry) => entry !== undefined && keyMeant(schema, entry.key) === key);
  return alike === -1 ? undefined : alike;
}

function reviseFacts(
  schema: NodeSchema,
  facts: readonly string[],
  changes: readonly Change[],
): readonly string[] {
  const replaced = new Map<number, string | null>();
  const added: string[] = [];
  for (const { property, value, index } of changes) {
    const fact = value === null ? null : formatEntry(keyOf(schema, property), valueText(value));
    if (index !== undefined) replaced.set(index, fact);
    else if (fact !== null) added.push(fact);
  }
  const kept = facts.map((fact, index) => (replaced.has(index) ? replaced.get(index) : fact));
  return [...kept.filter((fact) => typeof fact === 'string'), ...added];
}

function reviseEdges(
  schema: NodeSchema,
  current: CurrentNode,
  entries: readonly (Entry | undefined)[],
  changes: readonly Change[],
): Pick<Revision, 'addEdges' | 'removeEdges'> {
  const addEdges = new EdgeSet(current.name);
  const removeEdges = new EdgeSet(current.name);
  const changed = new Set(changes.map(({ index }) => index));
  const untouched = entries.filter((_, index) => !changed.has(index));
  for (const edgeType of new Set(changes.flatMap(({ property }) => edgeTypeOf(schema, property) ?? []))) {
    const makers = schema.properties.filter(({ relationship }) => relationship?.edgeType === edgeType);
    const existing = new Set(current.edges.filter(({ type }) => type === edgeType).map(({ to }) => to));
    const targetsNamedBy = (entry: Entry | undefined) =>
      targetsIn(entry, makerOf(schema, entry, makers), existing);
    const named = new Set(untouched.flatMap(targetsNamedBy));
    const ours = changes.filter(({ property }) => makers.some(({ name }) => name === property));
    for (const target of ours.flatMap(({ value }) => targetsOf(value))) {
      named.add(target);
      if (!existing.has(target)) addEdges.add(edgeType, target);
    }
    for (const { index } of ours) {
      const before = index === undefined ? undefined : entries[index];
      for (const target of targetsNamedBy(before)) {
        if (!named.has(target)) removeEdges.add(edgeType, target);
      }
    }
  }
  return { addEdges: addEdges.list(), removeEdges: removeEdges.list() };
}

/** Which of these properties an entry belongs to. */
function makerOf(
  schema: NodeSchema,
  entry: Entry | undefined,
  makers: readonly PropertySchema[],
): PropertySchema | undefined {
  if (entry === undefined) return undefined;
  const key = keyMeant(schema, entry.key);
  return makers.find(({ name }) => keyOf(schema, name) === key);
}

/** The targets, among those there are edges to, that an entry of a property names. */
function targetsIn(
  entry: Entry | undefined,
  maker: PropertySchema | undefined,
  existing: ReadonlySet<string>,
): readonly string[] {
  if (entry === undefined || maker === undefined) return [];
  if (maker.type !== 'array' && existing.has(entry.value)) return [entry.value];
  return namedTargets(entry.value, existing);
}
