import { type DescribedEdge, EdgeSet, edgeTypeOf, targetsOf } from './describe-node.js';
import type { EdgeMakers } from './edge-makers.js';
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
  readonly edges: readonly CurrentEdge[];
}

export interface CurrentEdge {
  readonly type: string;
  readonly to: string;
  /** What it records about its makers; left out, it records nothing. */
  readonly recorded?: EdgeMakers | undefined;
}

/** An edge that stays, and what it shall record about its makers; undefined: nothing, since it is only kept by hand. */
export interface RecordedEdge {
  readonly type: string;
  readonly to: string;
  readonly recorded: EdgeMakers | undefined;
}

/** What an update makes of a node. */
export interface Revision {
  readonly facts: readonly string[];
  readonly addEdges: readonly DescribedEdge[];
  readonly removeEdges: readonly Pick<DescribedEdge, 'from' | 'to' | 'type'>[];
  readonly recordEdges: readonly RecordedEdge[];
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
 * something else made. Of edges it takes away those that a changed property made and names no more. An edge records which
 * properties made it; one that is older than such records is taken for made by the properties whose entries name it.
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
): Omit<Revision, 'facts'> {
  const addEdges = new EdgeSet(current.name);
  const removeEdges: { from: string; to: string; type: string }[] = [];
  const recordEdges: RecordedEdge[] = [];
  const changed = new Set(changes.map(({ index }) => index));
  const untouched = entries.filter((_, index) => !changed.has(index));
  for (const type of new Set(changes.flatMap(({ property }) => edgeTypeOf(schema, property) ?? []))) {
    const ours = changes.filter(({ property }) => edgeTypeOf(schema, property) === type);
    const edges = current.edges.filter((edge) => edge.type === type);
    const before = new Inference(schema, type, edges, entries);
    const after = new Inference(schema, type, edges, untouched);
    for (const edge of edges) {
      const { makers, byHand } = edge.recorded ?? before.makersOf(edge.to);
      const still = edge.recorded === undefined ? after.makersOf(edge.to).makers : [];
      const named = ours
        .filter(({ value }) => targetsOf(value).includes(edge.to))
        .map(({ property }) => property);
      const given = new Set(ours.map(({ property }) => property));
      const kept = makers.filter((maker) => !given.has(maker) || still.includes(maker));
      const now = [...new Set([...kept, ...named])];
      if (now.length > 0) recordEdges.push({ type, to: edge.to, recorded: { makers: now, byHand } });
      else if (byHand) recordEdges.push({ type, to: edge.to, recorded: undefined });
      else removeEdges.push({ from: current.name, to: edge.to, type });
    }
    const existing = new Set(edges.map(({ to }) => to));
    for (const { property, value } of ours) {
      for (const target of targetsOf(value)) if (!existing.has(target)) addEdges.add(type, target, property);
    }
  }
  return { addEdges: addEdges.list(), removeEdges, recordEdges };
}

/** What metadata says about the makers of edges that record nothing. */
class Inference {
  readonly #named = new Map<string, string[]>();

  constructor(
    schema: NodeSchema,
    type: string,
    edges: readonly CurrentEdge[],
    entries: readonly (Entry | undefined)[],
  ) {
    // A property that has recorded an edge records them all: what its entries say otherwise, somebody else wrote.
    const recording = new Set(edges.flatMap(({ recorded }) => recorded?.makers ?? []));
    const makers = schema.properties.filter(
      ({ name, relationship }) => relationship?.edgeType === type && !recording.has(name),
    );
    const targets = new Set(edges.filter(({ recorded }) => recorded === undefined).map(({ to }) => to));
    for (const entry of entries) {
      const maker = makerOf(schema, entry, makers);
      if (maker === undefined) continue;
      for (const target of targetsIn(entry, maker, targets)) {
        this.#named.set(target, [...(this.#named.get(target) ?? []), maker.name]);
      }
    }
  }

  makersOf(target: string): EdgeMakers {
    const makers = this.#named.get(target) ?? [];
    return { makers, byHand: makers.length === 0 };
  }
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
